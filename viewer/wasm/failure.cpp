// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Exceptions and memory at the border to the page. WebAssembly of this toolchain cannot unwind:
// what is thrown is told to the page, whose import throws an Error through the frames above. The
// page puts the stack pointer back; what those frames had on the heap stays there.

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <typeinfo>

#include "exports.h"

extern "C" {

[[noreturn]] __attribute__((import_module("carom"), import_name("fail"))) void carom_fail(
    const char* message);

// Of the C++ ABI: what a throw expression calls. All that the library throws is a std::exception,
// which is the first base of its class and so at the same address.
void* __cxa_allocate_exception(std::size_t size) {
    return std::malloc(size);
}
void __cxa_free_exception(void* object) {
    std::free(object);
}
[[noreturn]] void __cxa_throw(void* object, std::type_info*, void (*)(void*)) {
    carom_fail(static_cast<std::exception*>(object)->what());
}
}

namespace carom::page {

void fail(const std::string& message) {
    carom_fail(message.c_str());
}

}  // namespace carom::page

// Memory that the page writes arguments to and reads answers from, aligned for doubles.
CAROM_EXPORT(memory_take)(std::size_t bytes)->void* {
    void* const memory = std::malloc(bytes);
    if (memory == nullptr && bytes > 0) carom_fail("the page's module is out of memory");
    return memory;
}

CAROM_EXPORT(memory_give_back)(void* memory)->void {
    std::free(memory);
}
