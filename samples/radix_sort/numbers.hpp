#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>

#include "common/words.hpp"

namespace samples {

/// What the words of keys are: one or two of them a number, the low one first.
enum class NumberType : std::uint8_t { u32, i32, f32, u64, i64, f64 };

std::string to_string(NumberType type);
/// Whether `name` is that of a type.
bool parse_type(std::string_view name, NumberType& type);

constexpr std::uint32_t words_of(NumberType type) {
    return type >= NumberType::u64 ? 2 : 1;
}

/// Calls `use` with a number of the type.
template <class Use>
auto with_type(NumberType type, const Use& use) {
    switch (type) {
    case NumberType::i32: return use(std::int32_t{});
    case NumberType::f32: return use(float{});
    case NumberType::u64: return use(std::uint64_t{});
    case NumberType::i64: return use(std::int64_t{});
    case NumberType::f64: return use(double{});
    default: return use(std::uint32_t{});
    }
}

/// The numbers of a text file, separated by white space. Errors: `io`, also for what is no such number;
/// `limit_exceeded` for more than `most_words`.
weir::Result<Words> read_numbers(const std::string& path, NumberType type, std::uint64_t most_words);

/// One to a line, with as many digits as it takes to read them back.
std::string to_text(const Words& words, NumberType type);

/// Unsigned numbers in the order of those of the type; floats in the total order of IEEE 754.
std::vector<std::uint64_t> in_unsigned_order(const Words& words, NumberType type);

} // namespace samples
