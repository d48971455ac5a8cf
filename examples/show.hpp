#pragma once

// Helpers of the examples of primitives: create buffers from numbers, and print numbers to standard output.

#include <cstddef>
#include <cstdio>
#include <vector>

#include <weir/weir.hpp>

/// Returns a buffer on the device that contains `items`.
template <class T>
weir::Buffer buffer_of(const weir::Context& gpu, const std::vector<T>& items) {
    auto buffer = weir::check(gpu.create_buffer(items.size() * sizeof(T)));
    weir::check(gpu.upload(buffer, items));
    return buffer;
}

/// Prints the first `count` elements of a buffer that `program` exports, in one line.
template <class T>
void show(const weir::Context& gpu, const weir::Program& program, weir::BufferRef<T> buffer, std::size_t count) {
    for (const T& item : weir::check(gpu.download<T>(program.view(buffer), count))) {
        std::printf("%g ", static_cast<double>(item));
    }
    std::printf("\n");
}
