#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/primitives/element.hpp>

namespace samples {

/// What keys are: little-endian numbers, as in memory.
enum class NumberType : std::uint8_t { u8, i8, u16, i16, f16, u32, i32, f32, u64, i64, f64 };
using Bytes = std::vector<char>;

std::string to_string(NumberType type);
/// Whether `name` is that of a type.
bool parse_type(std::string_view name, NumberType& type);

constexpr std::uint32_t bytes_of(NumberType type) {
    return type >= NumberType::u64 ? 8 : type >= NumberType::u32 ? 4 : type >= NumberType::u16 ? 2 : 1;
}

/// Calls `use` with a number of the type.
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

/// A file's bytes. Errors: `io`, also for a size that is no whole number of the type; `limit_exceeded` for more than
/// `most` numbers.
weir::Result<Bytes> read_bytes(const std::string& path, NumberType type, std::uint64_t most);

/// The numbers of a text file, separated by white space. Errors: `io`, also for what is no such number;
/// `limit_exceeded` for more than `most`.
weir::Result<Bytes> read_numbers(const std::string& path, NumberType type, std::uint64_t most);

/// One to a line, with as many digits as it takes to read them back.
std::string to_text(const Bytes& bytes, NumberType type);

/// Unsigned numbers in the order of those of the type; floats in the total order of IEEE 754.
std::vector<std::uint64_t> in_unsigned_order(const Bytes& bytes, NumberType type);

} // namespace samples
