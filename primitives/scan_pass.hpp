#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <weir/primitives/scan.hpp>

// The pass that all scans are.

namespace weir {

/// The operators of shaders/lib/monoid.glsl.
enum class KernelOperator : std::uint32_t {
    add,
    mul,
    min,
    max,
    min_signed,
    max_signed,
    min_float,
    max_float,
    bit_and,
    bit_or,
    bit_xor,
};

/// A scan, whatever it is of.
struct ScanPass {
    std::string name = "scan";
    std::uint32_t words = 1; ///< of an element
    Count count;
    std::array<Binding, 2> items; ///< input and output
    std::optional<Binding> other, total;
    std::vector<Binding> fused; ///< buffers of a fused scan
    WordLayout in, out;
    std::optional<std::array<std::uint32_t, 16>> initial;
    bool initial_of_nothing = false; ///< the initial value is only for the total of no elements
    KernelOperator op = KernelOperator::add;
    bool exclusive = false;
    bool in_place = false;
    FaultInjection faults;
    BufferRef<std::uint32_t> counters;
    ScanTuning tuning;
};

/// Fails the graph. Returns false.
bool refuse_scan(Graph& graph, ErrorCode code, const std::string& why);

/// Adds the pass, with the shader that `kernel(instrumented)` gives. Bindings of a fused scan follow the others.
void add_scan_pass(Graph& graph, const ScanPass& scan, const std::function<ShaderSource(bool)>& kernel);

/// The scan kernel for a monoid of one's own. `fused`: also with its loads and stores.
ShaderSource custom_scan_kernel(const Monoid& monoid, const FusedScan* fused, bool instrumented);

} // namespace weir
