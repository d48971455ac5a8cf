#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <weir/primitives/scan.hpp>

#include "primitives/kernel/built_in.hpp"
#include "primitives/kernel/interface.hpp"

// The pass, or the three passes, of any scan.

namespace weir {

/// The constants and bindings of shaders/scan/scan.glsl and phases.glsl.
struct ScanInterface {
#include "shaders/scan/scan_interface.h"
};

/// Which kernel of a scan.
struct ScanKernel {
    bool in_phases = false;    ///< shaders/scan/phases.glsl, else scan.glsl; the others are options of scan.glsl
    bool instrumented = false; ///< with faults and counters
    bool emulated = false;     ///< subgroups scan by shuffles
    bool by_key = false;       ///< a reduction by key
    TileStates states = TileStates::split;

    /// Whether the library has it for built-in operators. Others are compiled with the graph.
    [[nodiscard]] bool is_common() const {
        return !in_phases && !instrumented && !emulated && states != TileStates::flagged;
    }
};

/// A scan of any elements.
struct ScanPass {
    std::string name = "scan";
    std::uint32_t words = 1; ///< of an element
    Count count;
    std::array<Binding, 2> items; ///< input and output
    std::optional<Binding> other, total;
    std::vector<Binding> fused;     ///< buffers of a fused scan
    std::vector<FusedValue> values; ///< and values that its functions see
    WordLayout in, out;
    std::optional<std::array<std::uint32_t, 16>> initial;
    bool initial_of_nothing = false; ///< the initial value is only for the total of no elements
    std::uint32_t op = KernelOperators::OPERATOR_ADD;
    bool commutes = false;  ///< whether operands may be swapped
    bool exact = false;     ///< known to be associative to the last bit
    bool packable = false;  ///< there is a kernel with packed tile states
    bool flaggable = false; ///< there is one with flagged tile states
    bool is_light = false;  ///< subgroups scan by one operation of the driver, which takes few registers
    bool exclusive = false;
    bool in_place = false;
    Segments segments;
    bool segment_ends = false; ///< the output gets the reduction of each segment
    /// Makes it a reduction by key, with room for so many runs: the output gets their reductions, `other` their keys,
    /// and `total` their number.
    std::optional<std::uint32_t> run_room;
    FaultInjection faults;
    BufferRef<std::uint32_t> counters;
    ScanTuning tuning;
};

/// Fails the graph. Returns false.
bool refuse_scan(Graph& graph, ErrorCode code, const std::string& why);

/// Adds the passes, one or three by strategy, with shaders that `kernel` returns. Bindings of a fused scan come last.
void add_scan_pass(Graph& graph, const ScanPass& scan, const std::function<ShaderSource(ScanKernel)>& kernel);

/// A scan of counts to the offsets at which the elements that they count begin.
struct CountScan {
    BufferRef<std::uint32_t> counts;
    BufferRef<std::uint32_t> offsets; ///< capacity for all counts
    BufferRef<std::uint32_t> total;   ///< a word: the sum of all counts
    FaultInjection faults = {};
    BufferRef<std::uint32_t> counters = {};
};

/// Adds an exclusive scan of counts. Offsets and the total saturate: a sum of 2^32 or more is 2^32 - 1. No buffer has
/// an element there, so offsets that fit a buffer are right.
void add_count_scan(Graph& graph, const CountScan& scan);

/// The scan kernel for a custom monoid. `fused`: with its loads and stores.
ShaderSource custom_scan_kernel(const Monoid& monoid, const FusedScan* fused, bool segmented, ScanKernel kernel);

/// The text of a scan kernel for a built-in type, for those that TypeKernels lacks.
ShaderSource built_in_scan_kernel(const TypeKernels& kernels, bool segmented, const ScanKernel& kernel);

/// The GLSL of a fused scan's monoid, buffers, load and store.
std::string fused_functions(const FusedScan& fused, std::uint32_t first_binding);

/// Whether the description of the segments of so many elements is valid; fails the graph if not.
bool check_segments(Graph& graph, const char* primitive, const Segments& segments, std::uint32_t elements);

} // namespace weir
