#pragma once

#include <cstdint>

#include <weir/weir.hpp>

namespace samples {

/// The most words that copy_program can copy on the device.
std::uint64_t most_copied_words(const weir::Capabilities& device);

/// A program that copies `words` words from one buffer to another, 16 bytes at a time: what the memory allows, to
/// compare others with. It copies whole vectors of 16 bytes, for which both need room.
weir::Result<weir::Program> copy_program(const weir::Context& gpu, weir::BufferView from, weir::BufferView to,
                                         std::uint32_t words);

} // namespace samples
