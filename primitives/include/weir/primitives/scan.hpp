#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>
#include <weir/primitives/instrument.hpp>

namespace weir {

enum class ScanKind : std::uint8_t {
    inclusive, ///< out[i] = in[0] + ... + in[i]
    exclusive, ///< out[i] = in[0] + ... + in[i - 1], out[0] = 0
};

/// The shape of the kernel; a 0 is chosen by device and size. All shapes give the same results.
struct ScanTuning {
    std::uint32_t workgroup = 0; ///< invocations: a power of two from the subgroup size to the device's limit
    std::uint32_t vectors = 0;   ///< of four elements, per invocation; the tile has workgroup * vectors * 4 elements
    std::uint32_t subgroup_size = 0; ///< where the device lets a pipeline require one
    std::uint32_t max_spins = 0;     ///< polls of a late predecessor before a workgroup computes its value itself
};

struct ScanOptions {
    ScanKind kind = ScanKind::inclusive;
    BufferRef<std::uint32_t> output; ///< at least the input's capacity; not valid: a new transient
    FaultInjection faults;
    BufferRef<std::uint32_t> counters; ///< if valid: four words that become LookBackCounters
    ScanTuning tuning;
};

/// Adds a scan (prefix sum, modulo 2^32) of the first `input.count` elements. Returns the output, with the input's
/// count; what follows it in the buffer is left alone. Input and output must be different buffers.
///
/// One dispatch, each element read and written once: the decoupled-fallback scan of Smith, Levien and Owens, which
/// needs no forward progress from the scheduler. State memory: 8 bytes per tile. Capacity: up to 262140 tiles of the
/// largest shape, 2^32 - 2^16 elements on most devices; past that `compile` reports `limit_exceeded`.
WEIR_API BufferRef<std::uint32_t> scan(Graph& graph, BufferRef<std::uint32_t> input, const ScanOptions& options = {});

} // namespace weir
