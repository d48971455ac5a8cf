#include <weir/primitives/histogram.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <weir/primitives/fill.hpp>

#include "primitives/kernel/argument.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/expression.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/kernel/windows.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct HistogramInterface {
#include "shaders/elementwise/histogram_interface.h"
};

constexpr std::uint32_t max_bins = 1U << 28;
constexpr std::uint32_t max_items = 0U - (1U << 20); // positions a little past the end must fit in 32 bits

/// Range and scale of even bins, in the form that the kernel takes. For floats, `range` is the upper bound.
struct EvenBins {
    std::uint32_t range = 0;
    std::uint32_t scale[2]{};
};

/// Bounds of even bins of floats.
struct FloatBounds {
    float lower = 0, upper = 0;
};

FloatBounds float_bounds(const Bins& bins) {
    return {std::bit_cast<float>(bins.lower), std::bit_cast<float>(bins.upper)};
}

/// Returns true if the scale of even bins of floats, count / (upper - lower), is not a normal float. It is 0 if the
/// range is infinite, and a device may flush it to 0 if it is subnormal. Elements and bounds are then divided by 16
/// first.
bool is_wide(const Bins& bins) {
    const auto [lower, upper] = float_bounds(bins);
    return bins.kind == Bins::Kind::even && bins.type.scalar == Scalar::f32 &&
           !std::isnormal(static_cast<float>(bins.count) / (upper - lower));
}

EvenBins even_bins(const Bins& bins) {
    if (bins.type.scalar == Scalar::f32) {
        const auto [lower, upper] = float_bounds(bins);
        const float unit = is_wide(bins) ? 0.0625F : 1.0F;
        const float range = upper * unit - lower * unit;
        return {
            bins.upper,
            {std::bit_cast<std::uint32_t>(static_cast<float>(bins.count) / range), std::bit_cast<std::uint32_t>(unit)}};
    }
    const std::uint32_t range = bins.upper - bins.lower;
    const std::uint64_t scale = (std::uint64_t{bins.count} << 32) / range;
    return {range, {static_cast<std::uint32_t>(scale), static_cast<std::uint32_t>(scale >> 32)}};
}

/// Returns the shortest decimal number that reads back as the float, in every locale.
std::string text_of(float number) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

using detail::HistogramRequest;

/// Returns the number of words of an element with several channels, otherwise 1.
std::uint32_t item_words(const HistogramRequest& request) {
    return request.channels > 1 ? request.element.words() : 1;
}

/// Returns the total number of bins of all channels that are counted.
std::uint64_t all_bins(const HistogramRequest& request) {
    return std::uint64_t{request.bins->count} * request.active_channels;
}

bool refuse(Graph& graph, const HistogramRequest& request, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(request.name, ": ", why)});
    return false;
}

bool check_edges(Graph& graph, const HistogramRequest& request, const Bins& bins) {
    if (bins.edges.count.kind != Count::Kind::constant) {
        return refuse(graph, request, ErrorCode::invalid_argument, "the number of edges must be a constant");
    }
    if (bins.edges.count.max != bins.count + 1) {
        return refuse(graph, request, ErrorCode::invalid_argument,
                      concat(bins.edges.count.max, " edges; ", bins.count, " bins require one edge more than bins"));
    }
    if (request.number.scalar != bins.type.scalar) {
        return refuse(graph, request, ErrorCode::invalid_argument, "edges must have the type of the elements");
    }
    return check_room(graph, request.name, {"the edges' buffer", bins.edges.buffer, bins.edges.capacity},
                      bins.edges.count.max, 1);
}

bool check_even(Graph& graph, const HistogramRequest& request, const Bins& bins) {
    const auto mistake = [&](const std::string& why) {
        return refuse(graph, request, ErrorCode::invalid_argument, why);
    };
    if (request.number.scalar != bins.type.scalar) {
        return mistake("even bins must have the type of the elements");
    }
    const auto empty = [&](const std::string& lower, const std::string& upper) {
        return mistake(concat("even bins of [", lower, ", ", upper, "): the range is empty"));
    };
    if (bins.type.scalar == Scalar::i32) {
        const auto lower = std::bit_cast<std::int32_t>(bins.lower), upper = std::bit_cast<std::int32_t>(bins.upper);
        return lower < upper || empty(concat(lower), concat(upper));
    }
    if (bins.type.scalar != Scalar::f32) {
        return bins.lower < bins.upper || empty(concat(bins.lower), concat(bins.upper));
    }
    const auto [lower, upper] = float_bounds(bins);
    if (!std::isfinite(lower) || !std::isfinite(upper)) {
        return mistake(concat("even bins of [", text_of(lower), ", ", text_of(upper), "): the bounds must be finite"));
    }
    if (!(lower < upper)) {
        return empty(text_of(lower), text_of(upper));
    }
    constexpr float least_width = std::numeric_limits<float>::min();
    const double width = (double{upper} - double{lower}) / bins.count;
    return width >= least_width ||
           mistake(concat(bins.count, " even bins of [", text_of(lower), ", ", text_of(upper), ") are narrower than ",
                          text_of(least_width), ", the minimum normal float"));
}

bool check_bins(Graph& graph, const HistogramRequest& request, const Bins& bins) {
    const auto invalid = ErrorCode::invalid_argument;
    if (!check_enum(graph, request.name, "Bins::Kind", bins.kind, Bins::Kind::edges)) {
        return false;
    }
    if (bins.count == 0 || bins.count > max_bins) {
        return refuse(graph, request, bins.count == 0 ? invalid : ErrorCode::limit_exceeded,
                      concat(bins.count, " bins; 1 to ", max_bins, " are supported"));
    }
    if (bins.kind == Bins::Kind::custom) {
        return check_expression(graph, request.name, bins.expression);
    }
    if (request.number.words() != 1) {
        return refuse(graph, request, invalid,
                      concat("elements have ", request.number.words(), " words; bins of this kind require 1"));
    }
    if (bins.kind == Bins::Kind::even && !check_even(graph, request, bins)) {
        return false;
    }
    const std::uint32_t bits = 32 - static_cast<std::uint32_t>(std::countl_zero(bins.count - 1));
    if (bins.kind == Bins::Kind::digit && !std::has_single_bit(bins.count)) {
        return refuse(graph, request, invalid, concat("a digit requires a power of two of bins, not ", bins.count));
    }
    if (bins.kind == Bins::Kind::digit && (bits == 0 || bins.shift > 32 - bits)) {
        return refuse(graph, request, invalid,
                      concat("bits ", bins.shift, " to ", std::uint64_t{bins.shift} + bits,
                             " are not a digit; elements have bits 0 to 32"));
    }
    return bins.kind != Bins::Kind::edges || check_edges(graph, request, bins);
}

/// Checks that the bins of all channels are compatible; fails the graph if not.
bool check_channels(Graph& graph, const HistogramRequest& request) {
    const std::uint32_t active = request.active_channels;
    if (active == 0 || active > request.channels) {
        return refuse(graph, request, ErrorCode::invalid_argument,
                      concat("bins for ", active, " channels; elements have ", request.channels, " channels"));
    }
    const Bins* end = request.bins + active;
    const auto differs = [&](const Bins& bins) {
        return bins.kind != request.bins->kind || bins.count != request.bins->count;
    };
    if (std::any_of(request.bins, end, differs)) {
        return refuse(graph, request, ErrorCode::invalid_argument,
                      "the bins of all channels must have the same kind and number");
    }
    const auto kind = request.bins->kind;
    return request.channels == 1 || kind == Bins::Kind::even || kind == Bins::Kind::edges ||
           kind == Bins::Kind::bytes ||
           refuse(graph, request, ErrorCode::invalid_argument,
                  "bins of several channels must be even, between edges or of bytes");
}

bool check(Graph& graph, const HistogramRequest& request) {
    const std::uint32_t words = request.element.words();
    const std::uint64_t most = request.large_count != 0 ? request.large_count : request.count.max;
    const bool is_large = exceeds_binding(graph, {request.input});
    if (!check_room(graph, request.name, {"the input", request.input, request.input_capacity, is_large}, most, words) ||
        !check_channels(graph, request)) {
        return false;
    }
    std::vector<BufferId> seen{request.input, buffer_of(request.count)};
    for (std::uint32_t channel = 0; channel < request.active_channels; ++channel) {
        const Bins& bins = request.bins[channel];
        if (!check_bins(graph, request, bins)) {
            return false;
        }
        seen.push_back(bins.kind == Bins::Kind::edges ? bins.edges.buffer : BufferId{});
        for (const FusedBuffer& buffer : bins.expression.buffers) {
            seen.push_back(BufferId{buffer.binding.resource});
        }
    }
    if (!check_room(graph, request.name, {"the counts' buffer", request.counts, request.counts_capacity},
                    all_bins(request), request.wide ? 2 : 1)) {
        return false;
    }
    if (is_large && request.bins->kind == Bins::Kind::custom) {
        return refuse(graph, request, ErrorCode::limit_exceeded,
                      concat("the input exceeds ", graph.capabilities().max_storage_range,
                             " bytes (maxStorageBufferRange), which is not supported with custom bins"));
    }
    const std::uint32_t limit = request.bins->kind == Bins::Kind::bytes ? 1U << 30 : max_items / item_words(request);
    if (most >= limit && !is_large) {
        return refuse(graph, request, ErrorCode::limit_exceeded,
                      concat(most, " elements; less than ", limit, " are supported"));
    }
    return check_apart(graph, request.name, {&request.counts, 1}, seen);
}

/// Returns the kernel shape for the device and the size of the input. `copies` is 0 if the bins do not fit in workgroup
/// memory.
HistogramTuning choose_shape(const Capabilities& device, const HistogramRequest& request) {
    constexpr std::uint32_t enough_words = 2048; // with more, fewer workgroups would run on a multiprocessor
    constexpr std::uint32_t beside = 64;         // bytes for all other variables
    HistogramTuning shape = request.tuning;
    const auto bins = static_cast<std::uint32_t>(all_bins(request));
    if (shape.workgroup == 0) {
        shape.workgroup = std::bit_floor(std::min(512U, device.max_workgroup_invocations));
    }
    if (shape.group_items == 0) {
        shape.group_items = counting_share(device, request.count.max, shape.workgroup * 4);
        if (device.kind != DeviceKind::cpu) {
            // A workgroup must count enough elements to outweigh adding its counters to the totals, for which
            // workgroups contend.
            const std::uint32_t n = std::min(request.count.max, 1U << 31);
            shape.group_items = std::clamp(std::max(std::bit_ceil(n / 256), std::min(8192U, std::bit_ceil(n / 64))),
                                           shape.workgroup * 4, 1U << 18);
        }
    }
    const std::uint32_t fit = (device.max_workgroup_memory - beside) / 4 / bins;
    if (shape.copies == 0) {
        shape.copies = std::clamp(enough_words / bins, 1U, std::max(1U, shape.workgroup / 32));
    }
    shape.copies = std::min(shape.copies, fit);
    return shape;
}

ShaderSource kernel(const HistogramRequest& request) {
    if (request.bins->kind != Bins::Kind::custom) {
        return ShaderSource::packed(shaders::histogram, request.name);
    }
    const std::uint32_t words = request.element.words();
    const Argument x = argument_of(request.element);
    std::string loads;
    for (std::uint32_t w = 0; w < words; ++w) {
        loads += concat("    item[", w, "] = in_words[i * ", words, " + ", w, "];\n");
    }
    return ShaderSource::glsl(concat(glsl_version(), declare_values(request.bins->expression.values),
                                     "#define CUSTOM_BIN\n#include <weir/histogram.glsl>\n",
                                     expression_glsl(request.bins->expression, request.element, "uint", "expression",
                                                     HistogramInterface::FIRST_SEEN_BINDING),
                                     "void count_item(uint i) {\n    uint item[", words, "];\n", loads,
                                     "    count_bin(expression(", x.type, "(", x.value, "), i));\n}\n"),
                              request.name);
}

std::uint32_t classifier_of(const HistogramRequest& request) {
    switch (request.bins->kind) {
    case Bins::Kind::digit: return HistogramInterface::CLASSIFIER_DIGITS;
    case Bins::Kind::bytes: return HistogramInterface::CLASSIFIER_BYTES;
    case Bins::Kind::edges: return HistogramInterface::CLASSIFIER_EDGES;
    default:
        return request.bins->type.scalar != Scalar::f32 ? HistogramInterface::CLASSIFIER_INTEGERS
               : std::any_of(request.bins, request.bins + request.active_channels, is_wide)
                   ? HistogramInterface::CLASSIFIER_WIDE_FLOATS
                   : HistogramInterface::CLASSIFIER_FLOATS;
    }
}

/// Returns the push constants that only this kernel has.
std::vector<PushWord> push_of(const HistogramRequest& request, std::uint32_t group_words) {
    std::vector<PushWord> push{group_words, request.bins->count};
    if (request.bins->kind == Bins::Kind::custom) {
        return push;
    }
    constexpr std::uint32_t most_channels = 4;
    std::vector<PushWord> lowers, ranges, scales;
    for (std::uint32_t channel = 0; channel < most_channels; ++channel) {
        const bool is_even = channel < request.active_channels && request.bins->kind == Bins::Kind::even;
        const EvenBins even = is_even ? even_bins(request.bins[channel]) : EvenBins{};
        lowers.emplace_back(is_even ? request.bins[channel].lower : 0U);
        ranges.emplace_back(even.range);
        scales.insert(scales.end(), {even.scale[0], even.scale[1]});
    }
    for (const auto& words : {scales, lowers, ranges}) {
        push.insert(push.end(), words.begin(), words.end());
    }
    push.emplace_back(request.bins->shift);
    return push;
}

void bind_edges(Pass& pass, const HistogramRequest& request) {
    using Interface = HistogramInterface;
    const auto edges_of = [&](std::uint32_t channel) {
        return request.bins->kind == Bins::Kind::edges && channel < request.active_channels
                   ? read(request.bins[channel].edges.buffer)
                   : unused(request.input);
    };
    set_bindings(pass, {{Interface::EDGES_BINDING, edges_of(0)},
                        {Interface::SECOND_EDGES_BINDING, edges_of(1)},
                        {Interface::THIRD_EDGES_BINDING, edges_of(2)},
                        {Interface::FOURTH_EDGES_BINDING, edges_of(3)}});
}

/// Sets the counts to 0.
void clear_counts(Graph& graph, const HistogramRequest& request) {
    const std::uint64_t words = all_bins(request) * (request.wide ? 2 : 1);
    detail::add_fill(graph, {.name = "fill",
                             .element = element_type<std::uint32_t>,
                             .count = static_cast<std::uint32_t>(words),
                             .output = request.counts,
                             .capacity = words});
}

/// Adds the passes of a request that was checked. `adds`: the counts of earlier windows are kept.
void add_passes(Graph& graph, const HistogramRequest& request, bool adds) {
    const Capabilities& device = graph.capabilities();
    const HistogramTuning shape = choose_shape(device, request);
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup > device.max_workgroup_invocations ||
        shape.group_items % 4 != 0 || shape.group_items > 1U << 18) {
        refuse(graph, request, ErrorCode::invalid_argument,
               shape.group_items % 4 != 0 || shape.group_items > 1U << 18
                   ? concat(shape.group_items, " elements per workgroup; multiples of 4 up to 2^18 are supported")
                   : concat("a workgroup of ", shape.workgroup, " invocations; powers of two up to ",
                            device.max_workgroup_invocations, " are supported"));
        return;
    }
    const Bins& bins = *request.bins;
    const auto counters = static_cast<std::uint32_t>(all_bins(request));
    const bool fits = shape.copies != 0;
    if (!fits && !adds) {
        clear_counts(graph, request);
    }
    Pass pass = kernel_pass(request.name, kernel(request));
    const bool alone = request.count.max <= shape.group_items;
    Binding totals = unused(request.counts);
    if (fits && !alone) {
        totals = read_write(
            graph.state_buffer<std::uint32_t>("histogram totals", HistogramInterface::FIRST_TOTAL + counters));
    }
    using Interface = HistogramInterface;
    set_bindings(pass, {{Interface::INPUT_BINDING, read(request.input)},
                        {Interface::OUTPUT_BINDING, fits && !adds ? write(request.counts) : read_write(request.counts)},
                        {Interface::TOTALS_BINDING, totals}});
    set_constants(pass, Interface{.WORKGROUP = shape.workgroup,
                                  .CLASSIFIER = classifier_of(request),
                                  .COPIES = shape.copies,
                                  .COUNTERS = fits ? shape.copies * counters : 1,
                                  .ALONE = alone,
                                  .NUMBERS = key_numbers(bins.type.scalar),
                                  .CHANNELS = request.channels,
                                  .ACTIVE_CHANNELS = request.active_channels,
                                  .ITEM_WORDS = item_words(request),
                                  .ADDS = adds,
                                  .WIDE = request.wide});
    add_count(pass, request.count, request.input, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
    const auto push = push_of(request, shape.group_items * item_words(request));
    pass.push.insert(pass.push.end(), push.begin(), push.end());
    if (bins.kind == Bins::Kind::custom) {
        for (const FusedBuffer& buffer : bins.expression.buffers) {
            pass.bindings.push_back(buffer.binding);
        }
        push_values(pass, bins.expression.values);
    } else {
        bind_edges(pass, request);
    }
    pass.dispatch = Dispatch::elements(request.count, shape.group_items, fits ? 1 : 0);
    graph.add_pass(std::move(pass));
}

} // namespace

void detail::add_histogram(Graph& graph, const HistogramRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    if (!exceeds_binding(graph, {request.input})) {
        add_passes(graph, request, false);
        return;
    }
    const std::uint32_t words = request.element.words();
    for (const Window& window :
         divide_into_windows(graph, request.name, request.count, request.large_count, words).each) {
        HistogramRequest part = request;
        part.count = window.count;
        part.input = part_of(graph, request.input, window, words).buffer;
        add_passes(graph, part, window.first != 0);
    }
}

} // namespace weir
