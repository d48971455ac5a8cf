#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir {

/// FNV-1a, 64 bits. `seed` chains several ranges into one hash.
constexpr std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0xcbf29ce484222325U) {
    for (const std::byte byte : bytes) {
        seed = (seed ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3U;
    }
    return seed;
}

} // namespace weir
