#include "primitives/scan_pass.hpp"

#include <algorithm>
#include <bit>

#include "engine/text.hpp"
#include "primitives/kernel.hpp"
#include "primitives/shapes.hpp"

namespace weir {

namespace {

// The ticket of tile_state.glsl counts 2^18 workgroups. There are more of them than tiles if they come in rows of
// unequal length, but no more than this many if they come in four rows of the least that a device can run.
constexpr std::uint32_t max_tiles = 4 * 65535;
constexpr std::uint32_t state_header = 32; // words before the first entry, as there

/// Words of tile states from one entry to the next: two for each word of an element, aligned as in spine_walk.glsl.
std::uint32_t entry_stride(std::uint32_t words) {
    return divide_up(2 * words, 8) * 8;
}

ShapeKernel shape_kernel(const ScanPass& scan) {
    return scan.segments.kind != Segments::Kind::none ? ShapeKernel::scan_segmented
           : scan.is_light                            ? ShapeKernel::scan_light
                                                      : ShapeKernel::scan_shuffled;
}

/// The kernel's shape by device and size.
ScanTuning choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, const ScanPass& scan) {
    ScanTuning shape = scan.tuning;
    if (shape.workgroup > max_workgroup(device, subgroup) || shape.chunks > max_chunks) {
        return shape; // to be refused
    }
    const std::uint32_t elements = scan.count.max, words = scan.words;
    const KernelShape& best = kernel_shape(device, shape_kernel(scan), std::uint64_t{elements} * words);
    if (shape.workgroup == 0) {
        shape.workgroup = std::min(best.workgroup, max_workgroup(device, subgroup));
    }
    if (shape.max_spins == 0) {
        shape.max_spins = best.max_spins;
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

/// Whether the kernel scans a tile after the look-back: where the elements are needed once more, and where all tiles
/// run at the same time, more or less, unless what a tile adds to takes a scan anyway.
bool scans_late(const ScanPass& scan) {
    const bool is_small = std::uint64_t{scan.count.max} * scan.words <= 1U << 22;
    return scan.other || scan.total || !scan.fused.empty() || (is_small && scan.commutes);
}

} // namespace

bool refuse_scan(Graph& graph, ErrorCode code, const std::string& why) {
    graph.fail({code, "scan: " + why});
    return false;
}

void add_scan_pass(Graph& graph, const ScanPass& scan, const std::function<ShaderSource(bool)>& kernel) {
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, "scan", scan.tuning.subgroup_size);
    const ScanTuning shape = choose_shape(device, subgroup, scan);
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < subgroup.least ||
        shape.workgroup > max_workgroup(device, subgroup) || shape.chunks > max_chunks) {
        refuse_scan(graph, ErrorCode::invalid_argument,
                    concat("a workgroup of ", shape.workgroup, " invocations with ", shape.chunks,
                           " chunks each; the device runs powers of two up to ", max_workgroup(device, subgroup)));
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
    // The places in the last tile are counted in 32 bits, those behind the last element included.
    if (std::uint64_t{tiles} * tile > 1ULL << 32) {
        refuse_scan(graph, ErrorCode::limit_exceeded,
                    concat(scan.count.max, " elements; the last tile of ", tile, " would reach past 2^32"));
        return;
    }
    const bool segmented = scan.segments.kind != Segments::Kind::none;
    const bool at_offsets = scan.segments.kind == Segments::Kind::offsets;
    // At offsets, a bit for each element of the tile. And a few words.
    if (!check_workgroup_memory(graph, "scan", shape.workgroup, subgroup, scan.words + (segmented ? 1 : 0),
                                (at_offsets ? tile / 8 + 4 : 0) + 32)) {
        return;
    }
    // An entry for each tile, and two for each block of as many as a subgroup has lanes.
    const std::uint32_t blocks = divide_up(tiles, subgroup.least);
    const std::uint32_t state_words = state_header + (tiles + 2 * blocks) * entry_stride(scan.words);
    const auto states = graph.state_buffer<std::uint32_t>("scan tile states", state_words);
    const bool is_instrumented = instrumented(scan.faults, scan.counters);
    const CountInputs count = count_inputs(scan.count, states);
    const auto or_unused = [&](const Binding& binding) { return binding.buffer.valid() ? binding : unused(states); };

    Pass pass;
    pass.name = scan.name;
    pass.shader = kernel(is_instrumented);
    pass.subgroup_size = subgroup.required;
    pass.full_subgroups = true;
    pass.bindings = {or_unused(scan.items[0]),
                     or_unused(scan.items[1]),
                     read_write(states),
                     count.binding,
                     scan.other.value_or(unused(states)),
                     scan.total.value_or(unused(states))};
    const CountInputs segments =
        at_offsets ? count_inputs(scan.segments.count, states) : count_inputs(scan.segments.length, states);
    if (segmented) {
        pass.bindings.push_back(scan.segments.buffer.valid() ? read(scan.segments.buffer) : unused(states));
        pass.bindings.push_back(segments.binding);
    }
    const std::uint32_t in_stride = scan.in.stride != 0 ? scan.in.stride : scan.words;
    const std::uint32_t out_stride = scan.out.stride != 0 ? scan.out.stride : scan.words;
    const bool whole_vectors =
        in_stride == scan.words && out_stride == scan.words && scan.in.offset % 4 == 0 && scan.out.offset % 4 == 0;
    pass.push = {count.max_count, count.word, scan.in.offset, in_stride, scan.out.offset, out_stride};
    const auto initial = scan.initial.value_or(std::array<std::uint32_t, 16>{});
    pass.push.insert(pass.push.end(), initial.begin(), initial.begin() + scan.words);
    if (segmented) {
        pass.push.insert(pass.push.end(), {segments.max_count, segments.word});
    }
    const auto constant = [](bool value) { return value ? 1U : 0U; };
    pass.constants = {shape.workgroup,
                      subgroup.known,
                      shape.chunks,
                      shape.max_spins,
                      count.on_gpu,
                      static_cast<std::uint32_t>(scan.op),
                      constant(scan.exclusive),
                      constant(scan.other.has_value()),
                      constant(scan.total.has_value()),
                      !scan.initial             ? 0U
                      : scan.initial_of_nothing ? 2U
                                                : 1U,
                      constant(whole_vectors),
                      constant(scan.in_place),
                      blocks,
                      constant(scans_late(scan)),
                      constant(starts_in_order(device)),
                      constant(shuffles_need_barriers(device))};
    if (segmented) {
        pass.constants.insert(pass.constants.end(),
                              {static_cast<std::uint32_t>(scan.segments.kind) - 1, scan.segments.key_words,
                               constant(scan.segment_ends), segments.on_gpu});
    }
    // What nothing adds to is written too.
    pass.dispatch = Dispatch::elements(scan.count, tile, scan.total || scan.segment_ends ? 1 : 0);
    if (is_instrumented) {
        instrument(pass, scan.faults, zeroed_counters(graph, scan.counters));
    }
    pass.bindings.insert(pass.bindings.end(), scan.fused.begin(), scan.fused.end());
    graph.add_pass(std::move(pass));
}

} // namespace weir
