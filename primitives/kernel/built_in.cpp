#include "primitives/kernel/built_in.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/base/strings.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

using namespace shaders;
using Ops = KernelOperators;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// An operator and its kernel operators for unsigned, signed and floating-point numbers.
struct OperatorRow {
    Operator op;
    const char* name;
    std::uint32_t of_unsigned, of_signed;
    std::optional<std::uint32_t> of_floats;
    bool rounds_floats = false;             ///< if false, floats are combined as integers of the same order
    std::optional<float> floats_of_nothing; ///< BuiltInOperator::of_nothing
};
constexpr OperatorRow operators[] = {
    {Operator::add, "add", Ops::WEIR_OPERATOR_ADD, Ops::WEIR_OPERATOR_ADD, Ops::WEIR_OPERATOR_ADD, true, 0.0F},
    {Operator::mul, "mul", Ops::WEIR_OPERATOR_MUL, Ops::WEIR_OPERATOR_MUL, Ops::WEIR_OPERATOR_MUL, true, {}},
    {Operator::min, "min", Ops::WEIR_OPERATOR_MIN, Ops::WEIR_OPERATOR_MIN_SIGNED, Ops::WEIR_OPERATOR_MIN_FLOAT, false,
     infinity},
    {Operator::max, "max", Ops::WEIR_OPERATOR_MAX, Ops::WEIR_OPERATOR_MAX_SIGNED, Ops::WEIR_OPERATOR_MAX_FLOAT, false,
     -infinity},
    {Operator::bit_and, "and", Ops::WEIR_OPERATOR_AND, Ops::WEIR_OPERATOR_AND, {}, false, {}},
    {Operator::bit_or, "or", Ops::WEIR_OPERATOR_OR, Ops::WEIR_OPERATOR_OR, {}, false, {}},
    {Operator::bit_xor, "xor", Ops::WEIR_OPERATOR_XOR, Ops::WEIR_OPERATOR_XOR, {}, false, {}},
};

constexpr TypeKernels types[] = {
    {KernelElement::u32, 1, &reduce_u32, &reduce_by_key_u32, &scan_u32, &scan_u32_segmented, &column_scan_u32,
     &scan_u32_packed},
    {KernelElement::u32, 2, &reduce_u32x2, &reduce_by_key_u32x2, &scan_u32x2, &scan_u32x2_segmented,
     &column_scan_u32x2},
    {KernelElement::u32, 3, &reduce_u32x3, &reduce_by_key_u32x3, &scan_u32x3, &scan_u32x3_segmented,
     &column_scan_u32x3},
    {KernelElement::u32, 4, &reduce_u32x4, &reduce_by_key_u32x4, &scan_u32x4, &scan_u32x4_segmented,
     &column_scan_u32x4},
    {KernelElement::f32, 1, &reduce_f32, &reduce_by_key_f32, &scan_f32, &scan_f32_segmented, &column_scan_f32,
     &scan_f32_packed},
    {KernelElement::f32, 2, &reduce_f32x2, &reduce_by_key_f32x2, &scan_f32x2, &scan_f32x2_segmented,
     &column_scan_f32x2},
    {KernelElement::f32, 3, &reduce_f32x3, &reduce_by_key_f32x3, &scan_f32x3, &scan_f32x3_segmented,
     &column_scan_f32x3},
    {KernelElement::f32, 4, &reduce_f32x4, &reduce_by_key_f32x4, &scan_f32x4, &scan_f32x4_segmented,
     &column_scan_f32x4},
    {KernelElement::u64, 1, &reduce_u64, &reduce_by_key_u64, &scan_u64, &scan_u64_segmented, &column_scan_u64,
     &scan_u64_packed},
    {KernelElement::f64, 1, &reduce_f64, &reduce_by_key_f64, &scan_f64, &scan_f64_segmented, &column_scan_f64},
};

const OperatorRow* find_operator(Operator op) {
    const auto* row = std::ranges::find(operators, op, &OperatorRow::op);
    return row != std::end(operators) ? row : nullptr;
}

const TypeKernels* find_kernels(KernelElement element, std::uint32_t components) {
    return std::ranges::find_if(
        types, [&](const TypeKernels& type) { return type.element == element && type.components == components; });
}

bool is_float(Scalar scalar) {
    return scalar == Scalar::f32 || scalar == Scalar::f64;
}

std::optional<std::uint32_t> kernel_operator(const OperatorRow& row, Scalar scalar) {
    switch (scalar) {
    case Scalar::u32:
    case Scalar::u64: return row.of_unsigned;
    case Scalar::i32:
    case Scalar::i64: return row.of_signed;
    case Scalar::f32:
    case Scalar::f64: return row.of_floats;
    default: return std::nullopt;
    }
}

/// Returns the words of an element whose components all have this value.
std::array<std::uint32_t, 16> words_of(ElementType element, float number) {
    if (element.scalar == Scalar::f64) {
        const auto bits = std::bit_cast<std::uint64_t>(double{number});
        return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
    }
    std::array<std::uint32_t, 16> words{};
    std::fill_n(words.begin(), element.components, std::bit_cast<std::uint32_t>(number));
    return words;
}

} // namespace

const char* to_string(Operator op) {
    const OperatorRow* row = find_operator(op);
    return row != nullptr ? row->name : "?";
}

Result<BuiltInOperator> built_in_operator(const Capabilities& device, ElementType element, Operator op) {
    const OperatorRow* row = find_operator(op);
    if (row == nullptr) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat(static_cast<unsigned>(op), " is not a valid Operator")});
    }
    const auto kernel_op = kernel_operator(*row, element.scalar);
    if (!kernel_op) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat("the operator '", row->name, "' is not supported for ",
                                                      is_float(element.scalar) ? "floats" : "custom structs")});
    }
    const bool rounds = is_float(element.scalar) && row->rounds_floats;
    if (element.scalar == Scalar::f64 && rounds && !device.float64) {
        return tl::unexpected(
            Error{ErrorCode::unsupported, concat("the operator '", row->name,
                                                 "' is not supported for doubles: the device has no 64-bit floats")});
    }
    const bool is_wide = element.words() != element.components;
    const KernelElement kernel_element = is_wide ? (rounds ? KernelElement::f64 : KernelElement::u64)
                                                 : (rounds ? KernelElement::f32 : KernelElement::u32);
    BuiltInOperator found{find_kernels(kernel_element, element.components), *kernel_op, !rounds, {}};
    if (is_float(element.scalar) && row->floats_of_nothing) {
        found.of_nothing = words_of(element, *row->floats_of_nothing);
    }
    return found;
}

std::string define_element(const TypeKernels& kernels) {
    static constexpr std::array names{"WEIR_ELEMENT_U32", "WEIR_ELEMENT_F32", "WEIR_ELEMENT_U64", "WEIR_ELEMENT_F64"};
    return concat("#define WEIR_ELEMENT ", name_in(names, kernels.element), "\n#define WEIR_COMPONENTS ",
                  kernels.components, "\n");
}

} // namespace weir
