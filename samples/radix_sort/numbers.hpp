#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/primitives/element.hpp>

namespace samples {

/// Type of the keys. Files contain little-endian numbers, as memory does.
enum class NumberType : std::uint8_t { u8, i8, u16, i16, f16, u32, i32, f32, u64, i64, f64 };
using Bytes = std::vector<char>;

std::string to_string(NumberType type);
/// Converts the name of a type. Returns false if `name` is not one.
bool parse_type(std::string_view name, NumberType& type);

constexpr std::uint32_t bytes_of(NumberType type) {
    return type >= NumberType::u64 ? 8 : type >= NumberType::u32 ? 4 : type >= NumberType::u16 ? 2 : 1;
}

/// Calls `use` with a value of the type.
template <class Use>
auto with_type(NumberType type, const Use& use) {
    switch (type) {
    case NumberType::u8: return use(std::uint8_t{});
    case NumberType::i8: return use(std::int8_t{});
    case NumberType::u16: return use(std::uint16_t{});
    case NumberType::i16: return use(std::int16_t{});
    case NumberType::f16: return use(weir::Half{});
    case NumberType::i32: return use(std::int32_t{});
    case NumberType::f32: return use(float{});
    case NumberType::u64: return use(std::uint64_t{});
    case NumberType::i64: return use(std::int64_t{});
    case NumberType::f64: return use(double{});
    default: return use(std::uint32_t{});
    }
}

/// Reads a file of numbers. Errors: `io`, also if the size is not a multiple of the type's size; `limit_exceeded` for
/// more than `most` numbers.
weir::Result<Bytes> read_bytes(const std::string& path, NumberType type, std::uint64_t most);

/// Reads a text file of numbers separated by white space. Errors: `io`, also for text that is not a number of the type;
/// `limit_exceeded` for more than `most` numbers.
weir::Result<Bytes> read_numbers(const std::string& path, NumberType type, std::uint64_t most);

/// Formats one number per line, with enough digits to restore it exactly.
std::string to_text(const Bytes& bytes, NumberType type);

/// Maps the numbers to unsigned integers with the same order. Floats are ordered by the IEEE 754 total order.
std::vector<std::uint64_t> in_unsigned_order(const Bytes& bytes, NumberType type);

} // namespace samples
