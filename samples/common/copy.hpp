#pragma once

#include <cstdint>

#include <weir/weir.hpp>

namespace samples {

/// Returns the maximum number of words that copy_program can copy on the device.
std::uint64_t most_copied_words(const weir::Capabilities& device);

/// Creates a program that copies `words` words from one buffer to another, 16 bytes per invocation. Its speed is the
/// memory bandwidth to compare other programs with. It copies whole vectors of 16 bytes: `words`, rounded up to a
/// multiple of 4, must fit in both buffers.
weir::Result<weir::Program> copy_program(const weir::Context& gpu, weir::BufferView from, weir::BufferView to,
                                         std::uint32_t words);

} // namespace samples
