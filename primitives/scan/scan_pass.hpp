#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <weir/primitives/scan.hpp>

#include "primitives/kernel/built_in.hpp"
#include "primitives/kernel/instrument.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"

// Adds the pass of any scan.

namespace weir {

/// The constants and bindings of shaders/scan/scan.glsl.
struct ScanInterface {
#include "shaders/scan/scan_interface.h"
};

/// Options of the scan kernel.
struct ScanKernel {
    bool instrumented = false; ///< with faults and counters
    bool by_key = false;       ///< a reduction by key
    testing::TileStates states = testing::TileStates::split;
    const testing::ScanVariant* variant = nullptr;

    /// Returns whether the library contains this kernel for built-in operators. Other kernels are compiled with the
    /// graph.
    [[nodiscard]] bool is_common() const { return !instrumented && variant == nullptr; }
};

/// Options of a search for extrema (shaders/scan/extrema.glsl).
struct ExtremaOptions {
    std::uint32_t numbers = 0; ///< NUMBERS_* of shaders/lib/total_order_interface.h
    bool greatest = false;
    bool in_segment = false; ///< positions count from the first element of the segment
};

/// Returns the shader of a scan with these options.
using ScanKernels = std::function<ShaderSource(const ScanKernel&)>;

/// A scan of any elements.
struct ScanPass {
    std::string name = "scan";
    std::uint32_t words = 1; ///< words of an element
    Count count;
    std::array<Binding, 2> items; ///< input and output
    std::optional<Binding> other, total;
    std::vector<Binding> fused;     ///< buffers of a fused scan
    std::vector<FusedValue> values; ///< values that the functions of a fused scan use
    WordLayout in, out;
    std::optional<std::array<std::uint32_t, 16>> initial;
    bool initial_of_nothing = false; ///< the initial value is used only for the total of no elements
    bool carried = false;            ///< a later window of a large scan: see INITIAL_CARRIED
    std::uint32_t op = KernelOperators::WEIR_OPERATOR_ADD;
    bool commutes = false; ///< operands may be swapped
    bool exact = false;    ///< known to be associative to the last bit
    bool packable = false; ///< a kernel with packed tile states exists
    bool is_light = false; ///< subgroups scan by one operation of the driver, which takes few registers
    bool exclusive = false;
    bool in_place = false;
    Segments segments;
    bool segment_ends = false; ///< the output receives the reduction of each segment
    /// If set: a reduction by key, with capacity for this number of runs. The output receives their reductions, `other`
    /// their keys, and `total` their number.
    std::optional<std::uint32_t> run_room;
    std::optional<ExtremaOptions> extrema; ///< if set: the output receives numbers, and `other` positions
    ScanTuning tuning;
};

/// Fails the graph. Returns false.
bool refuse_scan(Graph& graph, ErrorCode code, const std::string& why);

/// Shape of the scan kernel, chosen by device and size.
struct ScanShape : ScanTuning {
    testing::TileStates states = testing::TileStates::split;
    SubgroupChoice subgroup;
    std::uint32_t tile = 0; ///< elements
};

/// Returns whether the kernel scans a tile after the look-back instead of before. It does if the elements are needed
/// again, or if nearly all tiles run at the same time and reducing a tile does not take a scan.
bool scans_late(const ScanPass& scan);

/// Properties in which the passes of one scan may differ.
struct ScanPassOptions {
    Binding between; ///< buffer that connects the tiles
    bool scan_late = true;
    std::uint32_t blocks = 0; ///< number of blocks of tiles in the tile states
};

/// Returns a pass of the scan without its shader, dispatch, values, and the buffers of a fused scan.
Pass make_scan_pass(const Graph& graph, const ScanPass& scan, const ScanShape& shape, const ScanPassOptions& options);

/// Adds the pass, or the passes of the instrument's variant, with the shaders that `kernels` returns. The bindings of a
/// fused scan come last.
void add_scan_pass(Graph& graph, const ScanPass& scan, const ScanKernels& kernels);

/// An exclusive scan of counts. The results are the offsets at which the counted elements begin.
struct CountScan {
    BufferRef<std::uint32_t> counts;
    BufferRef<std::uint32_t> offsets; ///< capacity for all counts
    BufferRef<std::uint32_t> total;   ///< a word: the sum of all counts
};

/// Adds the scan of counts. Offsets and the total saturate: a sum of 2^32 or more becomes 2^32 - 1. No buffer has an
/// element at that index, so offsets that are within a buffer are correct.
void add_count_scan(Graph& graph, const CountScan& scan);

/// Returns the scan kernel for a custom monoid; with `fused`, the kernel with its loads and stores.
ShaderSource custom_scan_kernel(const Monoid& monoid, const FusedScan* fused, bool segmented, const ScanKernel& kernel);

/// Returns the scan kernel for a built-in type with options that TypeKernels does not have.
ShaderSource built_in_scan_kernel(const TypeKernels& kernels, bool segmented, const ScanKernel& kernel);

/// Returns the segmented scan kernel whose monoid `definitions` select.
ShaderSource defined_scan_kernel(const std::string& definitions, const ScanKernel& kernel, const std::string& name);

/// Returns the GLSL of a fused scan's monoid, buffers, load and store.
std::string fused_functions(const FusedScan& fused, std::uint32_t first_binding);

/// Checks the segments of `elements` elements. Fails the graph if they are not valid. Only scans, with `is_scan`, may
/// have segments in ranges or of a variable length.
bool check_segments(Graph& graph, const char* primitive, const Segments& segments, std::uint32_t elements,
                    bool is_scan = false);

/// Returns true if heads of segments are words of a buffer, which a tile marks in workgroup memory.
constexpr bool has_offsets(const Segments& segments) {
    return segments.kind == Segments::Kind::offsets || segments.kind == Segments::Kind::ranges;
}

/// Checks that the rows fit `elements` elements. Fails the graph if not.
bool check_rows(Graph& graph, const char* primitive, const Segments& segments, std::uint32_t elements);

} // namespace weir
