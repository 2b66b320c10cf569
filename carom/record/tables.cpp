// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/tables.h"

#include <string>
#include <utility>

#include "carom/record/file_driver.h"
#include "carom/record/layout.h"

namespace carom::record {
namespace {

Handle creation() {
    Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create a dataset");
    // no times in the file, and no filler: what was never written is a hole
    check(H5Pset_obj_track_times(list, false), "create a dataset");
    check(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER), "create a dataset");
    return list;
}

}  // namespace

Dataset::Dataset(hid_t file, const char* name, const Handle& type) : name_(name) {
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "open a dataset");
    // no cache of chunks: rows come in large blocks
    check(H5Pset_chunk_cache(access, 1, 0, 1.0), "open a dataset");
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
        throw Failure(std::string(name) + " is missing: the file is damaged");
    dataset_ = Handle(H5Dopen2(file, name, access), H5Dclose, "be read");
    type_ = Handle(H5Dget_type(dataset_), H5Tclose, "be read");
    if (!same_fields(type_, type))
        throw Failure(std::string(name) +
                      " does not have the fields it should: the file is damaged");
    row_bytes_ = H5Tget_size(type_);
    const Handle space(H5Dget_space(dataset_), H5Sclose, "be read");
    if (H5Sget_simple_extent_ndims(space) != 1)
        throw Failure(std::string(name) + " is not a list of rows: the file is damaged");
    hsize_t length = 0;
    check(H5Sget_simple_extent_dims(space, &length, nullptr), "be read");
    length_ = length;
}

// The rows in the file; `memory` becomes as many in memory.
Handle Dataset::select(std::uint64_t first, std::uint64_t count, Handle& memory) const {
    const hsize_t begin = first, rows = count;
    Handle space(H5Dget_space(dataset_), H5Sclose, "select rows");
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, nullptr, &rows, nullptr),
          "select rows");
    memory = Handle(H5Screate_simple(1, &rows, nullptr), H5Sclose, "select rows");
    return space;
}

void Dataset::write(std::uint64_t first, std::uint64_t count, const void* rows) {
    if (count == 0) return;
    const hsize_t needed = first + count;
    if (needed > length_) {
        check(H5Dset_extent(dataset_, &needed), "be written");
        length_ = needed;
    }
    Handle memory;
    const Handle space = select(first, count, memory);
    check(H5Dwrite(dataset_, type_, memory, space, H5P_DEFAULT, rows), "be written");
    check_writes();
}

void Dataset::read(std::uint64_t first, std::uint64_t count, void* rows) const {
    if (count == 0) return;
    if (first > length_ || count > length_ - first)
        throw Failure(std::string(name_) + " ends too early: the file is damaged");
    Handle memory;
    const Handle space = select(first, count, memory);
    check(H5Dread(dataset_, type_, memory, space, H5P_DEFAULT, rows), "be read");
}

void Dataset::flush() {
    check(H5Dflush(dataset_), "be written");
    check_writes();
}

herr_t Dataset::close() noexcept {
    type_.close();
    return dataset_.close();
}

void create_table(hid_t file, const char* name, const Handle& type, std::uint64_t chunk_rows) {
    const Handle list = creation();
    const hsize_t chunk = chunk_rows, none = 0, endless = H5S_UNLIMITED;
    check(H5Pset_chunk(list, 1, &chunk), "create a dataset");
    const Handle space(H5Screate_simple(1, &none, &endless), H5Sclose, "create a dataset");
    const Handle made(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose,
                      "be written");
}

void create_row(hid_t file, const char* name, const Handle& type) {
    const Handle list = creation();
    const hsize_t one = 1;
    check(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY), "create a dataset");
    const Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose, "create a dataset");
    const Handle made(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose,
                      "be written");
    const std::vector<std::uint8_t> zeros(H5Tget_size(type));
    check(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()), "be written");
}

}  // namespace carom::record
