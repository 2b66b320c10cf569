// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>
#include <stdexcept>
#include <string_view>

#include "carom/serve/run_data.h"

namespace carom::serve {

// The run does not fit into one page.
class PageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The viewer's page with a run inside, to be opened from a file: right before </body> comes
//     <script type="application/json" id="carom-recording">{"meta":{...},"tables":{...}}</script>
// where meta is what GET /api/meta gives and each table is the base64 text of its rows, deflated
// (zlib). Gives the page to `out` piece by piece. Throws PageError when the data would be longer
// than browsers can hold in one text.
void write_html_page(std::string_view viewer_page, const RunData& run,
                     const std::function<void(std::string_view)>& out);

}  // namespace carom::serve
