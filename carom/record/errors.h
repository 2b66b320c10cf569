// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace carom::record {

// What went wrong inside this room, without the path; the public classes make a RecordError of it.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// While it lives HDF5 prints nothing about errors of this thread.
class QuietHdf5 {
public:
    QuietHdf5();
    ~QuietHdf5();
    QuietHdf5(const QuietHdf5&) = delete;
    QuietHdf5& operator=(const QuietHdf5&) = delete;

private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

// Why the last call of HDF5 in this thread failed: the system's words where it was the system
// ("No space left on device"), else that the file is damaged. What HDF5 says of the insides of a
// file helps nobody who wants to read a recording.
std::string hdf5_reason();

// Throws Failure, "cannot WHAT: REASON", when HDF5's answer is negative.
void check(herr_t answer, const char* what);

// An HDF5 identifier that is closed when it goes.
class Handle {
public:
    using Close = herr_t (*)(hid_t);

    Handle() = default;
    // Throws Failure, "cannot WHAT: REASON", when the identifier is bad.
    Handle(hid_t id, Close closer, const char* what) : id_(id), close_(closer) {
        check(id_ < 0 ? -1 : 0, what);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) {
            close();
            id_ = std::exchange(other.id_, -1);
            close_ = other.close_;
        }
        return *this;
    }
    ~Handle() { close(); }

    // What HDF5 said; 0 when there was nothing to close.
    herr_t close() noexcept {
        const hid_t id = std::exchange(id_, -1);
        return id >= 0 ? close_(id) : 0;
    }
    operator hid_t() const { return id_; }

private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

}  // namespace carom::record
