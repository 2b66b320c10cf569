// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/record/errors.h"

namespace carom::record {

// A dataset of one dimension, read and written by rows. Nothing is kept in memory by HDF5: what is
// written goes to the operating system at once, and only the index waits for flush().
class Dataset {
public:
    Dataset() = default;
    // Throws Failure when it is not there or its rows are not of this type.
    Dataset(hid_t file, const char* name, const Handle& type);

    std::uint64_t length() const { return length_; }
    std::size_t row_bytes() const { return row_bytes_; }
    // Makes the dataset longer where the rows reach beyond its end.
    void write(std::uint64_t first, std::uint64_t count, const void* rows);
    void read(std::uint64_t first, std::uint64_t count, void* rows) const;
    void flush();
    herr_t close() noexcept;

private:
    Handle select(std::uint64_t first, std::uint64_t count, Handle& memory) const;

    const char* name_ = "";
    Handle dataset_, type_;
    std::uint64_t length_ = 0;
    std::size_t row_bytes_ = 0;
};

// An empty dataset that can grow without end, `chunk_rows` at a time.
void create_table(hid_t file, const char* name, const Handle& type, std::uint64_t chunk_rows);
// A dataset of one row of zeros that has its place in the file from the beginning.
void create_row(hid_t file, const char* name, const Handle& type);

// The end of a table, where rows are collected before they are written.
template <class Row>
class Tail {
public:
    Tail() = default;
    // Goes on after `start` rows.
    Tail(Dataset dataset, std::uint64_t start, std::size_t most)
        : dataset_(std::move(dataset)), written_(start), rows_(most) {}

    std::uint64_t count() const { return written_ + waiting_; }
    bool full() const { return waiting_ == rows_.size(); }
    // Pre: not full.
    void add(const Row& row) { rows_[waiting_++] = row; }
    void write() {
        if (waiting_ == 0) return;
        dataset_.write(written_, waiting_, rows_.data());
        written_ += waiting_;
        waiting_ = 0;
        dirty_ = true;
    }
    void flush() {
        write();
        if (dirty_) dataset_.flush();
        dirty_ = false;
    }
    herr_t close() noexcept { return dataset_.close(); }

private:
    Dataset dataset_;
    std::uint64_t written_ = 0;
    std::size_t waiting_ = 0;
    bool dirty_ = false;
    std::vector<Row> rows_;
};

}  // namespace carom::record
