#pragma once

#include <cstdint>

namespace weir {

/// Kind of a scan. + stands for the operator.
enum class ScanKind : std::uint8_t {
    inclusive, ///< out[i] = in[0] + ... + in[i]
    exclusive, ///< out[i] = in[0] + ... + in[i - 1]
};

/// Kernel shape for tests and tuning. 0: chosen by device and size. Results of exact operators do not depend on it.
/// Results of operators that round depend on the workgroup, the chunks and the subgroup size.
struct ScanTuning {
    /// Invocations per workgroup: a power of two from the subgroup size to the device limit.
    std::uint32_t workgroup = 0;
    /// Chunks per invocation. A chunk is the smallest number of elements that fill whole 16-byte vectors: 4 elements of
    /// one word, 2 of two, 1 of four. A tile has workgroup * chunks chunks.
    std::uint32_t chunks = 0;
    /// Required subgroup size, if the device supports requiring one.
    std::uint32_t subgroup_size = 0;
    /// Polls of a late predecessor before a workgroup falls back and computes its value itself.
    std::uint32_t max_spins = 0;
};

} // namespace weir
