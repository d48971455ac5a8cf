#include "primitives/scan/scan_pass.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/strings.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/shapes.hpp"
#include "primitives/scan/scan_variant.hpp"

namespace weir {

using testing::Instrument;
using testing::ScanVariant;
using testing::TileStates;

namespace {

struct ExtremaInterface {
#include "shaders/scan/extrema_interface.h"
};

/// Returns the words that a tile publishes: a value, and for a reduction by key the number of runs.
std::uint32_t published_words(const ScanPass& scan) {
    return scan.words + (scan.run_room ? 1 : 0);
}

/// Returns the words of a tile state entry: two per published word, and those that a variant adds.
std::uint32_t entry_words(const ScanPass& scan, const ScanVariant* variant) {
    return 2 * published_words(scan) + (variant != nullptr ? variant->more_entry_words : 0);
}

/// Returns the bytes of workgroup memory that a kernel takes in addition to one value per subgroup. Segments at offsets
/// take one bit per element of the tile; a reduction by key takes what shaders/scan/run_tile.glsl stages.
std::uint32_t more_workgroup_memory(const ScanPass& scan, std::uint32_t tile) {
    constexpr std::uint32_t few_words = 32;
    if (scan.run_room) {
        const std::uint32_t staged = std::min(tile, ScanInterface::STAGE_WORDS / (scan.words + 1));
        return staged * (1 + padded_words(scan.words)) * 4 + few_words;
    }
    return (has_offsets(scan.segments) ? tile / 8 + 4 : 0) + few_words;
}

ShapeKernel shape_kernel(const ScanPass& scan) {
    return scan.run_room                                ? ShapeKernel::reduce_by_key
           : scan.segments.kind != Segments::Kind::none ? ShapeKernel::scan_segmented
           : scan.is_light                              ? ShapeKernel::scan_light
           : scan.exact                                 ? ShapeKernel::scan_shuffled
                                                        : ShapeKernel::scan_rounding;
}

/// Chooses the kernel shape by device and size. The tile is 0 if the tuning is not valid.
ScanShape choose_shape(Graph& graph, const ScanPass& scan) {
    const Capabilities& device = graph.capabilities();
    const Instrument& instrument = instrument_of(graph);
    ScanShape shape{scan.tuning, instrument.tile_states, choose_subgroup(graph, "scan", scan.tuning.subgroup_size)};
    const SubgroupChoice& subgroup = shape.subgroup;
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
        const bool splits = instrument.scan_variant != nullptr && instrument.scan_variant->split_states;
        const bool packed = best.packed != 0 && scan.packable && has_packed_states(device) && !splits;
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
    shape.tile = shape.workgroup * shape.chunks * chunk_elements(words);
    return shape;
}

} // namespace

bool scans_late(const ScanPass& scan) {
    if (scan.run_room) {
        return false;
    }
    const bool is_small = std::uint64_t{scan.count.max} * scan.words <= 1U << 22;
    return scan.other || scan.total || !scan.fused.empty() || (is_small && scan.commutes);
}

bool refuse_scan(Graph& graph, ErrorCode code, const std::string& why) {
    graph.fail({code, "scan: " + why});
    return false;
}

namespace {

bool check_states(Graph& graph, const ScanPass& scan, const ScanVariant* variant) {
    if (instrument_of(graph).tile_states != TileStates::packed) {
        return true;
    }
    if (!scan.packable) {
        return refuse_scan(graph, ErrorCode::unsupported,
                           "packed tile states are not supported for these elements or segments");
    }
    if (variant != nullptr && variant->split_states) {
        return refuse_scan(graph, ErrorCode::unsupported, "packed tile states are not supported by the scan variant");
    }
    if (!has_packed_states(graph.capabilities())) {
        return refuse_scan(graph, ErrorCode::unsupported,
                           "packed tile states are not supported: the device has no 64-bit atomics");
    }
    return true;
}

} // namespace

Pass make_scan_pass(const Graph& graph, const ScanPass& scan, const ScanShape& shape, const ScanPassOptions& options) {
    const BufferId stand_in{options.between.resource};
    const bool segmented = scan.segments.kind != Segments::Kind::none;
    const auto or_unused = [&](const Binding& binding) {
        return binding.resource.valid() ? binding : unused(stand_in);
    };
    Pass pass = kernel_pass(scan.name, ShaderSource{}, shape.subgroup);
    set_bindings(pass, {{ScanInterface::INPUT_BINDING, or_unused(scan.items[0])},
                        {ScanInterface::OUTPUT_BINDING, or_unused(scan.items[1])},
                        {ScanInterface::TILE_STATE_BINDING, options.between},
                        {ScanInterface::OTHER_BINDING, scan.other.value_or(unused(stand_in))},
                        {ScanInterface::TOTAL_BINDING, scan.total.value_or(unused(stand_in))}});
    if (scan.segments.kind == Segments::Kind::ranges) {
        set_bindings(pass, {{ScanInterface::RANGE_ENDS_BINDING, read(scan.segments.ends)}});
    }
    if (segmented) {
        set_bindings(pass, {{ScanInterface::HEADS_BINDING,
                             scan.segments.buffer.valid() ? read(scan.segments.buffer) : unused(stand_in)}});
    }
    const std::uint32_t in_stride = scan.in.stride != 0 ? scan.in.stride : scan.words;
    const std::uint32_t out_stride = scan.out.stride != 0 ? scan.out.stride : scan.words;
    const bool whole_vectors = !scan.extrema && in_stride == scan.words && out_stride == scan.words &&
                               scan.in.offset % 4 == 0 && scan.out.offset % 4 == 0;
    ScanInterface constants{.WORKGROUP = shape.workgroup,
                            .SUBGROUP = shape.subgroup.known,
                            .CHUNKS = shape.chunks,
                            .MAX_SPINS = shape.max_spins,
                            .SCAN_OPERATOR = scan.op,
                            .EXCLUSIVE = scan.exclusive,
                            .BOTH = scan.other.has_value() && !scan.extrema,
                            .HAS_TOTAL = scan.total.has_value(),
                            .INITIAL = scan.carried ? LibraryInterface::INITIAL_CARRIED
                                                    : initial_mode(scan.initial.has_value(), scan.initial_of_nothing),
                            .WHOLE_VECTORS = whole_vectors,
                            .IN_PLACE = scan.in_place,
                            .SCAN_LATE = options.scan_late,
                            .SHUFFLE_BARRIERS = graph.capabilities().shuffles_need_barriers(),
                            .IN_DISPATCH_ORDER = graph.capabilities().workgroups_start_in_order};
    if (segmented) {
        constants.SEGMENTS = static_cast<std::uint32_t>(scan.segments.kind) - 1;
        constants.KEY_WORDS = scan.segments.key_words;
        constants.SEGMENT_ENDS = scan.segment_ends;
        constants.END_GIVEN = scan.segments.end_given;
    }
    set_constants(pass, constants);
    if (scan.extrema) {
        set_constants(pass, ExtremaInterface{.NUMBERS = scan.extrema->numbers,
                                             .GREATEST = scan.extrema->greatest,
                                             .IN_SEGMENT = scan.extrema->in_segment});
    }
    add_count(pass, scan.count, stand_in, ScanInterface::COUNTS_BINDING, &ScanInterface::COUNT_ON_GPU);
    push_layouts(pass, scan.words, scan.in, scan.out);
    push_words(pass, {options.blocks});
    const auto initial = scan.initial.value_or(std::array<std::uint32_t, 16>{});
    pass.push.insert(pass.push.end(), initial.begin(), initial.begin() + scan.words);
    if (segmented) {
        const bool varies = scan.segments.variable_length.kind != Count::Kind::constant;
        add_count(pass,
                  has_offsets(scan.segments) ? scan.segments.count
                  : varies                   ? scan.segments.variable_length
                                             : scan.segments.length,
                  stand_in, ScanInterface::SEGMENT_COUNTS_BINDING, &ScanInterface::SEGMENT_COUNT_ON_GPU);
    }
    if (scan.run_room) {
        push_words(pass, {*scan.run_room});
    }
    return pass;
}

namespace {

void add_single_pass(Graph& graph, const ScanPass& scan, const ScanShape& shape, const ScanKernels& kernels) {
    const ScanVariant* variant = instrument_of(graph).scan_variant;
    // One entry per tile, and two per block of tiles. A block has as many tiles as a subgroup has lanes.
    const std::uint32_t tiles = divide_up(scan.count.max, shape.tile);
    const std::uint32_t blocks = divide_up(tiles, shape.subgroup.least);
    const std::uint32_t state_words = tile_state_words(tiles + 2 * blocks, entry_words(scan, variant));
    const auto states = graph.state_buffer<std::uint32_t>("scan tile states", state_words);
    const bool is_instrumented = instrumented(graph);
    Pass pass = make_scan_pass(graph, scan, shape,
                               {.between = read_write(states), .scan_late = scans_late(scan), .blocks = blocks});
    pass.shader = kernels({.instrumented = is_instrumented,
                           .by_key = scan.run_room.has_value(),
                           .states = shape.states,
                           .variant = variant});
    // At least one workgroup runs if there is a total or segments are reduced: the total of no elements and the
    // reduction of an empty segment are written too.
    pass.dispatch = Dispatch::elements(scan.count, shape.tile, scan.total || scan.segment_ends ? 1 : 0);
    if (is_instrumented) {
        add_instrument(graph, pass);
    }
    push_values(pass, scan.values);
    pass.bindings.insert(pass.bindings.end(), scan.fused.begin(), scan.fused.end());
    graph.add_pass(std::move(pass));
}

} // namespace

void add_scan_pass(Graph& graph, const ScanPass& scan, const ScanKernels& kernels) {
    const Capabilities& device = graph.capabilities();
    const ScanShape shape = choose_shape(graph, scan);
    const SubgroupChoice& subgroup = shape.subgroup;
    const ScanVariant* variant = instrument_of(graph).scan_variant;
    if ((variant != nullptr && !variant->check(graph, scan)) || !check_states(graph, scan, variant)) {
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
    const std::uint32_t tile = shape.tile, tiles = divide_up(scan.count.max, tile);
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
    if (variant != nullptr && variant->add_passes) {
        variant->add_passes(graph, scan, shape, kernels);
    } else {
        add_single_pass(graph, scan, shape, kernels);
    }
}

} // namespace weir
