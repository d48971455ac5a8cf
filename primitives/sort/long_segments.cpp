#include "primitives/sort/long_segments.hpp"

#include <algorithm>
#include <utility>

#include "weir_shaders.hpp"

namespace weir {

namespace {

struct HistogramInterface {
#include "shaders/sort/segment_histogram_interface.h"
};

struct PlanInterface {
#include "shaders/sort/radix_plan_interface.h"
};

using detail::SegmentedSortRequest;

/// Returns the digits of the sort. There is at least one.
SortDigits digits_of_segments(const SegmentedSortRequest& request) {
    SortDigits by = digits_of(request, key_form(request.key));
    if (by.digits.empty()) {
        by.add_empty();
    }
    return by;
}

/// Returns the tiles of a segment of one length.
std::uint32_t tiles_of_segment(const SegmentedSortRequest& request, const LongSegments& segments) {
    return divide_up(std::min(request.segments.length, request.capacity), segments.shape.tile());
}

/// Returns a dispatch of a workgroup per tile.
Dispatch dispatch_of_tiles(Graph& graph, const SegmentedSortRequest& request, const LongSegments& segments,
                           std::uint32_t at_least) {
    if (segments.listed) {
        return Dispatch::elements(graph.count_in(segments.totals, PlanInterface::LISTED_TILES, segments.max_tiles), 1);
    }
    const std::uint32_t length = std::min(request.segments.length, request.capacity);
    return Dispatch::elements(request.count, length / tiles_of_segment(request, segments), at_least);
}

} // namespace

LongSegments choose_long_segments(const Graph& graph, const SubgroupChoice& subgroup,
                                  const SegmentedSortRequest& request, bool listed, std::uint32_t least_keys) {
    const Capabilities& device = graph.capabilities();
    const KeyForm form = key_form(request.key);
    LongSegments segments{.listed = listed, .least_keys = least_keys};
    segments.shape = choose_sweep_shape(device, subgroup, request.tuning.sweeps,
                                        sweep_row(device, sort_kernel(request, form), request.capacity), form);
    const std::uint32_t most = request.segments.max_segments(request.capacity);
    segments.max_segments = listed ? std::min(most, request.capacity / (least_keys + 1)) : most;
    // 0: the tile is refused later.
    const std::uint32_t tile = std::max(1U, segments.shape.tile());
    segments.max_tiles =
        listed ? request.capacity / tile + segments.max_segments : most * tiles_of_segment(request, segments);
    return segments;
}

bool check_long_segments(Graph& graph, const SegmentedSortRequest& request, const LongSegments& segments) {
    // A segment has totals of each pass, which take as much memory as the states of that number of tiles.
    const std::uint64_t totals = std::uint64_t{segments.max_segments} * (digits_of_segments(request).digits.size() + 1);
    return check_sweeps(graph, "segmented sort", segments.shape, request.tuning.sweeps, request.capacity,
                        std::max<std::uint64_t>(segments.max_tiles, totals));
}

void add_list(Graph& graph, const SegmentedSortRequest& request, LongSegments& segments) {
    const auto passes = static_cast<std::uint32_t>(digits_of_segments(request).digits.size());
    const std::uint32_t totals =
        PlanInterface::FIRST_SEGMENT + segments.max_segments * (HistogramInterface::FIRST_TOTAL + passes * radix);
    // The histogram leaves zeros behind, unless a count on the GPU changes while it runs.
    if (segments.listed || request.count.kind == Count::Kind::gpu) {
        segments.totals = graph.transient_buffer<std::uint32_t>("segmented sort digit totals", totals);
        graph.add_fill("segmented sort: clear totals", segments.totals, 0);
    } else {
        segments.totals = graph.state_buffer<std::uint32_t>("segmented sort digit totals", totals);
    }
    segments.tiles = graph.transient_buffer<std::uint32_t>(
        "segmented sort tiles", PlanInterface::TILE_LIST_WORDS + segments.max_tiles * PlanInterface::TILE_ENTRY_WORDS);
}

void add_long_segments(Graph& graph, const SegmentedSortRequest& request, const LongSegments& segments,
                       const SortItems& between, BufferId other_keys) {
    const KeyForm form = key_form(request.key);
    const SortDigits by = digits_of_segments(request);
    const SweepShape& shape = segments.shape;
    const auto passes = static_cast<std::uint32_t>(by.digits.size());
    const auto plan = graph.transient_buffer<std::uint32_t>("segmented sort digit starts",
                                                            segments.max_segments * passes * (radix + 1));
    // In place, an even number of sweeps ends in the input buffers. An odd number starts with a copy, which is a sweep
    // by no bits.
    const auto same = [](BufferId a, BufferId b) { return a.valid() && a == b; };
    const bool in_place = same(request.keys, request.output_keys) || same(request.values, request.output_values);
    const std::uint32_t copies = in_place ? passes % 2 : 0, sweeps = copies + passes;
    BufferId states[2];
    for (std::uint32_t i = 0; i < std::min(sweeps, 2U); ++i) {
        states[i] = graph.transient_buffer<std::uint32_t>(
            "segmented sort tile states", LibraryInterface::WEIR_FIRST_ENTRY + segments.max_tiles * radix);
    }

    using Interface = HistogramInterface;
    Pass histogram = kernel_pass("segmented sort histogram", shaders::radix_histogram_segments, shape.subgroup);
    set_bindings(histogram, {{Interface::KEYS_BINDING, read(request.keys)},
                             {Interface::TOTALS_BINDING, read_write(segments.totals)},
                             {Interface::PLAN_BINDING, write(plan)},
                             {Interface::TILE_STATE_BINDING, write(states[0])},
                             {Interface::SEGMENT_TILES_BINDING,
                              segments.listed ? read_write(segments.tiles) : write(segments.tiles)}});
    const Capabilities& device = graph.capabilities();
    const std::uint32_t copies_of_counters = device.max_workgroup_memory < 32768 ? 1 : passes > 4 ? 2 : 4;
    set_constants(histogram, Interface{.WORKGROUP = std::min(512U, max_workgroup(device, shape.subgroup)),
                                       .SUBGROUP = shape.subgroup.known,
                                       .PASSES = passes,
                                       .LOW_PASSES = by.low_passes,
                                       .COPIES = copies_of_counters,
                                       .KEY_WORDS = form.words,
                                       .FLOAT_KEYS = form.floating,
                                       .LISTED = segments.listed});
    add_count(histogram, segments.listed ? Count(request.capacity) : request.count, request.keys,
              Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
    push_words(histogram, {by.first_bit, by.end_bit, by.flips[0], by.flips[1], shape.tile(), segments.max_tiles});
    if (segments.listed) {
        push_words(histogram, {0U, 0U});
    } else {
        push_words(histogram,
                   {std::min(request.segments.length, request.capacity), tiles_of_segment(request, segments)});
    }
    histogram.dispatch = dispatch_of_tiles(graph, request, segments, 1);
    graph.add_pass(std::move(histogram));

    // Sweeps alternate between these two. The last one writes to the target.
    const SortItems target{request.output_keys, request.output_values};
    const SortItems turning{target.keys.valid() ? target.keys : other_keys, target.values};
    SortItems from{request.keys, request.values};
    for (std::uint32_t i = 0; i < sweeps; ++i) {
        const bool last = i + 1 == sweeps, is_copy = i < copies;
        const SortItems to = last ? target : (sweeps - 1 - i) % 2 == 0 ? turning : between;
        const std::uint32_t number = is_copy ? 0 : i - copies;
        Pass sweep = sweep_pass(graph, shape, request, form, shaders::radix_sweep_segments,
                                {.from = from,
                                 .to = to,
                                 .plan = plan,
                                 .states = states[i % 2],
                                 .next_states = last ? BufferId{} : states[(i + 1) % 2],
                                 .segment_tiles = segments.tiles,
                                 .digit = is_copy ? Digit{} : by.digits[number],
                                 .pass = number,
                                 .order = is_copy ? 0 : sweep_order(shape, request, form, number),
                                 .reads_numbers = form.floating && i == 0,
                                 .writes_numbers = form.floating && last,
                                 .makes_indices = request.indices && i == 0,
                                 .has_local_indices = request.local_indices,
                                 .digit_tables = passes,
                                 .max_tiles = segments.max_tiles});
        sweep.dispatch = dispatch_of_tiles(graph, request, segments, 0);
        graph.add_pass(std::move(sweep));
        from = to;
    }
}

} // namespace weir
