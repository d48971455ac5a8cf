#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <weir/graph/graph.hpp>

// The specialization constants and bindings of kernels by name, and other numbers that C++ and GLSL share. They are
// listed in files that the GLSL includes too, see shaders/lib/interface.glsl. A struct that includes such a list has a
// member for each constant, and the other numbers as constants of its own:
//
//     struct MergeInterface {
//     #include "shaders/search/merge_interface.h"
//     };
//     set_constants(pass, MergeInterface{.WORKGROUP = workgroup, .ITEMS = 9});
//     set_bindings(pass, {{MergeInterface::FIRST_BINDING, read(first)}});
//
// A kernel may have several lists: the ids of all together, and so the numbers of its bindings, go from 0 on without
// gaps.

// NOLINTNEXTLINE(bugprone-macro-parentheses): a name takes none
#define WEIR_CONSTANT(id, type, name, value) KernelConstant<id, type> name = value;
#define WEIR_BINDING(number, name) static constexpr std::uint32_t name = number;
#define WEIR_NUMBER(name, value) static constexpr std::uint32_t name = value;

namespace weir {

using uint = std::uint32_t; // as GLSL calls it

struct ConstantValue {
    std::uint32_t id = 0;
    std::uint32_t value = 0;
};

/// A specialization constant that GLSL declares as a T. It takes a bool if T is bool, else a number or an enumerator.
template <std::uint32_t constant_id, class T>
struct KernelConstant : ConstantValue {
    // NOLINTBEGIN(google-explicit-constructor): a value stands for the constant
    template <class Value>
    requires(std::is_same_v<Value, bool> == std::is_same_v<T, bool>) constexpr KernelConstant(Value value)
        : ConstantValue{constant_id, static_cast<std::uint32_t>(value)} {}
    // NOLINTEND(google-explicit-constructor)
};

/// The constants of a list.
template <class Interface>
constexpr auto constant_values(const Interface& list) {
    return std::bit_cast<std::array<ConstantValue, sizeof(Interface) / sizeof(ConstantValue)>>(list);
}

/// The greatest id of a list, in which no two constants have the same.
template <class Interface>
consteval std::uint32_t last_id() {
    std::uint32_t last = 0;
    const auto constants = constant_values(Interface{});
    for (std::size_t i = 0; i < constants.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (constants.at(i).id == constants.at(j).id) {
                throw "two constants of a list have the same id"; // no constant expression: does not compile
            }
        }
        last = std::max(last, constants.at(i).id);
    }
    return last;
}

/// Gives the pass the values of all constants of a list, and leaves others that it has.
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

/// Gives the pass these bindings, and leaves others that it has.
void set_bindings(Pass& pass, std::initializer_list<NumberedBinding> bindings);

} // namespace weir
