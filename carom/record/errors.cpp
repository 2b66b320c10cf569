// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/errors.h"

#include <string_view>

namespace carom::record {
namespace {

// One entry of HDF5's stack of errors, the innermost first. Its file driver writes the system's
// words as: error message = 'No space left on device'.
herr_t look_at(unsigned, const H5E_error2_t* entry, void* data) {
    constexpr std::string_view k_begin = "error message = '";
    std::string& system = *static_cast<std::string*>(data);
    const std::string_view text = entry->desc != nullptr ? entry->desc : "";
    const std::size_t begin = text.find(k_begin);
    if (begin != std::string_view::npos && system.empty()) {
        const std::string_view rest = text.substr(begin + k_begin.size());
        system = rest.substr(0, rest.find('\''));
    }
    return 0;
}

}  // namespace

QuietHdf5::QuietHdf5() {
    // What HDF5 does at the end of a program complains about what its own readers lost on a damaged
    // file. Recordings are all closed by then.
    [[maybe_unused]] static const herr_t k_no_exit = H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() {
    H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

std::string hdf5_reason() {
    std::string system;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look_at, &system);
    return system.empty() ? "the file is damaged" : system;
}

void check(herr_t answer, const char* what) {
    if (answer < 0) throw Failure(std::string("cannot ") + what + ": " + hdf5_reason());
}

}  // namespace carom::record
