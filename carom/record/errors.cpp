// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/errors.h"

#include <string_view>

namespace carom::record {
namespace {

struct Reason {
    std::string system, innermost;
};

// One entry of HDF5's stack of errors, the innermost first. Its file driver writes the system's
// words as: error message = 'No space left on device'.
herr_t look_at(unsigned, const H5E_error2_t* entry, void* data) {
    constexpr std::string_view k_begin = "error message = '";
    Reason& reason = *static_cast<Reason*>(data);
    const std::string_view text = entry->desc != nullptr ? entry->desc : "";
    if (reason.innermost.empty()) reason.innermost = text;
    const std::size_t begin = text.find(k_begin);
    if (begin != std::string_view::npos && reason.system.empty()) {
        const std::string_view rest = text.substr(begin + k_begin.size());
        reason.system = rest.substr(0, rest.find('\''));
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
    Reason reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look_at, &reason);
    if (!reason.system.empty()) return reason.system;
    return reason.innermost.empty() ? "HDF5 gives no reason" : reason.innermost;
}

void check(herr_t answer, const char* what) {
    if (answer < 0) throw Failure(std::string("cannot ") + what + ": " + hdf5_reason());
}

}  // namespace carom::record
