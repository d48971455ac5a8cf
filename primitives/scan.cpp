#include <weir/primitives/scan.hpp>

#include <span>
#include <string>

#include "engine/text.hpp"
#include "primitives/kernel.hpp"
#include "primitives/monoid.hpp"
#include "primitives/scan_pass.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

bool is_float(Scalar scalar) {
    return scalar == Scalar::f32 || scalar == Scalar::f64;
}

KernelOperator kernel_operator(Operator op, Scalar scalar) {
    const auto by_type = [scalar](KernelOperator is_unsigned, KernelOperator is_signed, KernelOperator is_real) {
        return is_float(scalar) ? is_real : scalar == Scalar::i32 || scalar == Scalar::i64 ? is_signed : is_unsigned;
    };
    switch (op) {
    case Operator::add: return KernelOperator::add;
    case Operator::mul: return KernelOperator::mul;
    case Operator::min: return by_type(KernelOperator::min, KernelOperator::min_signed, KernelOperator::min_float);
    case Operator::max: return by_type(KernelOperator::max, KernelOperator::max_signed, KernelOperator::max_float);
    case Operator::bit_and: return KernelOperator::bit_and;
    case Operator::bit_or: return KernelOperator::bit_or;
    case Operator::bit_xor: return KernelOperator::bit_xor;
    }
    return KernelOperator::add;
}

/// The kernels for one type, plain and instrumented.
struct Kernels {
    std::span<const std::uint32_t> plain, instrumented;
};

Kernels built_in_kernels(ElementType element, Operator op) {
    using namespace shaders;
    const bool wide = element.words() != element.components;
    // Minima and maxima of floats are found among the integers that sort like them.
    const bool real = is_float(element.scalar) && (op == Operator::add || op == Operator::mul);
    if (wide) {
        return real ? Kernels{scan_f64, scan_f64_instrumented} : Kernels{scan_u64, scan_u64_instrumented};
    }
    const Kernels words[] = {{scan_u32, scan_u32_instrumented},
                             {scan_u32x2, scan_u32x2_instrumented},
                             {scan_u32x3, scan_u32x3_instrumented},
                             {scan_u32x4, scan_u32x4_instrumented}};
    const Kernels floats[] = {{scan_f32, scan_f32_instrumented},
                              {scan_f32x2, scan_f32x2_instrumented},
                              {scan_f32x3, scan_f32x3_instrumented},
                              {scan_f32x4, scan_f32x4_instrumented}};
    return (real ? floats : words)[element.components - 1];
}

/// What comes before the first element of an exclusive scan of floats by default: numbers that people expect there,
/// where the kernel's identity is minus zero, or beyond infinity.
std::optional<std::array<std::uint32_t, 16>> default_initial(ElementType element, Operator op) {
    std::uint32_t high = 0;
    switch (op) {
    case Operator::add: break;
    case Operator::min: high = element.scalar == Scalar::f32 ? 0x7F800000 : 0x7FF00000; break;
    case Operator::max: high = element.scalar == Scalar::f32 ? 0xFF800000 : 0xFFF00000; break;
    default: return std::nullopt;
    }
    std::array<std::uint32_t, 16> words{};
    for (std::uint32_t i = 0; i < element.components; ++i) {
        words.at(element.scalar == Scalar::f32 ? i : 1) = high;
    }
    return words;
}

/// Whether elements laid out so end within `size` words, and do not overlap.
bool check_layout(Graph& graph, const char* what, std::uint64_t count, std::uint32_t words, WordLayout layout,
                  std::uint64_t size) {
    const std::uint64_t stride = layout.stride != 0 ? layout.stride : words;
    if (stride < words) {
        return refuse_scan(graph, ErrorCode::invalid_argument,
                           concat("elements of ", what, " are ", stride, " words apart and have ", words));
    }
    const std::uint64_t needed = count == 0 ? 0 : layout.offset + (count - 1) * stride + words;
    if (needed > 1ULL << 32) {
        return refuse_scan(graph, ErrorCode::limit_exceeded,
                           concat(what, " reaches to word ", needed, "; 2^32 words can be reached"));
    }
    return needed <= size ||
           refuse_scan(graph, ErrorCode::invalid_argument,
                       concat(what, " has room for ", size, " words; ", count, " elements need ", needed));
}

bool check(Graph& graph, const detail::ScanRequest& request, std::uint32_t words) {
    const auto same = [](BufferId a, BufferId b) { return a.valid() && b.valid() && a.index == b.index; };
    const auto invalid = ErrorCode::invalid_argument;
    const std::uint64_t count = request.count.max;
    if (!check_layout(graph, "the input", count, words, request.input_layout, request.input_words) ||
        !check_layout(graph, "the output", count, words, request.output_layout, request.output_words) ||
        (request.other_output.valid() &&
         !check_layout(graph, "the other output", count, words, request.output_layout, request.other_output_words))) {
        return false;
    }
    const auto stride = [&](WordLayout layout) { return layout.stride != 0 ? layout.stride : words; };
    if (same(request.input, request.output) && (request.input_layout.offset != request.output_layout.offset ||
                                                stride(request.input_layout) != stride(request.output_layout))) {
        return refuse_scan(graph, invalid, "input and output are the same buffer, laid out differently");
    }
    if (same(request.other_output, request.input) || same(request.other_output, request.output)) {
        return refuse_scan(graph, invalid, "the other output is also the input or the output");
    }
    if (same(request.total, request.input) || same(request.total, request.output) ||
        same(request.total, request.other_output)) {
        return refuse_scan(graph, invalid, "the total is in the buffer of the input or of an output");
    }
    return true;
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
    ScanPass scan;
    scan.words = element.words();
    scan.count = request.count;
    scan.in_place = request.input.index == request.output.index;
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
    scan.exclusive = request.kind == ScanKind::exclusive;
    scan.faults = *request.faults;
    scan.counters = request.counters;
    scan.tuning = request.tuning;

    if (monoid != nullptr) {
        const auto words = monoid_words(*monoid);
        if (!words) {
            graph.fail(words.error());
        } else if (*words != scan.words) {
            refuse_scan(
                graph, ErrorCode::invalid_argument,
                concat("elements have ", scan.words, " words, the struct of monoid '", monoid->name, "' has ", *words));
        } else {
            add_scan_pass(graph, scan,
                          [&](bool is_instrumented) { return custom_scan_kernel(*monoid, nullptr, is_instrumented); });
        }
        return request.output;
    }
    const Operator op = std::get<Operator>(*request.op);
    const bool bitwise = op == Operator::bit_and || op == Operator::bit_or || op == Operator::bit_xor;
    if (element.scalar == Scalar::custom || (bitwise && is_float(element.scalar))) {
        refuse_scan(graph, ErrorCode::invalid_argument,
                    concat("there is no built-in '", to_string(op), "' of ", bitwise ? "floats" : "custom structs"));
        return request.output;
    }
    const bool doubles = element.scalar == Scalar::f64 && (op == Operator::add || op == Operator::mul);
    if (doubles && !graph.capabilities().float64) {
        refuse_scan(graph, ErrorCode::unsupported, concat("'", to_string(op), "' of doubles; the device has none"));
        return request.output;
    }
    scan.op = kernel_operator(op, element.scalar);
    if (!scan.initial && is_float(element.scalar)) {
        scan.initial = default_initial(element, op);
        scan.initial_of_nothing = !scan.exclusive && !scan.other;
    }
    const Kernels kernels = built_in_kernels(element, op);
    add_scan_pass(graph, scan, [&](bool is_instrumented) {
        const auto spirv = is_instrumented ? kernels.instrumented : kernels.plain;
        return ShaderSource::spirv({spirv.begin(), spirv.end()}, "scan");
    });
    return request.output;
}

} // namespace weir
