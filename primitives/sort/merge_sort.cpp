#include <weir/primitives/merge_sort.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/strings.hpp"
#include "primitives/kernel/argument.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/fields.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/precise.hpp"

namespace weir {

namespace {

struct MergeSortInterface {
#include "shaders/sort/merge_sort_interface.h"
};

using detail::MergeSortRequest;
using Interface = MergeSortInterface;

constexpr const char* primitive = "merge sort";
// Maximum number of keys: indices one run beyond the end must fit 32 bits.
constexpr std::uint32_t max_keys = 1U << 30;
// Minimum workgroup size: these invocations search for the ends of a tile.
constexpr std::uint32_t least_workgroup = 64;
// Bytes of workgroup memory in addition to the tile.
constexpr std::uint32_t other_memory = 64;
// Maximum keys per tile: places within a tile fit 16 bits.
constexpr std::uint32_t max_tile = 1U << 16;
// Workgroup size of the search for the beginnings of tiles; small, so that a few tiles occupy many multiprocessors.
constexpr std::uint32_t split_workgroup = 32;

bool refuse(Graph& graph, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(primitive, ": ", why)});
    return false;
}

bool check_order(Graph& graph, const MergeSortRequest& request) {
    const Comparator& order = *request.order;
    if (order.expression.empty()) {
        return refuse(graph, ErrorCode::invalid_argument, "the comparator has no expression");
    }
    const auto writes = [](const FusedBuffer& buffer) { return buffer.binding.access != Access::shader_read; };
    if (std::any_of(order.buffers.begin(), order.buffers.end(), writes)) {
        return refuse(graph, ErrorCode::invalid_argument, "the buffers of a comparator must be read-only");
    }
    if (!order.fields.empty()) {
        const auto words = words_of_fields(order.fields, graph.capabilities());
        if (!words) {
            return refuse(graph, words.error().code, concat("comparator '", order.name, "': ", words.error().message));
        }
        if (*words != request.element.words()) {
            return refuse(graph, ErrorCode::invalid_argument,
                          concat("keys have ", request.element.words(), " words, the fields of comparator '",
                                 order.name, "' have ", *words));
        }
    }
    return check_values(graph, primitive, order.values);
}

bool check(Graph& graph, const MergeSortRequest& request) {
    const std::uint32_t most = request.count.max, key_words = request.element.words();
    if (most > max_keys) {
        return refuse(graph, ErrorCode::limit_exceeded, concat(most, " keys; at most ", max_keys, " can be sorted"));
    }
    const auto has_room = [&](const CheckedBuffer& buffer, std::uint32_t words) {
        return !buffer.buffer.valid() || check_room(graph, primitive, buffer, most, words);
    };
    if (!check_room(graph, primitive, {"the keys' buffer", request.keys, request.key_capacity}, most, key_words) ||
        !has_room({"the output's keys' buffer", request.output_keys, request.output_key_capacity}, key_words) ||
        !has_room({"the values' buffer", request.values, request.value_capacity}, request.value_words) ||
        !has_room({"the output's values' buffer", request.output_values, request.output_value_capacity},
                  request.value_words)) {
        return false;
    }
    const auto unless = [](BufferId buffer, BufferId output) { return buffer == output ? BufferId{} : buffer; };
    std::vector<BufferId> seen{unless(request.keys, request.output_keys), buffer_of(request.count)};
    if (request.values.valid()) {
        seen.push_back(unless(request.values, request.output_values));
    }
    for (const FusedBuffer& buffer : request.order->buffers) {
        seen.push_back(BufferId{buffer.binding.resource});
    }
    const BufferId written[] = {request.output_keys, request.output_values};
    return check_apart(graph, primitive, written, seen) && check_order(graph, request);
}

std::uint32_t tile_bytes(const MergeSortTuning& shape, std::uint32_t key_words) {
    const std::uint32_t tile = shape.workgroup * shape.keys_per_invocation;
    return (tile * key_words + (key_words - 1) * (32 / key_words)) * 4 + other_memory; // as in merge_sort_tile.glsl
}

/// Returns the maximum number of key words per invocation for which a tile takes at most `bytes`, and fits the device's
/// workgroup memory.
std::uint32_t words_that_fit(const Capabilities& device, std::uint32_t workgroup, std::uint32_t bytes) {
    constexpr std::uint32_t padding = 32 * 4;
    return (std::min(bytes, device.max_workgroup_memory) - padding - other_memory) / (workgroup * 4);
}

/// Chooses the kernel shape. On GPUs large tiles are faster for few keys, because they need fewer merges. Small tiles
/// are faster for many keys, because more of them run at the same time. An invocation has an odd number of keys, or one
/// or two.
MergeSortTuning choose_shape(const Capabilities& device, const MergeSortRequest& request) {
    const bool is_cpu = device.kind == DeviceKind::cpu; // CPU drivers compile slowly for many keys per invocation
    const std::uint32_t key_words = request.element.words();
    const bool has_large_tiles = !is_cpu && key_words <= 2 && request.count.max <= 1U << 20;
    const std::uint32_t bytes = is_cpu ? 16384 : has_large_tiles ? 40960 : 24576;
    MergeSortTuning shape = request.tuning;
    if (shape.workgroup > device.max_workgroup_invocations) {
        return shape; // refused by check_shape
    }
    if (shape.workgroup == 0) {
        shape.workgroup = std::bit_floor(std::min(has_large_tiles ? 512U : 256U, device.max_workgroup_invocations));
        while (words_that_fit(device, shape.workgroup, bytes) < key_words) {
            shape.workgroup /= 2;
        }
    }
    if (shape.keys_per_invocation == 0) {
        const std::uint32_t keys = words_that_fit(device, shape.workgroup, bytes) / key_words;
        const std::uint32_t chosen = std::clamp(keys, 1U, is_cpu ? 7U : 9U);
        shape.keys_per_invocation = chosen > 2 && chosen % 2 == 0 ? chosen - 1 : chosen;
    }
    if (shape.splits_from == 0) {
        shape.splits_from = is_cpu ? 256 : 2048; // the number of tiles whose searches wait for memory at the same time
    }
    return shape;
}

bool check_shape(Graph& graph, const MergeSortTuning& shape, std::uint32_t key_words) {
    const Capabilities& device = graph.capabilities();
    const std::uint32_t most = device.max_workgroup_invocations;
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < least_workgroup || shape.workgroup > most ||
        shape.keys_per_invocation > 64) {
        return refuse(graph, ErrorCode::invalid_argument,
                      shape.keys_per_invocation > 64
                          ? concat(shape.keys_per_invocation, " keys per invocation; at most 64 are supported")
                          : concat("a workgroup of ", shape.workgroup, " invocations; powers of two from ",
                                   least_workgroup, " to ", most, " are supported"));
    }
    if (shape.workgroup * shape.keys_per_invocation > max_tile) {
        return refuse(graph, ErrorCode::invalid_argument,
                      concat("tiles of ", shape.workgroup * shape.keys_per_invocation, " keys; at most ", max_tile,
                             " are supported"));
    }
    return tile_bytes(shape, key_words) <= device.max_workgroup_memory ||
           refuse(graph, ErrorCode::limit_exceeded,
                  concat("the shape requires ", tile_bytes(shape, key_words),
                         " bytes of workgroup memory; the device's limit is ", device.max_workgroup_memory));
}

/// Returns the number of places that one step of the search for the beginning of a tile tests, with `tiles` tiles. For
/// few searches many places per step are fastest, because fewer loads wait for each other. For many searches one place
/// per step is cheapest, because it loads less. The tested keys are held in registers, which limits their number.
std::uint32_t probes_of_step(std::uint32_t tiles, std::uint32_t key_words) {
    const std::uint32_t ways = std::clamp(std::bit_floor(65536 / std::max(1U, tiles)), 2U, 8U);
    return std::min(ways - 1, std::max(1U, 14 / key_words));
}

ShaderSource kernel(const MergeSortRequest& request, const char* file) {
    const Comparator& order = *request.order;
    Argument key = argument_of(request.element);
    std::string structure;
    if (!order.fields.empty()) {
        const FieldsGlsl fields = fields_glsl(order.fields);
        key = {"Key", fields.from_words};
        structure = concat(fields.extensions, "struct Key {\n", fields.members, "};\n");
    }
    const char* words = order.fields.empty() ? "item" : "words";
    return ShaderSource::glsl(
        concat(glsl_version(), declare_values(order.values), "#define KEY_WORDS ", request.element.words(),
               "\n#include <weir/", file, ">\n", declare_buffers(order.buffers, Interface::SEEN_BINDING, "Seen"),
               structure, with_lines(with_precise_functions(order.functions), order.name + ".functions"),
               "precise bool custom_before(", key.type, " a, ", key.type, " b) {\n    return",
               with_lines(order.expression, order.name), ";\n}\n", key.type, " sort_key(uint ", words,
               "[KEY_WORDS]) {\n    return ", key.type, "(", key.value, ");\n}\n",
               "bool before(uint a[KEY_WORDS], uint b[KEY_WORDS]) {\n    return custom_before(sort_key(a), "
               "sort_key(b));\n}\n"),
        primitive);
}

/// Keys and their values.
struct Arrays {
    BufferId keys, values;
};

/// Adds the passes of a request that was checked.
class MergeSort {
public:
    MergeSort(Graph& graph, const MergeSortRequest& request, const MergeSortTuning& shape)
        : graph_(graph), request_(request), shape_(shape), tile_(shape.workgroup * shape.keys_per_invocation),
          tiles_(divide_up(std::max(1U, request.count.max), tile_)),
          merges_(static_cast<std::uint32_t>(std::bit_width(tiles_ - 1))), output_{request.output_keys,
                                                                                   request.output_values} {
        if (merges_ > 0) {
            const std::uint32_t most = std::max(1U, request.count.max);
            between_ = {scratch("keys between merges", most * request.element.words()),
                        request.value_words > 0 ? scratch("values between merges", most * request.value_words)
                                                : BufferId{}};
        }
        if (merges_ > 0 && tiles_ >= shape.splits_from) {
            splits_ = scratch("splits", tiles_ + 1); // the last one is read, but not used
        }
    }

    void add() {
        add_tiles();
        for (std::uint32_t merge = 0; merge < merges_; ++merge) {
            const bool to_output = (merges_ - merge) % 2 != 0;
            const Arrays &from = to_output ? between_ : output_, &to = to_output ? output_ : between_;
            if (splits_.valid()) {
                add_splits(merge, from);
            }
            add_merge(merge, from, to);
        }
    }

private:
    BufferId scratch(const char* name, std::uint32_t words) {
        return graph_.transient_buffer<std::uint32_t>(concat(primitive, " ", name), words);
    }

    [[nodiscard]] Binding or_unused(BufferId buffer, Binding (*access)(ResourceId)) const {
        return buffer.valid() ? access(buffer) : unused(output_.keys);
    }

    [[nodiscard]] Interface constants() const {
        return {.WORKGROUP = shape_.workgroup,
                .ITEMS = shape_.keys_per_invocation,
                .VALUE_WORDS = request_.value_words,
                .HAS_MERGES = merges_ > 0,
                .SPLITS_KNOWN = splits_.valid(),
                .PROBES = probes_of_step(tiles_, request_.element.words())};
    }

    /// Returns a pass with one workgroup per `per_group` keys. Bindings that the caller does not set are unused.
    Pass pass(const char* file, std::uint32_t merge, std::string name, const Interface& constants,
              std::uint32_t per_group) {
        Pass pass = kernel_pass(std::move(name), kernel(request_, file));
        pass.bindings.assign(Interface::SEEN_BINDING, unused(output_.keys));
        set_constants(pass, constants);
        add_count(pass, request_.count, request_.keys, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
        push_words(pass, {merges_, merge});
        pass.dispatch = Dispatch::elements(request_.count, per_group);
        return pass;
    }

    void add(Pass pass) {
        for (const FusedBuffer& buffer : request_.order->buffers) {
            pass.bindings.push_back(buffer.binding);
        }
        push_values(pass, request_.order->values);
        graph_.add_pass(std::move(pass));
    }

    void add_tiles() {
        const bool keys_in_place = request_.keys == output_.keys;
        const bool values_in_place = request_.values.valid() && request_.values == output_.values;
        Interface of_tiles = constants();
        of_tiles.INDICES = request_.indices;
        of_tiles.KEYS_IN_PLACE = keys_in_place;
        of_tiles.VALUES_IN_PLACE = values_in_place;
        Pass tiles = pass("merge_sort_tiles.glsl", 0, concat(primitive, ": tiles"), of_tiles, tile_);
        set_bindings(
            tiles, {{Interface::KEYS_BINDING, keys_in_place ? unused(output_.keys) : read(request_.keys)},
                    {Interface::VALUES_BINDING, or_unused(values_in_place ? BufferId{} : request_.values, read)},
                    {Interface::SORTED_KEYS_BINDING, keys_in_place ? read_write(output_.keys) : write(output_.keys)},
                    {Interface::SORTED_VALUES_BINDING, or_unused(output_.values, values_in_place ? read_write : write)},
                    {Interface::BETWEEN_KEYS_BINDING, or_unused(between_.keys, write)},
                    {Interface::BETWEEN_VALUES_BINDING, or_unused(between_.values, write)}});
        add(std::move(tiles));
    }

    /// Adds a pass in which each invocation searches for the beginning of one tile.
    void add_splits(std::uint32_t merge, const Arrays& from) {
        Interface of_splits = constants();
        of_splits.WORKGROUP = split_workgroup;
        of_splits.ITEMS = tile_ / split_workgroup; // keeps the tile size
        Pass splits = pass("merge_sort_splits.glsl", merge, concat(primitive, ": splits ", merge), of_splits,
                           tile_ * split_workgroup);
        set_bindings(splits, {{Interface::KEYS_BINDING, read(from.keys)}, {Interface::SPLITS_BINDING, write(splits_)}});
        add(std::move(splits));
    }

    void add_merge(std::uint32_t merge, const Arrays& from, const Arrays& to) {
        Pass runs = pass("merge_sort_runs.glsl", merge, concat(primitive, ": merge ", merge), constants(), tile_);
        set_bindings(runs, {{Interface::KEYS_BINDING, read(from.keys)},
                            {Interface::VALUES_BINDING, or_unused(from.values, read)},
                            {Interface::SORTED_KEYS_BINDING, write(to.keys)},
                            {Interface::SORTED_VALUES_BINDING, or_unused(to.values, write)},
                            {Interface::SPLITS_BINDING, or_unused(splits_, read)}});
        add(std::move(runs));
    }

    Graph& graph_;
    const MergeSortRequest& request_;
    MergeSortTuning shape_;
    std::uint32_t tile_;   ///< keys per tile
    std::uint32_t tiles_;  ///< for the maximum number of keys
    std::uint32_t merges_; ///< for this number of tiles
    Arrays output_, between_;
    BufferId splits_; ///< valid if separate passes search for the splits
};

} // namespace

void detail::add_merge_sort(Graph& graph, const MergeSortRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const std::uint32_t key_words = request.element.words();
    const MergeSortTuning shape = choose_shape(graph.capabilities(), request);
    if (check_shape(graph, shape, key_words)) {
        MergeSort(graph, request, shape).add();
    }
}

} // namespace weir
