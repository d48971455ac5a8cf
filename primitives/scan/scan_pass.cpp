#include "primitives/scan/scan_pass.hpp"

#include <algorithm>
#include <bit>

#include <weir/graph/plan.hpp>

#include "engine/base/strings.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/shapes.hpp"

namespace weir {

using testing::Instrument;
using testing::ScanStrategy;
using testing::SubgroupScans;
using testing::TileStates;

namespace {

/// Returns the words that a tile publishes: a value, and for a reduction by key the number of runs.
std::uint32_t published_words(const ScanPass& scan) {
    return scan.words + (scan.run_room ? 1 : 0);
}

/// Returns the words of a tile state entry: two per published word, and a flag for flagged states.
std::uint32_t entry_words(const ScanPass& scan, TileStates states) {
    return 2 * published_words(scan) + (states == TileStates::flagged ? 1 : 0);
}

/// Returns the bytes of workgroup memory that a kernel takes in addition to one value per subgroup. Segments at offsets
/// take one bit per element of the tile; a reduction by key takes what shaders/scan/run_tile.glsl stages.
std::uint32_t more_workgroup_memory(const ScanPass& scan, std::uint32_t tile) {
    constexpr std::uint32_t few_words = 32;
    if (scan.run_room) {
        const std::uint32_t staged = std::min(tile, ScanInterface::STAGE_WORDS / (scan.words + 1));
        return staged * (1 + padded_words(scan.words)) * 4 + few_words;
    }
    return (scan.segments.kind == Segments::Kind::offsets ? tile / 8 + 4 : 0) + few_words;
}

ShapeKernel shape_kernel(const ScanPass& scan) {
    return scan.run_room                                ? ShapeKernel::reduce_by_key
           : scan.segments.kind != Segments::Kind::none ? ShapeKernel::scan_segmented
           : scan.is_light                              ? ShapeKernel::scan_light
           : scan.exact                                 ? ShapeKernel::scan_shuffled
                                                        : ShapeKernel::scan_rounding;
}

struct Shape : ScanTuning {
    ScanStrategy strategy;
    TileStates states;
    bool emulated; ///< subgroup scans
};

/// Chooses the kernel shape by device and size.
Shape choose_shape(const Graph& graph, const SubgroupChoice& subgroup, const ScanPass& scan) {
    const Capabilities& device = graph.capabilities();
    const Instrument& instrument = instrument_of(graph);
    Shape shape{scan.tuning, instrument.strategy, instrument.tile_states,
                instrument.subgroup_scans == SubgroupScans::emulated};
    if (shape.workgroup > max_workgroup(device, subgroup) || shape.chunks > max_chunks) {
        return shape; // refused by add_scan_pass
    }
    const std::uint32_t elements = scan.count.max, words = scan.words;
    const KernelShape& best = kernel_shape(device, shape_kernel(scan), std::uint64_t{elements} * words);
    if (shape.workgroup == 0) {
        shape.workgroup = std::min(best.workgroup, max_workgroup(device, subgroup));
    }
    if (shape.max_spins == 0) {
        shape.max_spins = best.max_spins;
    }
    if (shape.states == TileStates::automatic) {
        const bool packed = best.packed != 0 && scan.packable && has_packed_states(device) && !shape.emulated;
        shape.states = packed ? TileStates::packed : TileStates::split;
    }
    if (shape.chunks == 0) {
        const std::uint32_t chunk = chunk_elements(words);
        shape.chunks = std::max(1U, best.items * 4 / (chunk * words));
        while (shape.chunks * chunk * words < 64 &&
               divide_up(elements, shape.workgroup * shape.chunks * chunk) > max_tiles) {
            shape.chunks *= 2;
        }
    }
    return shape;
}

/// Returns whether the kernel scans a tile after the look-back instead of before. It does if the elements are needed
/// again, or if nearly all tiles run at the same time and reducing a tile does not take a scan.
bool scans_late(const ScanPass& scan) {
    if (scan.run_room) {
        return false;
    }
    const bool is_small = std::uint64_t{scan.count.max} * scan.words <= 1U << 22;
    return scan.other || scan.total || !scan.fused.empty() || (is_small && scan.commutes);
}

/// Returns whether the strategy takes three dispatches.
bool is_in_phases(ScanStrategy strategy) {
    return strategy == ScanStrategy::reduce_then_scan || strategy == ScanStrategy::scan_then_propagate;
}

} // namespace

bool refuse_scan(Graph& graph, ErrorCode code, const std::string& why) {
    graph.fail({code, "scan: " + why});
    return false;
}

namespace {

bool is_split_or_automatic(TileStates states) {
    return states == TileStates::split || states == TileStates::automatic;
}

bool check_states(Graph& graph, const ScanPass& scan) {
    const TileStates states = instrument_of(graph).tile_states;
    const auto refuse = [&](const char* why) {
        return refuse_scan(graph, ErrorCode::unsupported, concat(to_string(states), " tile states ", why));
    };
    if (is_split_or_automatic(states)) {
        return true;
    }
    if (!(states == TileStates::packed ? scan.packable : scan.flaggable)) {
        return refuse("are not supported for these elements or segments");
    }
    if (states == TileStates::packed && !has_packed_states(graph.capabilities())) {
        return refuse("are not supported: the device has no 64-bit atomics");
    }
    if (states == TileStates::flagged && graph.capabilities().ordered_atomics_are_barriers) {
        return refuse("are not supported: acquire and release atomics act as workgroup barriers on this device");
    }
    if (states == TileStates::flagged && scan.in_place) {
        return refuse("are not supported for scans in place");
    }
    return true;
}

bool check_strategy(Graph& graph, const ScanPass& scan) {
    const Instrument& instrument = instrument_of(graph);
    const ScanStrategy strategy = instrument.strategy;
    const bool falls_back = strategy == ScanStrategy::fallback || strategy == ScanStrategy::scalar_fallback;
    const auto refuse = [&](ErrorCode code, const char* what) {
        return refuse_scan(graph, code, concat("strategy ", to_string(strategy), " ", what));
    };
    if (injects(instrument) && !falls_back) {
        return refuse(ErrorCode::invalid_argument, "does not support fault injection, because it does not fall back");
    }
    if (instrument.counters.valid() && is_in_phases(strategy)) {
        return refuse(ErrorCode::invalid_argument, "does not support counters, because it does not look back");
    }
    const bool segmented = scan.segments.kind != Segments::Kind::none;
    if (segmented && (is_in_phases(strategy) || strategy == ScanStrategy::scalar_fallback)) {
        return refuse(ErrorCode::unsupported, "is not supported for segments");
    }
    if (strategy == ScanStrategy::scalar_fallback && (!scan.exact || scan.in_place)) {
        return refuse(ErrorCode::unsupported,
                      scan.exact ? "is not supported for scans in place" : "is supported for exact operators only");
    }
    if (instrument.tile_states != TileStates::automatic && is_in_phases(strategy)) {
        return refuse(ErrorCode::invalid_argument, "does not use tile states");
    }
    const bool emulated = instrument.subgroup_scans == SubgroupScans::emulated;
    if (emulated && (!scan.is_light || is_in_phases(strategy) || !is_split_or_automatic(instrument.tile_states) ||
                     instrumented(graph))) {
        return refuse_scan(
            graph, ErrorCode::unsupported,
            "emulated subgroup scans are supported for single 32-bit integers only, without segments, packed or "
            "flagged states, faults and counters");
    }
    if (strategy == ScanStrategy::scan_then_propagate && (scan.other || !scan.fused.empty())) {
        return refuse(ErrorCode::unsupported,
                      scan.other ? "is not supported with another output" : "is not supported for fused scans");
    }
    return true;
}

/// Parameters that differ between the kernels of a scan.
struct KernelOptions {
    Binding between; ///< TILE_STATE_BINDING of scan.glsl, SPINE_BINDING of phases.glsl
    bool scan_late = true;
    ScanStrategy strategy = ScanStrategy::fallback; ///< scan.glsl only
    std::uint32_t blocks = 0;                       ///< scan.glsl only: number of blocks of tiles
    std::uint32_t phase = 0;                        ///< phases.glsl only: PHASE_*
};

Pass make_pass(const Graph& graph, const ScanPass& scan, const Shape& shape, const SubgroupChoice& subgroup,
               const KernelOptions& options) {
    const BufferId stand_in{options.between.resource};
    const bool segmented = scan.segments.kind != Segments::Kind::none;
    const CountInputs count = count_inputs(scan.count, stand_in);
    const auto or_unused = [&](const Binding& binding) {
        return binding.resource.valid() ? binding : unused(stand_in);
    };
    Pass pass;
    pass.name = scan.name;
    pass.subgroup_size = subgroup.required;
    pass.full_subgroups = true;
    set_bindings(pass, {{ScanInterface::INPUT_BINDING, or_unused(scan.items[0])},
                        {ScanInterface::OUTPUT_BINDING, or_unused(scan.items[1])},
                        {ScanInterface::TILE_STATE_BINDING, options.between}, // or SPINE_BINDING
                        {ScanInterface::COUNTS_BINDING, count.binding},
                        {ScanInterface::OTHER_BINDING, scan.other.value_or(unused(stand_in))},
                        {ScanInterface::TOTAL_BINDING, scan.total.value_or(unused(stand_in))}});
    const CountInputs segments = scan.segments.kind == Segments::Kind::offsets
                                     ? count_inputs(scan.segments.count, stand_in)
                                     : count_inputs(scan.segments.length, stand_in);
    if (segmented) {
        set_bindings(pass, {{ScanInterface::HEADS_BINDING,
                             scan.segments.buffer.valid() ? read(scan.segments.buffer) : unused(stand_in)},
                            {ScanInterface::SEGMENT_COUNTS_BINDING, segments.binding}});
    }
    const std::uint32_t in_stride = scan.in.stride != 0 ? scan.in.stride : scan.words;
    const std::uint32_t out_stride = scan.out.stride != 0 ? scan.out.stride : scan.words;
    const bool whole_vectors =
        in_stride == scan.words && out_stride == scan.words && scan.in.offset % 4 == 0 && scan.out.offset % 4 == 0;
    pass.push = elements_push(count, scan.words, scan.in, scan.out);
    pass.push.emplace_back(options.blocks);
    const auto initial = scan.initial.value_or(std::array<std::uint32_t, 16>{});
    pass.push.insert(pass.push.end(), initial.begin(), initial.begin() + scan.words);
    if (segmented) {
        pass.push.insert(pass.push.end(), {segments.max_count, segments.word});
    }
    if (scan.run_room) {
        pass.push.emplace_back(*scan.run_room);
    }
    ScanInterface constants{.WORKGROUP = shape.workgroup,
                            .SUBGROUP = subgroup.known,
                            .CHUNKS = shape.chunks,
                            .MAX_SPINS = shape.max_spins,
                            .COUNT_ON_GPU = count.on_gpu,
                            .SCAN_OPERATOR = scan.op,
                            .EXCLUSIVE = scan.exclusive,
                            .BOTH = scan.other.has_value(),
                            .HAS_TOTAL = scan.total.has_value(),
                            .INITIAL = initial_mode(scan.initial.has_value(), scan.initial_of_nothing),
                            .WHOLE_VECTORS = whole_vectors,
                            .IN_PLACE = scan.in_place,
                            .SCAN_STRATEGY = options.strategy,
                            .SCAN_LATE = options.scan_late,
                            .IN_DISPATCH_ORDER = graph.capabilities().workgroups_start_in_order,
                            .SHUFFLE_BARRIERS = graph.capabilities().shuffles_need_barriers(),
                            .PHASE = options.phase};
    if (segmented) {
        constants.SEGMENTS = static_cast<std::uint32_t>(scan.segments.kind) - 1;
        constants.KEY_WORDS = scan.segments.key_words;
        constants.SEGMENT_ENDS = scan.segment_ends;
        constants.SEGMENT_COUNT_ON_GPU = segments.on_gpu;
        constants.END_GIVEN = scan.segments.end_given;
    }
    set_constants(pass, constants);
    return pass;
}

void add_single_pass(Graph& graph, const ScanPass& scan, const Shape& shape, const SubgroupChoice& subgroup,
                     std::uint32_t tile, const std::function<ShaderSource(ScanKernel)>& kernel) {
    // One entry per tile, and two per block of tiles. A block has as many tiles as a subgroup has lanes.
    const std::uint32_t tiles = divide_up(scan.count.max, tile);
    const std::uint32_t blocks = divide_up(tiles, subgroup.least);
    const std::uint32_t state_words = tile_state_words(tiles + 2 * blocks, entry_words(scan, shape.states));
    const auto states = graph.state_buffer<std::uint32_t>("scan tile states", state_words);
    const bool is_instrumented = instrumented(graph);
    Pass pass = make_pass(
        graph, scan, shape, subgroup,
        {.between = read_write(states), .scan_late = scans_late(scan), .strategy = shape.strategy, .blocks = blocks});
    pass.shader = kernel({.instrumented = is_instrumented,
                          .emulated = shape.emulated,
                          .by_key = scan.run_room.has_value(),
                          .states = shape.states});
    // At least one workgroup runs if there is a total or segments are reduced: the total of no elements and the
    // reduction of an empty segment are written too.
    pass.dispatch = Dispatch::elements(scan.count, tile, scan.total || scan.segment_ends ? 1 : 0);
    if (is_instrumented) {
        add_instrument(graph, pass);
    }
    push_values(pass, scan.values);
    pass.bindings.insert(pass.bindings.end(), scan.fused.begin(), scan.fused.end());
    graph.add_pass(std::move(pass));
}

/// Returns the buffers of a fused scan for a phase that stores nothing.
std::vector<Binding> loaded_only(std::vector<Binding> fused, BufferId stand_in) {
    for (Binding& binding : fused) {
        binding = reads(binding.access) ? read(binding.resource) : unused(stand_in);
    }
    return fused;
}

void add_phases(Graph& graph, const ScanPass& scan, const Shape& shape, const SubgroupChoice& subgroup,
                std::uint32_t tile, const std::function<ShaderSource(ScanKernel)>& kernel) {
    const std::uint32_t tiles = std::max(1U, divide_up(scan.count.max, tile));
    const auto spine = graph.transient_buffer<std::uint32_t>("scan spine", tiles * scan.words);
    const auto add = [&](const char* name, std::uint32_t phase, const ScanPass& work, Access spine_access) {
        // PHASE_REDUCE needs no scan, and PHASE_PROPAGATE loads tiles that are scanned already.
        const bool scan_late =
            phase == ScanInterface::PHASE_REDUCE || (phase != ScanInterface::PHASE_PROPAGATE && scans_late(work));
        Pass pass = make_pass(graph, work, shape, subgroup,
                              {.between = {spine, spine_access}, .scan_late = scan_late, .phase = phase});
        pass.name += std::string(": ") + name;
        pass.shader = kernel({.in_phases = true});
        pass.dispatch = phase == ScanInterface::PHASE_SPINE ? Dispatch::groups(1)
                                                            : Dispatch::elements(work.count, tile, work.total ? 1 : 0);
        pass.bindings.insert(pass.bindings.end(), work.fused.begin(), work.fused.end());
        push_values(pass, scan.values);
        graph.add_pass(std::move(pass));
    };
    // Each phase binds only what it uses.
    ScanPass first = scan, second = scan, third = scan;
    first.total.reset();
    if (shape.strategy == ScanStrategy::reduce_then_scan) {
        first.other.reset();
        first.fused = loaded_only(scan.fused, spine);
        if (scan.in_place) {
            first.items[1].access = Access::shader_read;
        } else {
            first.items[1] = {};
        }
        second.total.reset();
    } else {
        // The last phase reads its elements from the output of the first.
        third.items = {Binding{}, read_write(scan.items[1].resource)};
        third.in_place = true;
        third.in = scan.out;
        third.total.reset();
    }
    second.items = {};
    second.fused.assign(scan.fused.size(), unused(spine));
    second.other.reset();
    const bool reduces = shape.strategy == ScanStrategy::reduce_then_scan;
    add(reduces ? "reduce" : "tiles", reduces ? ScanInterface::PHASE_REDUCE : ScanInterface::PHASE_SCAN_TILES, first,
        Access::shader_write);
    add("spine", ScanInterface::PHASE_SPINE, second, Access::shader_read_write);
    add(reduces ? "scan" : "propagate", reduces ? ScanInterface::PHASE_SCAN : ScanInterface::PHASE_PROPAGATE, third,
        Access::shader_read);
}

} // namespace

void add_scan_pass(Graph& graph, const ScanPass& scan, const std::function<ShaderSource(ScanKernel)>& kernel) {
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, "scan", scan.tuning.subgroup_size);
    const Shape shape = choose_shape(graph, subgroup, scan);
    if (!check_strategy(graph, scan) || !check_states(graph, scan)) {
        return;
    }
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < subgroup.least ||
        shape.workgroup > max_workgroup(device, subgroup) || shape.chunks > max_chunks) {
        refuse_scan(graph, ErrorCode::invalid_argument,
                    shape.chunks > max_chunks
                        ? concat(shape.chunks, " chunks per invocation; at most ", max_chunks, " are supported")
                        : concat("a workgroup of ", shape.workgroup, " invocations; powers of two from ",
                                 subgroup.least, " to ", max_workgroup(device, subgroup), " are supported"));
        return;
    }
    const std::uint32_t tile = shape.workgroup * shape.chunks * chunk_elements(scan.words);
    const std::uint32_t tiles = divide_up(scan.count.max, tile);
    if (tiles > max_tiles) {
        refuse_scan(graph, ErrorCode::limit_exceeded,
                    concat(scan.count.max, " elements are ", tiles, " tiles of ", tile, "; at most ", max_tiles,
                           " can be chained"));
        return;
    }
    // All indices in the last tile must fit 32 bits, including those beyond the last element.
    if (std::uint64_t{tiles} * tile > 1ULL << 32) {
        refuse_scan(graph, ErrorCode::limit_exceeded,
                    concat(scan.count.max, " elements; the last tile of ", tile, " would end beyond element 2^32"));
        return;
    }
    const bool segmented = scan.segments.kind != Segments::Kind::none;
    if (!check_workgroup_memory(graph, "scan", shape.workgroup, subgroup, scan.words + (segmented ? 1 : 0),
                                more_workgroup_memory(scan, tile))) {
        return;
    }
    (is_in_phases(shape.strategy) ? add_phases : add_single_pass)(graph, scan, shape, subgroup, tile, kernel);
}

} // namespace weir
