#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace weir {

/// A part of a message: text, or an integer in decimal.
class MessagePart {
public:
    explicit MessagePart(std::string_view text) : text_(text) {}
    explicit MessagePart(const std::string& text) : text_(text) {}
    explicit MessagePart(const char* text) : text_(text) {}
    template <class T>
    requires std::is_integral_v<T>
    explicit MessagePart(T number)
        : number_(static_cast<std::uint64_t>(number)), kind_(std::is_signed_v<T> ? signed_ : unsigned_) {}

    void append_to(std::string& out) const;

private:
    enum Kind : std::uint8_t { text, signed_, unsigned_ };
    std::string_view text_;
    std::uint64_t number_ = 0;
    Kind kind_ = text;
};

std::string concat_parts(std::initializer_list<MessagePart> parts);

/// Concatenates the parts, with integers in decimal, for messages. A formatting library would cost seconds in every
/// file. Floats are not supported, because std::to_string writes them in the locale of the process.
template <class... Parts>
std::string concat(const Parts&... parts) {
    return concat_parts({MessagePart(parts)...});
}

/// Returns the name of a part of a program for debuggers. `program` may be empty.
inline std::string named(const std::string& program, const std::string& part) {
    return program.empty() ? part : concat(program, ": ", part);
}

/// Returns the low `digits` hexadecimal digits of `value`.
inline std::string hex(std::uint64_t value, int digits) {
    std::string out;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
        out += "0123456789abcdef"[(value >> shift) & 0xfU];
    }
    return out;
}

/// Returns the name of an enum's value; "?" for a number that the enum does not have.
template <class Enum, std::size_t count>
constexpr const char* name_in(const std::array<const char*, count>& names, Enum value) {
    const auto i = static_cast<std::size_t>(value);
    return i < count ? names[i] : "?";
}

} // namespace weir
