#include <weir/primitives/scan.hpp>

#include <algorithm>
#include <string>

#include "engine/base/strings.hpp"
#include "primitives/kernel/built_in.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/monoid.hpp"
#include "primitives/kernel/windows.hpp"
#include "primitives/scan/scan_pass.hpp"

namespace weir {

namespace {

ShaderSource choose_kernel(const TypeKernels& kernels, bool segmented, const ScanKernel& kernel) {
    if (!kernel.is_common()) {
        return built_in_scan_kernel(kernels, segmented, kernel);
    }
    const Packed* plain = kernel.states == testing::TileStates::packed ? kernels.packed_scan : kernels.scan;
    return ShaderSource::packed(segmented ? *kernels.segmented_scan : *plain, "scan");
}

/// Returns the maximum number of elements of the input.
std::uint64_t input_count(const detail::ScanRequest& request) {
    return request.large_count != 0 ? request.large_count : request.count.max;
}

/// Returns the maximum number of elements of the output.
std::uint64_t output_count(const detail::ScanRequest& request) {
    return request.segment_ends ? request.segments.max_segments(request.count.max) : input_count(request);
}

/// Returns whether the scan runs in windows.
bool is_large(const Graph& graph, const detail::ScanRequest& request) {
    return request.segments.kind == Segments::Kind::none &&
           exceeds_binding(graph, {request.input, request.output, request.other_output});
}

bool check(Graph& graph, const detail::ScanRequest& request, std::uint32_t words) {
    if (request.segment_ends && request.segments.kind != Segments::Kind::length && !has_offsets(request.segments)) {
        return refuse_scan(graph, ErrorCode::invalid_argument,
                           "a reduction requires segments of one length, at offsets or in ranges");
    }
    if (request.segment_ends && request.input == request.output) {
        return refuse_scan(graph, ErrorCode::invalid_argument,
                           "the output of a reduction of segments is also the input");
    }
    if (request.segments.kind != Segments::Kind::none && request.total.valid()) {
        return refuse_scan(graph, ErrorCode::invalid_argument, "a total is not supported for a scan of segments");
    }
    const auto same = [](BufferId a, BufferId b) { return a.valid() && a == b; };
    const auto invalid = ErrorCode::invalid_argument;
    if (!check_segments(graph, "scan", request.segments, request.count.max, true)) {
        return false;
    }
    if (!check_enum(graph, "scan", "ScanKind", request.kind, ScanKind::exclusive)) {
        return false;
    }
    const std::uint64_t count = input_count(request), outputs = output_count(request);
    const bool large = is_large(graph, request);
    const auto has_room = [&](const char* what, std::uint64_t size, WordLayout layout, std::uint64_t needed) {
        return check_layout(graph, "scan", {what, size, words, layout, large}, needed);
    };
    if (!has_room("the input", request.input_words, request.input_layout, count) ||
        !has_room("the output", request.output_words, request.output_layout, outputs) ||
        (request.other_output.valid() &&
         !has_room("the other output", request.other_output_words, request.output_layout, count))) {
        return false;
    }
    if (request.total.valid() && !has_room("the total", request.total_words, {}, 1)) {
        return false;
    }
    const auto stride = [&](WordLayout layout) { return layout.stride != 0 ? layout.stride : words; };
    if (same(request.input, request.output) && (request.input_layout.offset != request.output_layout.offset ||
                                                stride(request.input_layout) != stride(request.output_layout))) {
        return refuse_scan(graph, invalid, "input and output are the same buffer but have different layouts");
    }
    if (same(request.other_output, request.input) || same(request.other_output, request.output)) {
        return refuse_scan(
            graph, invalid,
            concat("the other output is also the ", same(request.other_output, request.input) ? "input" : "output"));
    }
    if (same(request.total, request.input) || same(request.total, request.output) ||
        same(request.total, request.other_output)) {
        return refuse_scan(graph, invalid,
                           concat("the total is in the buffer of the ", same(request.total, request.input) ? "input"
                                                                        : same(request.total, request.output)
                                                                            ? "output"
                                                                            : "other output"));
    }
    return true;
}

/// Adds the scan of each window. It starts with the total of the window before.
void add_windows(Graph& graph, const detail::ScanRequest& request, const ScanPass& scan, const ScanKernels& kernels) {
    const std::uint32_t stride =
        std::max(stride_of(request.input_layout, scan.words), stride_of(request.output_layout, scan.words));
    const Windows windows = divide_into_windows(graph, "scan", request.count, request.large_count, stride);
    const auto count = static_cast<std::uint32_t>(windows.each.size());
    if (count == 0) {
        return;
    }
    constexpr std::uint32_t slot = ScanInterface::CARRY_WORDS;
    const auto totals = graph.transient_buffer<std::uint32_t>("totals of windows", (count + 1) * slot);
    graph.allow_undefined(totals); // a window binds its own total together with the one that it reads
    for (std::uint32_t i = 0; i < count; ++i) {
        const Window& window = windows.each[i];
        const WindowPart input = part_of(graph, request.input, window, scan.words, request.input_layout);
        const WindowPart output =
            scan.in_place ? input : part_of(graph, request.output, window, scan.words, request.output_layout);
        ScanPass part = scan;
        part.count = window.count;
        part.items = {scan.in_place ? Binding{} : read(input.buffer),
                      scan.in_place ? read_write(output.buffer) : write(output.buffer)};
        if (request.other_output.valid()) {
            part.other = write(part_of(graph, request.other_output, window, scan.words, request.output_layout).buffer);
        }
        part.in = input.layout;
        part.out = output.layout;
        part.carried = i != 0;
        part.total =
            i == 0 ? write(graph.part(totals, slot, slot)) : read_write(graph.part(totals, i * slot, 2 * slot));
        add_scan_pass(graph, part, kernels);
    }
    if (request.total.valid()) {
        graph.add_copy("scan total", graph.part(totals, count * slot, slot), request.total, scan.words * 4ULL);
    }
}

} // namespace

BufferId detail::add_scan(Graph& graph, const ScanRequest& request) {
    if (!check_input(graph, "scan", request.input)) {
        return {};
    }
    const ElementType element = request.element;
    const Monoid* monoid = std::get_if<Monoid>(request.op);
    if (!check(graph, request, element.words())) {
        return request.output;
    }
    const bool segmented = request.segments.kind != Segments::Kind::none;
    ScanPass scan;
    scan.words = element.words();
    scan.count = request.count;
    scan.in_place = request.input == request.output;
    scan.items = {scan.in_place ? Binding{} : read(request.input),
                  scan.in_place ? read_write(request.output) : write(request.output)};
    if (request.other_output.valid()) {
        scan.other = write(request.other_output);
    }
    if (request.total.valid()) {
        scan.total = write(request.total);
    }
    scan.in = request.input_layout;
    scan.out = request.output_layout;
    scan.initial = request.initial;
    scan.segments = request.segments;
    scan.segment_ends = request.segment_ends;
    scan.commutes = !segmented && (monoid == nullptr || monoid->commutes);
    scan.exclusive = request.kind == ScanKind::exclusive;
    scan.tuning = request.tuning;
    const auto add = [&](const ScanKernels& kernels) {
        if (is_large(graph, request)) {
            add_windows(graph, request, scan, kernels);
        } else {
            add_scan_pass(graph, scan, kernels);
        }
    };

    if (monoid != nullptr) {
        scan.exact = monoid->exact;
        const auto words = monoid_words(*monoid, graph.capabilities());
        if (!words) {
            graph.fail(words.error());
        } else if (*words != scan.words) {
            refuse_scan(
                graph, ErrorCode::invalid_argument,
                concat("elements have ", scan.words, " words, the struct of monoid '", monoid->name, "' has ", *words));
        } else {
            scan.packable = true;
            add([&](const ScanKernel& kernel) { return custom_scan_kernel(*monoid, nullptr, segmented, kernel); });
        }
        return request.output;
    }
    const auto built_in = built_in_operator(graph.capabilities(), element, std::get<Operator>(*request.op));
    if (!built_in) {
        refuse_scan(graph, built_in.error().code, built_in.error().message);
        return request.output;
    }
    scan.op = request.saturates ? KernelOperators::WEIR_OPERATOR_ADD_SATURATED : built_in->op;
    if (!scan.initial) {
        scan.initial = built_in->of_nothing;
        scan.initial_of_nothing = segmented || (!scan.exclusive && !scan.other);
    }
    scan.exact = built_in->exact;
    const TypeKernels& kernels = *built_in->kernels;
    scan.is_light = kernels.element == KernelElement::u32 && kernels.components == 1 && !segmented;
    scan.packable = !segmented && kernels.packed_scan != nullptr;
    add([&](const ScanKernel& kernel) { return choose_kernel(kernels, segmented, kernel); });
    return request.output;
}

void add_count_scan(Graph& graph, const CountScan& scan) {
    const std::variant<Operator, Monoid> sum = Operator::add;
    detail::add_scan(graph, {.element = element_type<std::uint32_t>,
                             .kind = ScanKind::exclusive,
                             .op = &sum,
                             .count = scan.counts.count,
                             .input = scan.counts,
                             .output = scan.offsets,
                             .total = scan.total,
                             .input_words = scan.counts.capacity,
                             .output_words = scan.offsets.capacity,
                             .total_words = scan.total.capacity,
                             .saturates = true});
}

} // namespace weir
