#include "primitives/kernel/built_in.hpp"

#include "engine/text.hpp"

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

bool rounds(ElementType element, Operator op) {
    return is_float(element.scalar) && (op == Operator::add || op == Operator::mul);
}

std::size_t kernel_type(ElementType element, Operator op) {
    // Minima and maxima of floats are found among the integers that sort like them.
    const bool real = rounds(element, op);
    if (element.words() != element.components) {
        return real ? 9 : 8;
    }
    return (real ? 4 : 0) + element.components - 1;
}

std::optional<std::array<std::uint32_t, 16>> of_nothing(ElementType element, Operator op) {
    std::uint32_t high = 0;
    switch (op) {
    case Operator::add: break;
    case Operator::min: high = element.scalar == Scalar::f32 ? 0x7F800000 : 0x7FF00000; break;
    case Operator::max: high = element.scalar == Scalar::f32 ? 0xFF800000 : 0xFFF00000; break;
    default: return std::nullopt;
    }
    if (!is_float(element.scalar)) {
        return std::nullopt;
    }
    std::array<std::uint32_t, 16> words{};
    for (std::uint32_t i = 0; i < element.components; ++i) {
        words.at(element.scalar == Scalar::f32 ? i : 1) = high;
    }
    return words;
}

} // namespace

Result<BuiltInOperator> built_in_operator(const Capabilities& device, ElementType element, Operator op) {
    if (op > Operator::bit_xor) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, concat(static_cast<unsigned>(op), " is no operator")});
    }
    const bool bitwise = op == Operator::bit_and || op == Operator::bit_or || op == Operator::bit_xor;
    if (element.scalar == Scalar::custom || (bitwise && is_float(element.scalar))) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument,
                  concat("there is no built-in '", to_string(op), "' of ", bitwise ? "floats" : "custom structs")});
    }
    if (element.scalar == Scalar::f64 && rounds(element, op) && !device.float64) {
        return tl::unexpected(
            Error{ErrorCode::unsupported, concat("'", to_string(op), "' of doubles; the device has none")});
    }
    return BuiltInOperator{kernel_type(element, op), kernel_operator(op, element.scalar), !rounds(element, op),
                           of_nothing(element, op)};
}

} // namespace weir
