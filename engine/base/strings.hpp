#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace weir {

/// Concatenates the parts, with integers in decimal, for messages. A formatting library would cost seconds in every
/// file. Floats are not supported, because std::to_string writes them in the locale of the process.
template <class... Parts>
std::string concat(const Parts&... parts) {
    std::string out;
    const auto append = [&out](const auto& part) {
        if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>) {
            out += std::to_string(part);
        } else {
            out += std::string_view(part);
        }
    };
    (append(parts), ...);
    return out;
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
