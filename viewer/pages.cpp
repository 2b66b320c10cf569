// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/pages.h"

// Where pages.S has put them.
extern "C" {
extern const char carom_viewer_page_begin[];
extern const char carom_viewer_page_end[];
extern const char carom_lab_page_begin[];
extern const char carom_lab_page_end[];
extern const char carom_gallery_page_begin[];
extern const char carom_gallery_page_end[];
extern const char carom_compare_page_begin[];
extern const char carom_compare_page_end[];
}

namespace carom::pages {
namespace {

std::string_view between(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view viewer_page() {
    return between(carom_viewer_page_begin, carom_viewer_page_end);
}

std::string_view lab_page() {
    return between(carom_lab_page_begin, carom_lab_page_end);
}

std::string_view gallery_page() {
    return between(carom_gallery_page_begin, carom_gallery_page_end);
}

std::string_view compare_page() {
    return between(carom_compare_page_begin, carom_compare_page_end);
}

}  // namespace carom::pages
