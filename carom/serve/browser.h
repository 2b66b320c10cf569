// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

namespace carom::serve {

// Opens an address in the user's browser (xdg-open) and does not wait for it. False when there is
// no display or nothing to open it with.
bool open_browser(const std::string& address);

}  // namespace carom::serve
