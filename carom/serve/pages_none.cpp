// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// In place of the pages, where the program is built without them.

#include "carom/serve/pages.h"

namespace carom::pages {

std::string_view viewer_page() {
    return {};
}

std::string_view lab_page() {
    return {};
}

std::string_view gallery_page() {
    return {};
}

std::string_view compare_page() {
    return {};
}

}  // namespace carom::pages
