#pragma once

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
//     set_bindings(pass, {{MergeInterface::FIRST_BINDING, read(first)}, {MergeInterface::SECOND_BINDING,
//     read(second)}});

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
    template <class Value>
    requires(std::is_same_v<Value, bool> == std::is_same_v<T, bool>)
        // NOLINTNEXTLINE(google-explicit-constructor): a constant stands for its value
        constexpr KernelConstant(Value value)
        : ConstantValue{constant_id, static_cast<std::uint32_t>(value)} {}
};

/// The constants of a struct that has no other members.
template <class Kernel>
constexpr auto constant_values(const Kernel& kernel) {
    return std::bit_cast<std::array<ConstantValue, sizeof(Kernel) / sizeof(ConstantValue)>>(kernel);
}

template <class Kernel>
constexpr bool has_distinct_ids() {
    const auto values = constant_values(Kernel{});
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (values.at(i).id == values.at(j).id) {
                return false;
            }
        }
    }
    return true;
}

/// Gives the pass the values of the kernel's constants, and leaves others that it has.
template <class Kernel>
void set_constants(Pass& pass, const Kernel& kernel) {
    static_assert(has_distinct_ids<Kernel>(), "two constants of the kernel's list have the same id");
    for (const ConstantValue& constant : constant_values(kernel)) {
        if (pass.constants.size() <= constant.id) {
            pass.constants.resize(constant.id + 1);
        }
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
