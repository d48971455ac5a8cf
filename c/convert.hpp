#pragma once

// Conversion of values between C and C++, and of run-time types to template types.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <weir/graph/description.hpp>

#include "c/border.hpp"

namespace weir::c {

std::string type_name(weir_type type);

BufferId id_of(const weir_buffer_ref& buffer);
Count count_of(const weir_count& count);
weir_count to_c(const Count& count);
Access access_of(weir_access access);
Binding binding_of(const weir_binding& binding);
/// Null converts to one segment with all elements.
Segments segments_of(const weir_segments* segments);
inline WordLayout layout_of(const weir_layout& layout) {
    return {layout.offset, layout.stride};
}
std::variant<Operator, Monoid> operator_of(weir_operator op, const weir_monoid* monoid);
std::vector<std::string> texts_of(const char* const* texts, std::uint32_t count, const char* name);
Monoid monoid_of(const weir_monoid* monoid);
std::vector<FusedBuffer> buffers_of(const weir_named_buffer* buffers, std::uint32_t count);
std::vector<FusedValue> values_of(const weir_named_value* values, std::uint32_t count);
Dispatch dispatch_of(const Graph& graph, const weir_dispatch& dispatch);
Expression expression_of(const weir_expression* expression);
/// `type` is the type of the elements.
Predicate predicate_of(const weir_predicate* predicate, weir_type type);

/// Refuses a buffer of another graph, or with a capacity or count that exceeds the graph's buffer. Accepts a struct of
/// zeros.
void check(const Graph& graph, const weir_buffer_ref& buffer, const std::string& what);

/// A struct of n words.
template <std::size_t n>
struct Words {
    std::uint32_t words[n];
};

template <class T>
inline constexpr auto type_of = static_cast<weir_type>(static_cast<unsigned>(element_type<T>.scalar) |
                                                       (element_type<T>.components - 1) << 8U);
template <>
inline constexpr weir_type type_of<std::uint8_t> = WEIR_U8;
template <>
inline constexpr weir_type type_of<std::int8_t> = WEIR_I8;
template <>
inline constexpr weir_type type_of<std::uint16_t> = WEIR_U16;
template <>
inline constexpr weir_type type_of<std::int16_t> = WEIR_I16;
template <>
inline constexpr weir_type type_of<Half> = WEIR_F16;
template <>
inline constexpr weir_type type_of<BFloat16> = WEIR_BF16;

template <class... T>
struct Types {};
template <class... Lists>
struct Joined;
template <class... T>
struct Joined<Types<T...>> {
    using type = Types<T...>;
};
template <class... A, class... B, class... Rest>
struct Joined<Types<A...>, Types<B...>, Rest...> : Joined<Types<A..., B...>, Rest...> {};

using Numbers = Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
using NarrowNumbers = Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, Half, BFloat16>;
using Keys = Joined<Numbers, NarrowNumbers>::type;
template <class T>
using VectorsOf = Types<std::array<T, 2>, std::array<T, 3>, std::array<T, 4>>;
using Vectors = Joined<VectorsOf<std::uint32_t>, VectorsOf<std::int32_t>, VectorsOf<float>>::type;
using SmallStructs = Types<Words<1>, Words<2>, Words<3>, Words<4>>;
using Structs = Joined<SmallStructs, Types<Words<5>, Words<6>, Words<7>, Words<8>, Words<9>, Words<10>, Words<11>,
                                           Words<12>, Words<13>, Words<14>, Words<15>, Words<16>>>::type;
using Elements = Joined<Numbers, VectorsOf<std::uint32_t>, VectorsOf<std::int32_t>, VectorsOf<float>, Structs>::type;

/// Calls `body` with the std::type_identity of the first type in the list for which `is_it` is true. Refuses `type` if
/// there is no such type.
template <class... T, class IsIt, class Body>
auto with_first(Types<T...>, const std::string& what, weir_type type, const IsIt& is_it, const Body& body) {
    using Returned = std::common_type_t<std::invoke_result_t<const Body&, std::type_identity<T>>...>;
    std::optional<Returned> out;
    const bool found = ((is_it(std::type_identity<T>()) && (out.emplace(body(std::type_identity<T>())), true)) || ...);
    if (!found) {
        refuse(what + " cannot be of type " + type_name(type));
    }
    return *out;
}
/// Calls `body` with the type of the list that `type` names.
template <class List, class Body>
auto with_type(List types, const std::string& what, weir_type type, const Body& body) {
    return with_first(
        types, what, type, [&]<class T>(std::type_identity<T>) { return type == type_of<T>; }, body);
}
/// Calls `body` with the first type of the list that has the size of `type`, for operations that depend on the size
/// only.
template <class List, class Body>
auto with_words(List types, const std::string& what, weir_type type, const Body& body) {
    return with_first(
        types, what, type, [&]<class T>(std::type_identity<T>) { return weir_type_size(type) == sizeof(T); }, body);
}

/// Returns the buffer as elements of T, which must have the size of its elements. Not valid for a struct of zeros.
template <class T>
BufferRef<T> sized(const Graph& graph, const weir_buffer_ref& buffer, const std::string& what) {
    check(graph, buffer, what);
    BufferRef<T> out;
    if (buffer.id != 0) {
        if (weir_type_size(buffer.type) != sizeof(T)) {
            refuse(what + " must have elements of " + std::to_string(sizeof(T)) + " bytes, not of type " +
                   type_name(buffer.type));
        }
        out.id = id_of(buffer);
        out.capacity = buffer.capacity;
        out.count = count_of(buffer.count);
    }
    return out;
}
/// Returns the buffer, whose type must be T. Not valid for a struct of zeros.
template <class T>
BufferRef<T> typed(const Graph& graph, const weir_buffer_ref& buffer, const std::string& what) {
    if (buffer.id != 0 && buffer.type != type_of<T>) {
        refuse(what + " must have elements of type " + type_name(type_of<T>) + ", not " + type_name(buffer.type));
    }
    return sized<T>(graph, buffer, what);
}
/// Returns the buffer, whose type must be T. Refuses a struct of zeros.
template <class T>
BufferRef<T> input(const Graph& graph, const weir_buffer_ref& buffer, const std::string& what) {
    const BufferRef<T> out = typed<T>(graph, buffer, what);
    if (!out.valid()) {
        refuse(what + " is null");
    }
    return out;
}
/// Returns the buffer as elements of T, which must have the size of its elements. Refuses a struct of zeros.
template <class T>
BufferRef<T> sized_input(const Graph& graph, const weir_buffer_ref& buffer, const std::string& what) {
    const BufferRef<T> out = sized<T>(graph, buffer, what);
    if (!out.valid()) {
        refuse(what + " is null");
    }
    return out;
}
inline BufferRef<std::uint32_t> words(const Graph& graph, const weir_buffer_ref& buffer, const std::string& what) {
    return typed<std::uint32_t>(graph, buffer, what);
}

template <class T>
weir_buffer_ref to_c(const BufferRef<T>& buffer, weir_type type = type_of<T>) {
    if (!buffer.valid()) {
        return {};
    }
    return {buffer.id.index + 1, type, buffer.capacity, buffer.id.graph, to_c(buffer.count)};
}

/// Returns the element that `value` points to; nothing for null.
template <class T>
std::optional<T> value_of(const void* value) {
    std::optional<T> out;
    if (value != nullptr) {
        std::memcpy(&out.emplace(), value, sizeof(T));
    }
    return out;
}

/// Returns `given`, whose type must be `type`, or a new transient if `given` is a struct of zeros.
weir_buffer_ref given_or_transient(Graph& graph, const weir_buffer_ref& given, const char* name, weir_type type,
                                   std::uint32_t capacity);

} // namespace weir::c
