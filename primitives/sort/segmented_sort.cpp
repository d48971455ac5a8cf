#include <weir/primitives/segmented_sort.hpp>

#include <algorithm>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/shapes.hpp"
#include "primitives/scan/scan_pass.hpp"
#include "primitives/sort/long_segments.hpp"
#include "primitives/sort/radix_tile.hpp"
#include "primitives/sort/rank_sort.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

/// Constants and bindings of shaders/sort/segmented_sort.comp that are not in RadixTileInterface.
struct SegmentedSortInterface {
#include "shaders/sort/segmented_sort_interface.h"
};

using detail::SegmentedSortRequest;

constexpr const char* primitive = "segmented sort";
constexpr std::uint32_t most_keys_per_invocation = 16;
constexpr std::uint32_t usual_keys_per_invocation = 8; // fewer would increase the cost of a pass per key
constexpr std::uint32_t enough_workgroups = 512;       // to fill a device
constexpr std::uint32_t tile_segments = radix;         // maximum, because the number of a segment is a digit

struct Shape {
    SubgroupChoice subgroup;
    std::uint32_t workgroup = 0;
    std::uint32_t rows = 0; ///< maximum number of subgroups
    std::uint32_t keys_per_invocation = 0;
    std::uint32_t rounds = 0;
    std::uint32_t segments = 0; ///< per workgroup

    [[nodiscard]] std::uint32_t tile() const { return workgroup * keys_per_invocation; }
};

bool are_at_offsets(const SegmentedSortRequest& request) {
    return request.segments.kind == Segments::Kind::offsets;
}

bool are_rows(const SegmentedSortRequest& request) {
    return request.segments.kind == Segments::Kind::rows;
}

/// Returns the maximum length of segments of one length, limited to the number of keys.
std::uint32_t length_of(const SegmentedSortRequest& request) {
    return std::min(are_rows(request) ? request.segments.variable_length.max : request.segments.length,
                    request.capacity);
}

/// Returns the length of segments; for segments at offsets, the mean length.
std::uint32_t usual_length(const SegmentedSortRequest& request) {
    const std::uint32_t most = std::max(1U, request.segments.max_segments(request.capacity));
    return are_at_offsets(request) ? divide_up(request.capacity, most) : length_of(request);
}

/// Returns the maximum length of a segment.
std::uint32_t longest_of(const SegmentedSortRequest& request) {
    return !are_at_offsets(request) ? length_of(request) : request.longest != 0 ? request.longest : request.capacity;
}

/// Chooses the kernel shape by device and segments. Most segments should fit a tile, and the tiles should fill the
/// device.
Shape choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, const SegmentedSortRequest& request) {
    const SegmentedSortTuning& tuning = request.tuning;
    const bool pairs = request.value_words != 0 || key_form(request.key).words > 1;
    const KernelShape& alone =
        row_for(kernel_shapes(device, pairs ? ShapeKernel::sort_pairs : ShapeKernel::sort_keys), 1);
    const std::uint32_t usual = usual_length(request);
    const std::uint64_t longest = !are_at_offsets(request) ? usual
                                  : request.longest != 0   ? request.longest
                                                           : std::uint64_t{usual} * 4;
    Shape shape;
    shape.subgroup = subgroup;
    shape.workgroup = tuning.workgroup;
    if (shape.workgroup == 0) {
        shape.workgroup =
            std::min({alone.workgroup, max_workgroup(device, subgroup), most_counter_rows(device) * subgroup.least});
    }
    if (shape.workgroup > max_workgroup(device, subgroup)) {
        return shape; // refused by check_tile
    }
    shape.rows = std::max(1U, shape.workgroup / subgroup.least);
    shape.keys_per_invocation = tuning.keys_per_invocation;
    if (shape.keys_per_invocation == 0) {
        shape.keys_per_invocation = most_keys_per_invocation;
        const auto halves = [&] {
            const std::uint32_t half = shape.tile() / 2;
            const bool has_spare_keys = half >= std::uint64_t{tile_segments} * usual;
            return shape.keys_per_invocation > 1 && half >= longest &&
                   (shape.keys_per_invocation > usual_keys_per_invocation || has_spare_keys ||
                    request.capacity / shape.tile() < enough_workgroups);
        };
        while (halves()) {
            shape.keys_per_invocation /= 2;
        }
    }
    shape.rounds = rounds_for(shape.tile(), pool_words(device, shape.rows));
    shape.segments = tuning.segments;
    if (shape.segments == 0) {
        // Lengths of segments at offsets vary. Leave some space, or the last segment of a workgroup would often not fit
        // the tile.
        const std::uint32_t room = are_at_offsets(request) ? shape.tile() / 8 * 7 : shape.tile();
        shape.segments = std::clamp(room / std::max(1U, usual), 1U, tile_segments);
    }
    return shape;
}

bool check(Graph& graph, const SegmentedSortRequest& request) {
    const auto kind = request.segments.kind;
    if (!(are_rows(request) ? check_rows(graph, primitive, request.segments, request.capacity)
                            : check_segments(graph, primitive, request.segments, request.capacity))) {
        return false;
    }
    if (kind != Segments::Kind::length && kind != Segments::Kind::offsets && kind != Segments::Kind::rows) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": segments must be of one length or at offsets")});
        return false;
    }
    if (request.local_indices && !request.indices) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": .local_indices requires .want_indices")});
        return false;
    }
    return check_sort(graph, primitive, request) &&
           check_enum(graph, primitive, "RadixRanks", request.tuning.ranks, RadixRanks::checked);
}

bool check(Graph& graph, const SegmentedSortRequest& request, const Shape& shape) {
    if (!check_tile(graph, primitive, shape.subgroup, shape.workgroup, shape.keys_per_invocation)) {
        return false;
    }
    // The numbers of a workgroup's segments must fit 32 bits, also beyond the last segment.
    constexpr std::uint32_t most_segments = 1U << 30, most_in_a_group = 1U << 12;
    const std::uint32_t segments = request.segments.max_segments(request.capacity);
    if (segments > most_segments) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(primitive, ": ", segments, " segments; at most ", most_segments, " are supported")});
        return false;
    }
    if (shape.segments > most_in_a_group) {
        graph.fail(
            {ErrorCode::limit_exceeded, concat(primitive, ": ", shape.segments, " segments per workgroup; at most ",
                                               most_in_a_group, " are supported")});
        return false;
    }
    return true;
}

/// Returns the number of keys that a segment must exceed to be sorted by the whole device. One workgroup sorts a
/// shorter one: it takes less time than several dispatches, or other segments keep the device busy.
std::uint32_t least_long_keys(const SegmentedSortRequest& request, const Shape& shape) {
    constexpr std::uint32_t tiles = 2; // more take one workgroup longer than the dispatches
    const std::uint32_t wanted = request.tuning.long_keys;
    return std::max(shape.tile(),
                    wanted != 0 ? wanted : std::max(tiles * shape.tile(), request.capacity / enough_workgroups));
}

/// Returns whether segments are listed for the whole device in case that they are long. If the maximum length is not
/// known, only sorts whose time exceeds that of a few empty dispatches by far look for long segments.
bool looks_for_long(const SegmentedSortRequest& request, std::uint32_t least_keys) {
    constexpr std::uint32_t many_keys = 1U << 22, long_mean = 1024;
    return (are_at_offsets(request) || are_rows(request)) && request.segments.count.max > 0 &&
           std::min(longest_of(request), request.capacity) > least_keys &&
           (are_rows(request) || request.longest != 0 || request.tuning.long_keys != 0 ||
            request.capacity >= many_keys || usual_length(request) > long_mean);
}

bool same(BufferId a, BufferId b) {
    return a.valid() && a == b;
}

/// Returns whether each key is compared with all keys of its segment, in one dispatch.
bool is_by_ranks(const Graph& graph, const SegmentedSortRequest& request) {
    const SegmentedSortTuning& tuning = request.tuning;
    const std::uint64_t most = most_comparisons(graph.capabilities(), tuning.max_comparisons,
                                                tuning == SegmentedSortTuning{}, request.end_bit / radix_bits);
    const std::uint64_t keys = request.capacity;
    const std::uint64_t segments = request.segments.max_segments(request.capacity);
    // Each workgroup reads all offsets.
    const bool are_few = !are_at_offsets(request) || tuning.max_comparisons != 0 || keys * segments <= most / 4;
    return !same(request.keys, request.output_keys) && !same(request.values, request.output_values) && are_few &&
           keys * longest_of(request) <= most;
}

/// Scratch of sorts of long segments.
struct Scratch {
    SortItems between;
    BufferId other_keys; ///< if there are no output keys
};

/// Returns new transients of the size of the input.
Scratch add_scratch(Graph& graph, const SegmentedSortRequest& request) {
    const auto transient = [&](const char* name, std::uint32_t words) {
        return words == 0 ? BufferId{} : graph.transient_buffer<std::uint32_t>(name, request.capacity * words);
    };
    const std::uint32_t key_words = key_form(request.key).words;
    return {{transient("segmented sort keys between passes", key_words),
             transient("segmented sort values between passes", request.value_words)},
            transient("unused segmented sort keys", request.output_keys.valid() ? 0 : key_words)};
}

/// Adds the pass of a request that was checked. `scratch` is set if a segment can be longer than a tile. `list` is set
/// if the pass lists the longest segments.
void add_pass(Graph& graph, const SegmentedSortRequest& request, const Shape& shape, const Scratch* scratch,
              const LongSegments* list) {
    const KeyForm form = key_form(request.key);
    SortDigits by = digits_of(request, form);
    if (by.digits.empty()) {
        by.add_empty();
    }
    const bool at_offsets = are_at_offsets(request);
    const bool has_long_ones = scratch != nullptr;
    const bool keys_in_place = same(request.keys, request.output_keys);
    const bool values_in_place = same(request.values, request.output_values);

    // A buffer that stands in for a written one must also be written by the pass.
    const BufferId written = request.output_keys.valid() ? request.output_keys : request.output_values;
    const auto written_first = [&](BufferId buffer) { return buffer.valid() ? write_first(buffer) : unused(written); };
    const Scratch between = has_long_ones ? *scratch : Scratch{};
    const auto output = [&](BufferId buffer, bool in_place) {
        return !buffer.valid() ? unused(written)
               : in_place      ? read_write(buffer)
               : has_long_ones ? write_first(buffer)
                               : write(buffer);
    };
    const Packed& shader = has_long_ones ? shaders::segmented_sort_long : shaders::segmented_sort;
    Pass pass = kernel_pass(primitive, shader, shape.subgroup);
    using Interface = SegmentedSortInterface;
    using Tile = RadixTileInterface;
    const Binding sorted_keys =
        request.output_keys.valid() ? output(request.output_keys, keys_in_place) : written_first(between.other_keys);
    set_bindings(pass, {{Tile::KEYS_BINDING, keys_in_place ? unused(request.keys) : read(request.keys)},
                        {Tile::SORTED_KEYS_BINDING, sorted_keys},
                        {Tile::VALUES_BINDING,
                         request.values.valid() && !values_in_place ? read(request.values) : unused(request.keys)},
                        {Tile::SORTED_VALUES_BINDING, output(request.output_values, values_in_place)},
                        {Interface::OFFSETS_BINDING, at_offsets ? read(request.segments.buffer) : unused(request.keys)},
                        {Interface::BETWEEN_KEYS_BINDING, written_first(between.between.keys)},
                        {Interface::BETWEEN_VALUES_BINDING, written_first(between.between.values)}});
    if (has_long_ones) {
        set_bindings(pass,
                     {{Interface::TOTALS_BINDING, list != nullptr ? read_write(list->totals) : unused(written)},
                      {Interface::SEGMENT_TILES_BINDING, list != nullptr ? write(list->tiles) : unused(written)}});
    }
    set_constants(pass, Tile{.WORKGROUP = shape.workgroup,
                             .SUBGROUP = shape.subgroup.known,
                             .KEYS_PER_INVOCATION = shape.keys_per_invocation,
                             .ROUNDS = shape.rounds,
                             .ROWS = shape.rows,
                             .KEY_WORDS = form.words,
                             .FLOAT_KEYS = form.floating,
                             .WRITES_KEYS = request.output_keys.valid(),
                             .VALUE_WORDS = request.value_words,
                             .INDICES = request.indices,
                             .RANKS = tile_ranks(graph, request.tuning.ranks, by, form,
                                                 request.value_words != 0 || shape.segments > 1),
                             .SHUFFLE_BARRIERS = graph.capabilities().shuffles_need_barriers()});
    set_constants(pass, Interface{.KEYS_IN_PLACE = keys_in_place,
                                  .VALUES_IN_PLACE = values_in_place,
                                  .AT_OFFSETS = at_offsets,
                                  .GROUP_SEGMENTS = shape.segments,
                                  .END_GIVEN = request.segments.end_given,
                                  .LOCAL_INDICES = request.local_indices,
                                  .LISTS_LONG = list != nullptr,
                                  .BY_ROWS = are_rows(request)});
    add_count(pass, are_rows(request) ? request.segments.count : request.count, request.keys, Tile::COUNTS_BINDING,
              &Tile::COUNT_ON_GPU);
    push_words(pass, {by.first_bit, by.end_bit, by.flips[0], by.flips[1], static_cast<std::uint32_t>(by.digits.size()),
                      by.low_passes});
    add_count(pass,
              at_offsets          ? request.segments.count
              : are_rows(request) ? request.segments.variable_length
                                  : Count(length_of(request)),
              request.keys, Interface::SEGMENT_COUNT_BINDING, &Interface::SEGMENT_COUNT_ON_GPU);
    if (list != nullptr) {
        push_words(pass, {list->least_keys, list->shape.tile(), list->max_tiles, list->max_segments});
    } else if (has_long_ones) {
        push_words(pass, {0U, 0U, 0U, 0U});
    }
    if (at_offsets || are_rows(request)) {
        pass.dispatch = Dispatch::elements(request.segments.count, shape.segments);
    } else {
        const std::uint64_t group_keys = std::uint64_t{length_of(request)} * shape.segments;
        pass.dispatch =
            Dispatch::elements(request.count, static_cast<std::uint32_t>(std::min<std::uint64_t>(group_keys, ~0U)));
    }
    graph.add_pass(std::move(pass));
}

} // namespace

void detail::add_segmented_sort(Graph& graph, const SegmentedSortRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const SubgroupChoice subgroup = choose_subgroup(graph, primitive, request.tuning.subgroup_size);
    const Shape shape = choose_shape(graph.capabilities(), subgroup, request);
    if (!check(graph, request, shape)) {
        return;
    }
    if (is_by_ranks(graph, request)) {
        add_rank_sort(graph, "segmented sort by ranks", request, key_form(request.key),
                      {.from = {request.keys, request.values},
                       .to = {request.output_keys, request.output_values},
                       .segments = request.segments,
                       .longest = longest_of(request),
                       .has_local_indices = request.local_indices});
        return;
    }
    const std::uint32_t least_keys = least_long_keys(request, shape);
    const bool lists = looks_for_long(request, least_keys);
    const bool all_are_long = request.segments.kind == Segments::Kind::length && length_of(request) > least_keys;
    LongSegments segments;
    if (lists || all_are_long) {
        segments = choose_long_segments(graph, subgroup, request, lists, least_keys);
        if (!check_long_segments(graph, request, segments)) {
            return;
        }
        add_list(graph, request, segments);
    }
    const bool is_longer = longest_of(request) > shape.tile();
    const Scratch scratch = is_longer ? add_scratch(graph, request) : Scratch{};
    if (!all_are_long) {
        add_pass(graph, request, shape, is_longer ? &scratch : nullptr, lists ? &segments : nullptr);
    }
    if (lists || all_are_long) {
        add_long_segments(graph, request, segments, scratch.between, scratch.other_keys);
    }
}

} // namespace weir
