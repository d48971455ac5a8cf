#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <weir/graph/graph.hpp>

// Names for the specialization constants and bindings of kernels, and for other numbers that C++ and GLSL share. They
// are listed in files that GLSL includes too; see shaders/lib/interface.glsl. A struct that includes such a list has
// one member per constant, and the other numbers as static constants:
//
//     struct MergeInterface {
//     #include "shaders/search/merge_interface.h"
//     };
//     set_constants(pass, MergeInterface{.WORKGROUP = workgroup, .ITEMS = 9});
//     set_bindings(pass, {{MergeInterface::FIRST_BINDING, read(first)}});
//
// A kernel may have several lists. The constant ids of all its lists together must be consecutive from 0, and so must
// the binding numbers.

// NOLINTNEXTLINE(bugprone-macro-parentheses): a name takes none
#define WEIR_CONSTANT(id, type, name, value) KernelConstant<id, type> name = value;
#define WEIR_BINDING(number, name) static constexpr std::uint32_t name = number;
#define WEIR_NUMBER(name, value) static constexpr std::uint32_t name = value;

namespace weir {

using uint = std::uint32_t; // name of the type in GLSL

struct ConstantValue {
    std::uint32_t id = 0;
    std::uint32_t value = 0;
};

/// A specialization constant that GLSL declares as a T. It is set from a bool if T is bool; otherwise from a number or
/// an enumerator.
template <std::uint32_t constant_id, class T>
struct KernelConstant : ConstantValue {
    // NOLINTBEGIN(google-explicit-constructor): a value stands for the constant
    template <class Value>
    requires(std::is_same_v<Value, bool> == std::is_same_v<T, bool>) constexpr KernelConstant(Value value)
        : ConstantValue{constant_id, static_cast<std::uint32_t>(value)} {}
    // NOLINTEND(google-explicit-constructor)
};

/// Returns the constants of a list.
template <class Interface>
constexpr auto constant_values(const Interface& list) {
    return std::bit_cast<std::array<ConstantValue, sizeof(Interface) / sizeof(ConstantValue)>>(list);
}

/// Returns the largest id of a list. Does not compile if two constants have the same id.
template <class Interface>
consteval std::uint32_t last_id() {
    std::uint32_t last = 0;
    const auto constants = constant_values(Interface{});
    for (std::size_t i = 0; i < constants.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (constants.at(i).id == constants.at(j).id) {
                throw "two constants of a list have the same id"; // not a constant expression: does not compile
            }
        }
        last = std::max(last, constants.at(i).id);
    }
    return last;
}

/// Sets the constants of a list in the pass. Other constants of the pass are kept.
template <class Interface>
void set_constants(Pass& pass, const Interface& list) {
    pass.constants.resize(std::max<std::size_t>(pass.constants.size(), last_id<Interface>() + 1));
    for (const ConstantValue& constant : constant_values(list)) {
        pass.constants[constant.id] = constant.value;
    }
}

struct NumberedBinding {
    std::uint32_t number = 0;
    Binding binding;
};

/// Sets these bindings of the pass. Other bindings of the pass are kept.
void set_bindings(Pass& pass, std::initializer_list<NumberedBinding> bindings);

} // namespace weir
