// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

// What all parts of the page's module share. The page calls functions marked CAROM_EXPORT and reads
// their answers from memory; numbers cross the border as doubles, tables as the rows of a
// recording, texts as UTF-8 that ends with zero. Whatever the library throws becomes an exception
// of the page (failure.cpp).

#define CAROM_EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

namespace carom::page {

// Ends the call: the page gets an Error with this text.
[[noreturn]] void fail(const std::string& message);

}  // namespace carom::page
