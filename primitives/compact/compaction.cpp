#include <weir/primitives/detail/compaction_request.hpp>
#include <weir/primitives/predicate.hpp>

#include <algorithm>
#include <bit>

#include "engine/base/strings.hpp"
#include "primitives/kernel/argument.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/instrument.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/kernel/predicate.hpp"
#include "primitives/kernel/shapes.hpp"
#include "primitives/kernel/windows.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct CompactionInterface {
#include "shaders/compact/compaction_interface.h"
};

using detail::CompactionRequest;
using Classifier = CompactionRequest::Classifier;

constexpr std::uint32_t max_rows = 32;

bool counts_runs(const CompactionRequest& request) {
    return request.lengths.valid();
}

/// Returns RANKS of compaction.glsl: the number of values counted per element.
std::uint32_t ranks_of(const CompactionRequest& request) {
    return request.parts.size() == 3 || counts_runs(request) || request.classifier == Classifier::order ? 2 : 1;
}

std::uint32_t stride_of(const CompactionRequest& request, WordLayout layout) {
    return layout.stride != 0 ? layout.stride : request.element.words();
}

/// Checks that elements follow each other without gaps from offset 0, in input and output.
bool is_dense(const CompactionRequest& request) {
    const auto dense = [&](WordLayout layout) {
        return layout.offset == 0 && stride_of(request, layout) == request.element.words();
    };
    return dense(request.input_layout) && dense(request.output_layout);
}

/// Returns the capacity of part `p` in elements, at most the maximum count.
std::uint32_t room_of(const CompactionRequest& request, std::size_t p) {
    const CompactionRequest::Part& part = request.parts[p];
    std::uint64_t room = request.count.max;
    if (part.items.valid()) {
        room = std::min(room, elements_in(part.item_words, request.element.words(), request.output_layout));
    }
    if (part.indices.valid()) {
        room = std::min(room, part.index_words);
    }
    if (request.value_words != 0) {
        room = std::min(room, request.output_value_capacity);
    }
    if (counts_runs(request)) {
        room = std::min<std::uint64_t>(room, request.lengths.capacity);
    }
    return static_cast<std::uint32_t>(room);
}

/// Returns the capacity of the outputs of a compaction in windows, in elements.
std::uint64_t large_room(const CompactionRequest& request) {
    const CompactionRequest::Part& part = request.parts.front();
    const std::uint64_t first_end = std::uint64_t{request.output_layout.offset} + request.element.words();
    std::uint64_t room = ~std::uint64_t{0};
    if (part.items.valid()) {
        room = part.item_words < first_end
                   ? 0
                   : (part.item_words - first_end) / stride_of(request, request.output_layout) + 1;
    }
    return part.indices.valid() ? std::min(room, part.index_words) : room;
}

/// Returns whether the compaction runs in windows: a buffer is too large for a binding, and its kind supports it.
bool is_large(const Graph& graph, const CompactionRequest& request) {
    const bool is_supported = request.parts.size() == 1 && ranks_of(request) == 1 && request.value_words == 0 &&
                              !request.index_map.valid() &&
                              (request.classifier == Classifier::comparison ||
                               request.classifier == Classifier::flags || request.classifier == Classifier::bits);
    return is_supported && (request.large_total.valid() ||
                            exceeds_binding(graph, {request.input, request.flags, request.parts.front().items,
                                                    request.parts.front().indices}));
}

bool refuse(Graph& graph, const CompactionRequest& request, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(request.name, ": ", why)});
    return false;
}

/// Checks what only compactions in windows require.
bool check_large(Graph& graph, const CompactionRequest& request) {
    const auto too_large = [&](const char* why) {
        return refuse(graph, request, ErrorCode::limit_exceeded,
                      concat("a buffer exceeds ", graph.capabilities().max_storage_range,
                             " bytes (maxStorageBufferRange), which ", why));
    };
    if (!graph.capabilities().buffer_address) {
        const char* why = " require buffer addresses (bufferDeviceAddress), which the device does not support";
        return refuse(graph, request, ErrorCode::limit_exceeded,
                      request.large_total.valid()
                          ? concat("large buffers", why)
                          : concat("buffers of more than ", graph.capabilities().max_storage_range,
                                   " bytes (maxStorageBufferRange)", why));
    }
    if (request.classifier == Classifier::comparison && !request.predicates.empty() &&
        !request.predicates.front()->comparison) {
        return too_large("is not supported for predicates that are expressions");
    }
    return !request.parts.front().indices.valid() || request.large_count <= ~0U ||
           refuse(graph, request, ErrorCode::limit_exceeded,
                  concat(request.large_count, " elements; indices have 32 bits, which is enough for ", ~0U));
}

bool check_predicates(Graph& graph, const CompactionRequest& request) {
    const auto invalid = ErrorCode::invalid_argument;
    if (request.classifier != Classifier::comparison) {
        return true;
    }
    if (request.predicates.empty() || request.predicates.size() > 2) {
        return refuse(graph, request, invalid, concat(request.predicates.size(), " predicates; 1 or 2 are supported"));
    }
    for (const Predicate* predicate : request.predicates) {
        if (!check_predicate(graph, request.name, *predicate, request.element)) {
            return false;
        }
        if (predicate->comparison.has_value() != request.predicates.front()->comparison.has_value()) {
            return refuse(graph, request, invalid,
                          "one predicate is an expression and the other a comparison; both must be of the same kind");
        }
    }
    return true;
}

bool check(Graph& graph, const CompactionRequest& request) {
    const auto invalid = ErrorCode::invalid_argument;
    const std::uint64_t n = request.large_count != 0 ? request.large_count : request.count.max;
    const std::uint32_t words = request.element.words();
    const bool large = is_large(graph, request);
    if (stride_of(request, request.output_layout) < words) {
        return refuse(graph, request, invalid, concat("elements have ", words, " words, which exceeds their stride"));
    }
    if (!check_layout(graph, request.name, {"the input", request.input_words, words, request.input_layout, large}, n)) {
        return false;
    }
    if (request.classifier == Classifier::flags || request.classifier == Classifier::bits) {
        const bool bits = request.classifier == Classifier::bits;
        const std::uint64_t flags = bits ? divide_up(request.count.max, 32) : n;
        const char* what = bits ? "the buffer of bit words" : "the flags' buffer";
        if (!check_room(graph, request.name, {what, request.flags, request.flags.capacity}, flags, 1)) {
            return false;
        }
    }
    if (request.value_words != 0 &&
        !check_room(graph, request.name, {"the values' buffer", request.values, request.value_capacity}, n,
                    request.value_words)) {
        return false;
    }
    if (!request.large_total.valid() && (!request.counts.valid() || request.counts.capacity < request.parts.size())) {
        return refuse(
            graph, request, invalid,
            concat("the buffer of counts must have a capacity of at least ", request.parts.size(), " elements"));
    }
    std::vector<BufferId> written{request.counts, request.large_total, request.output_values, request.lengths};
    for (const CompactionRequest::Part& part : request.parts) {
        written.insert(written.end(), {part.items, part.indices});
    }
    const BufferId only_read[] = {request.input, request.flags, request.values, buffer_of(request.count)};
    return check_apart(graph, request.name, written, only_read) && check_predicates(graph, request) &&
           (!large || check_large(graph, request));
}

/// Returns the kernel shape for the device and the size of the input.
CompactionTuning choose_shape(const Capabilities& device, const SubgroupChoice& subgroup,
                              const CompactionRequest& request) {
    CompactionTuning shape = request.tuning;
    if (shape.workgroup > max_workgroup(device, subgroup) || shape.rows > max_rows) {
        return shape; // refused by the caller
    }
    const std::uint32_t words = request.element.words();
    const ShapeKernel kernel = request.classifier == Classifier::heads ? ShapeKernel::runs
                               : request.parts.size() > 1              ? ShapeKernel::partition
                                                                       : ShapeKernel::select;
    const KernelShape& best = kernel_shape(device, kernel, std::uint64_t{request.count.max} * words);
    if (shape.workgroup == 0) {
        shape.workgroup = std::min(best.workgroup, max_workgroup(device, subgroup));
    }
    if (shape.max_spins == 0) {
        shape.max_spins = best.max_spins;
    }
    if (shape.rows == 0) {
        shape.rows = std::clamp(best.items / words, 1U, max_rows);
        while (shape.rows * words < 64 && shape.rows < max_rows &&
               divide_up(request.count.max, shape.workgroup * shape.rows) > max_tiles) {
            shape.rows *= 2;
        }
    }
    return shape;
}

ShaderSource custom_kernel(const CompactionRequest& request, bool is_instrumented) {
    const Argument x = argument_of(request.element);
    std::string text = glsl_version();
    if (is_instrumented) {
        text += "#define INSTRUMENTED\n";
    }
    std::vector<FusedValue> values;
    for (const Predicate* predicate : request.predicates) {
        values.insert(values.end(), predicate->values.begin(), predicate->values.end());
    }
    text += concat(declare_values(values), "#define RANKS ", ranks_of(request), "\n#define ITEM_WORDS ",
                   request.element.words(), "\n#define CUSTOM_PREDICATE\n#include <weir/compact.glsl>\n");
    std::uint32_t binding = CompactionInterface::INSTRUMENT_BINDING + (is_instrumented ? 1 : 0);
    std::string parts;
    for (std::size_t p = 0; p < request.predicates.size(); ++p) {
        const Predicate& predicate = *request.predicates[p];
        text += predicate_glsl(predicate, request.element, concat("predicate_", p), concat("Seen", p, "_"), binding);
        binding += static_cast<std::uint32_t>(predicate.buffers.size());
        parts += concat("    ", p == 0 ? "" : "else ", "if (part == ", p, ") {\n        holds = predicate_", p, "(",
                        x.type, "(", x.value, "), i);\n    }\n");
    }
    text += concat("bool predicate(uint part, uint i) {\n    bool holds = false;\n", parts, "    return holds;\n}\n");
    return ShaderSource::glsl(text, request.name);
}

ShaderSource choose_kernel(const CompactionRequest& request, Classifier classifier, bool is_instrumented,
                           bool in_window) {
    if (in_window && !is_instrumented) {
        return ShaderSource::packed(shaders::compact_large, request.name);
    }
    if (classifier == Classifier::custom) {
        return custom_kernel(request, is_instrumented);
    }
    const std::uint32_t ranks = ranks_of(request);
    const bool heads = classifier == Classifier::heads;
    if (is_instrumented) {
        return ShaderSource::glsl(concat(glsl_version(), in_window ? "#define LARGE\n" : "",
                                         "#define INSTRUMENTED\n#define RANKS ", ranks,
                                         heads ? "\n#include <weir/runs.glsl>\n" : "\n#include <weir/compact.glsl>\n"),
                                  request.name);
    }
    using namespace shaders;
    const Packed& one = heads ? runs_1 : compact_1;
    const Packed& two = heads ? runs_2 : compact_2;
    return ShaderSource::packed(ranks == 2 ? two : one, request.name);
}

/// A window of a large compaction.
struct CompactionWindow {
    std::uint32_t number = 0;
    std::uint32_t first_index = 0;
    std::uint64_t room = 0; ///< capacity of the outputs in elements
    BufferId places;        ///< place of the first item of each window, 64 bits each
};

/// Returns the pass. With `window`, `request` has the parts of the inputs that are in the window, and its outputs are
/// stored by address.
Pass make_pass(Graph& graph, const CompactionRequest& request, const CompactionTuning& shape,
               const SubgroupChoice& subgroup, const CompactionWindow* window = nullptr) {
    const Capabilities& device = graph.capabilities();
    const bool is_instrumented = instrumented(graph);
    const bool runs = counts_runs(request);
    Classifier classifier = request.classifier;
    if (classifier == Classifier::comparison && !request.predicates.front()->comparison) {
        classifier = Classifier::custom;
    }
    const std::uint32_t tiles = divide_up(request.count.max, shape.workgroup * shape.rows);
    const auto states =
        graph.state_buffer<std::uint32_t>("compaction tile states", tile_state_words(tiles, 2 * ranks_of(request)));
    const auto written = [&](BufferId buffer) {
        return buffer.valid() && window == nullptr ? write(buffer) : unused(states);
    };
    const auto part = [&](std::size_t p) {
        return p < request.parts.size() ? request.parts[p] : CompactionRequest::Part{};
    };
    const BufferId beside = request.flags.valid() ? request.flags.id : request.values;
    bool has_room = true;
    for (std::size_t p = 0; p < request.parts.size(); ++p) {
        has_room = has_room && room_of(request, p) == request.count.max;
    }

    Pass pass =
        kernel_pass(request.name, choose_kernel(request, classifier, is_instrumented, window != nullptr), subgroup);
    using Interface = CompactionInterface;
    set_bindings(
        pass, {{Interface::INPUT_BINDING, read(request.input)},
               {Interface::FLAGS_BINDING, beside.valid() ? read(beside) : unused(states)}, // or VALUES_BINDING
               {Interface::TILE_STATE_BINDING, read_write(states)},
               {Interface::PART_COUNTS_BINDING, window != nullptr ? read_write(window->places) : write(request.counts)},
               {Interface::FIRST_ITEMS_BINDING, written(part(0).items)},
               {Interface::SECOND_ITEMS_BINDING, written(part(1).items)},
               {Interface::THIRD_ITEMS_BINDING, written(part(2).items)},
               {Interface::FIRST_INDICES_BINDING, written(part(0).indices)},
               {Interface::SECOND_INDICES_BINDING,
                request.index_map.valid() ? read(request.index_map) : written(part(1).indices)},
               {Interface::THIRD_INDICES_BINDING, written(part(2).indices)}});
    if (runs) {
        set_bindings(pass, {{Interface::LENGTHS_BINDING, write(request.lengths)}});
    } else if (request.value_words != 0) {
        set_bindings(pass, {{Interface::OUTPUT_VALUES_BINDING, written(request.output_values)}});
    }
    const Predicate none = {};
    const auto predicate = [&](std::size_t p) -> const Predicate& {
        return p < request.predicates.size() ? *request.predicates[p] : none;
    };
    const auto comparison = [&](std::size_t p) {
        return predicate(p).comparison.value_or(request.descending ? Comparison::greater : Comparison::equal);
    };
    set_constants(pass, Interface{.WORKGROUP = shape.workgroup,
                                  .SUBGROUP = subgroup.known,
                                  .ROWS = shape.rows,
                                  .MAX_SPINS = shape.max_spins,
                                  .ITEM_WORDS = request.element.words(),
                                  .CLASSIFIER = classifier,
                                  .FIRST_COMPARISON = comparison(0),
                                  .NUMBERS = key_numbers(request.element.scalar),
                                  .PARTS = request.parts.size(),
                                  .VALUE_WORDS = request.value_words,
                                  .WRITES_ITEMS = part(0).items.valid(),
                                  .WRITES_INDICES = part(0).indices.valid(),
                                  .REPEATED_ONLY = request.repeated_only,
                                  .IN_DISPATCH_ORDER = device.workgroups_start_in_order,
                                  .SHUFFLE_BARRIERS = device.shuffles_need_barriers(),
                                  .SECOND_COMPARISON = comparison(1),
                                  .HAS_ROOM = has_room,
                                  .DENSE = is_dense(request),
                                  .MAPS_INDICES = request.index_map.valid()});
    if (window != nullptr) {
        for (const BufferId output : {part(0).items, part(0).indices}) {
            if (output.valid()) {
                pass.addressed.push_back(write(output));
            }
        }
        pass.push.resize(2 * (2 - pass.addressed.size()), 0U); // instead of the other addresses
    }
    add_count(pass, request.count, states, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
    push_layouts(pass, request.element.words(), request.input_layout, request.output_layout);
    if (window != nullptr) {
        push_words(pass, {static_cast<std::uint32_t>(window->room), static_cast<std::uint32_t>(window->room >> 32),
                          window->number * CompactionInterface::PLACE_STRIDE, window->first_index});
    } else {
        for (std::size_t p = 0; p < 3; ++p) {
            push_words(pass, {p < request.parts.size() ? room_of(request, p) : 0});
        }
    }
    for (std::size_t p = 0; p < 2; ++p) {
        push_words(pass, {predicate(p).number[0], predicate(p).number[1]});
    }
    pass.dispatch = Dispatch::elements(request.count, shape.workgroup * shape.rows, request.counts_nothing ? 1 : 0);
    if (is_instrumented) {
        add_instrument(graph, pass);
    }
    for (const Predicate* seeing : request.predicates) {
        for (const FusedBuffer& buffer : seeing->buffers) {
            pass.bindings.push_back(buffer.binding);
        }
        push_values(pass, seeing->values);
    }
    return pass;
}

/// Returns the shape. Returns nothing and fails the graph if the device cannot run it.
std::optional<CompactionTuning> checked_shape(Graph& graph, const CompactionRequest& request,
                                              const SubgroupChoice& subgroup) {
    const Capabilities& device = graph.capabilities();
    const CompactionTuning shape = choose_shape(device, subgroup, request);
    const std::uint32_t most = max_workgroup(device, subgroup);
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < subgroup.least || shape.workgroup > most) {
        refuse(graph, request, ErrorCode::invalid_argument,
               concat("a workgroup of ", shape.workgroup, " invocations; powers of two from ", subgroup.least, " to ",
                      most, " are supported"));
        return std::nullopt;
    }
    if (shape.rows < 1 || shape.rows > max_rows) {
        refuse(graph, request, ErrorCode::invalid_argument,
               concat(shape.rows, " rows; 1 to ", max_rows, " are supported"));
        return std::nullopt;
    }
    const std::uint64_t tile = std::uint64_t{shape.workgroup} * shape.rows;
    const std::uint64_t tiles = (request.count.max + tile - 1) / tile;
    if (tiles > max_tiles || tiles * tile > std::uint64_t{1} << 32) {
        refuse(graph, request, ErrorCode::limit_exceeded,
               tiles > max_tiles
                   ? concat(request.count.max, " elements are ", tiles, " tiles of ", tile, "; at most ", max_tiles,
                            " can be chained")
                   : concat(request.count.max, " elements; the last tile of ", tile, " would end beyond element 2^32"));
        return std::nullopt;
    }
    const auto starts = static_cast<std::uint32_t>(std::min<std::uint64_t>(tile, CompactionInterface::MOST_STARTS) + 1);
    const std::uint32_t more_bytes = request.classifier == Classifier::heads ? 4 * starts : 0;
    if (!check_workgroup_memory(graph, request.name, shape.workgroup, subgroup, ranks_of(request), more_bytes)) {
        return std::nullopt;
    }
    return shape;
}

/// Selects from each window. It continues at the place where the window before ends.
void add_windows(Graph& graph, const CompactionRequest& request, const SubgroupChoice& subgroup) {
    const std::uint32_t words = request.element.words(), stride = stride_of(request, request.input_layout);
    const bool bits = request.classifier == Classifier::bits;
    const Windows windows =
        divide_into_windows(graph, request.name, request.count, request.large_count, stride, bits ? 32 : 1);
    const auto count = static_cast<std::uint32_t>(windows.each.size());
    if (count == 0) {
        return;
    }
    constexpr std::uint32_t slot = 2 * CompactionInterface::PLACE_STRIDE; // words
    const auto places = graph.transient_buffer<std::uint32_t>("places of windows", slot * (count + 1));
    graph.add_fill("first place", places, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Window& window = windows.each[i];
        CompactionRequest part = request;
        const WindowPart input = part_of(graph, request.input, window, words, request.input_layout);
        part.count = window.count;
        part.input = input.buffer;
        part.input_layout = input.layout;
        if (request.flags.valid()) {
            const Window flags = bits ? Window{window.first / 32, divide_up(window.count.max, 32)} : window;
            part.flags.id = part_of(graph, request.flags, flags, 1).buffer;
        }
        const auto shape = checked_shape(graph, part, subgroup);
        if (!shape) {
            return;
        }
        const CompactionWindow place{i, static_cast<std::uint32_t>(window.first), large_room(request), places};
        graph.add_pass(make_pass(graph, part, *shape, subgroup, &place));
    }
    const auto total = graph.part(places, slot * count, slot);
    if (request.large_total.valid()) {
        graph.add_copy("number of selected elements", total, request.large_total, 8);
    } else {
        graph.add_copy("number of selected elements", total, request.counts, 4);
    }
}

} // namespace

std::vector<std::uint32_t> detail::add_compaction(Graph& graph, const CompactionRequest& request) {
    std::vector<std::uint32_t> room(request.parts.size());
    if (!check(graph, request)) {
        return room;
    }
    const SubgroupChoice subgroup = choose_subgroup(graph, request.name, request.tuning.subgroup_size);
    if (is_large(graph, request)) {
        add_windows(graph, request, subgroup);
        room[0] = static_cast<std::uint32_t>(
            std::min({std::uint64_t{request.count.max}, large_room(request), std::uint64_t{~0U}}));
        return room;
    }
    if (const auto shape = checked_shape(graph, request, subgroup)) {
        graph.add_pass(make_pass(graph, request, *shape, subgroup));
    }
    for (std::size_t p = 0; p < room.size(); ++p) {
        room[p] = room_of(request, p);
    }
    return room;
}

} // namespace weir
