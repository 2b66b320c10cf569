// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string_view>

namespace carom::pages {

// The pages that viewer/ makes, whole HTML files that are part of the program. Empty in a
// program that was built without them (CAROM_BUILD_VIEWER=OFF).
std::string_view viewer_page();
std::string_view lab_page();
std::string_view gallery_page();
std::string_view compare_page();

}  // namespace carom::pages
