#include "radix_sort/numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <type_traits>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/progress.hpp"

namespace samples {

namespace {

constexpr std::array names = {"u32", "i32", "f32", "u64", "i64", "f64"};

template <class T>
std::vector<T> numbers_in(const Words& words) {
    std::vector<T> numbers(words.size() * sizeof(std::uint32_t) / sizeof(T));
    std::memcpy(numbers.data(), words.data(), words.size() * sizeof(std::uint32_t));
    return numbers;
}

} // namespace

std::string to_string(NumberType type) {
    return names.at(static_cast<std::size_t>(type));
}

bool parse_type(std::string_view name, NumberType& type) {
    const auto* const at = std::find(names.begin(), names.end(), name);
    type = static_cast<NumberType>(at - names.begin());
    return at != names.end();
}

weir::Result<Words> read_numbers(const std::string& path, NumberType type, std::uint64_t most_words) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return io_error(path, "is a directory");
    }
    std::ifstream file(path);
    if (!file) {
        return io_error(path, std::strerror(errno));
    }
    Progress progress("read");
    return with_type(type, [&](auto number) -> weir::Result<Words> {
        Words words;
        std::string text;
        while (file >> text) {
            if (!parse_number(text, number)) {
                return io_error(path, "'" + text + "' is no " + to_string(type));
            }
            std::array<std::uint32_t, sizeof(number) / 4> parts{};
            std::memcpy(parts.data(), &number, sizeof(number));
            words.insert(words.end(), parts.begin(), parts.end());
            if (words.size() > most_words) {
                return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded,
                                                  path + ": the device binds at most " + std::to_string(most_words) +
                                                      " words (maxStorageBufferRange)"});
            }
        }
        if (file.bad()) {
            return io_error(path, "cannot be read to its end");
        }
        return words;
    });
}

std::string to_text(const Words& words, NumberType type) {
    return with_type(type, [&](auto zero) {
        std::string text;
        for (const auto number : numbers_in<decltype(zero)>(words)) {
            std::array<char, 32> digits{};
            const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
            text.append(digits.data(), end);
            text += '\n';
        }
        return text;
    });
}

std::vector<std::uint64_t> in_unsigned_order(const Words& words, NumberType type) {
    return with_type(type, [&](auto zero) {
        using T = decltype(zero);
        using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
        constexpr Bits sign = std::is_signed_v<T> ? Bits{1} << (sizeof(T) * 8 - 1) : 0;
        std::vector<std::uint64_t> keys;
        keys.reserve(words.size() / words_of(type));
        for (const Bits bits : numbers_in<Bits>(words)) {
            const bool turned = std::is_floating_point_v<T> && (bits & sign) != 0;
            keys.push_back(turned ? static_cast<Bits>(~bits) : bits ^ sign);
        }
        return keys;
    });
}

} // namespace samples
