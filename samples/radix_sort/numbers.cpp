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
#include "common/half.hpp"
#include "common/paths.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "common/text.hpp"

namespace samples {

static_assert(std::endian::native == std::endian::little, "files hold little-endian numbers");

namespace {

constexpr std::array names = {"u8", "i8", "u16", "i16", "f16", "u32", "i32", "f32", "u64", "i64", "f64"};

template <class T>
std::vector<T> numbers_in(const Bytes& bytes) {
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!bytes.empty()) { // data() of an empty vector may be null
        std::memcpy(numbers.data(), bytes.data(), bytes.size());
    }
    return numbers;
}

weir::Error too_many(const std::string& path, NumberType type, std::uint64_t most) {
    return {weir::ErrorCode::limit_exceeded, path + ": the device binds at most " + std::to_string(most) + " " +
                                                 to_string(type) + " (maxStorageBufferRange)"};
}

template <class T>
bool parse_element(std::string_view text, T& element) {
    if constexpr (std::is_same_v<T, weir::Half>) {
        float number = 0;
        const bool is_number = parse_number(text, number);
        element = to_half(number);
        return is_number;
    } else {
        return parse_number(text, element);
    }
}

/// Reads the next word of a text; empty at its end. Returns an error message if a word or a run of white space is too
/// long to be text of numbers. This stops endless input.
std::string next_word(std::istream& text, std::string& word) {
    constexpr std::size_t longest = 4096; // more than the digits of any number
    constexpr std::size_t widest = std::size_t{1} << 20;
    const auto is_space = [](int letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); };
    int letter = text.get();
    for (std::size_t spaces = 0; is_space(letter); letter = text.get()) {
        if (++spaces > widest) {
            return "has more than 2^20 characters of white space in a row";
        }
    }
    word.clear();
    for (; letter != std::istream::traits_type::eof() && !is_space(letter); letter = text.get()) {
        if (word.size() == longest) {
            return "has more than " + std::to_string(longest) + " characters without white space: " + in_quotes(word);
        }
        word += static_cast<char>(letter);
    }
    return {};
}

template <class T>
constexpr bool is_real = std::is_floating_point_v<T> || std::is_same_v<T, weir::Half>;

} // namespace

std::string to_string(NumberType type) {
    return names.at(static_cast<std::size_t>(type));
}

bool parse_type(std::string_view name, NumberType& type) {
    const auto* const at = std::find(names.begin(), names.end(), name);
    type = static_cast<NumberType>(at - names.begin());
    return at != names.end();
}

weir::Result<Bytes> read_bytes(const std::string& path, NumberType type, std::uint64_t most) {
    Bytes bytes;
    const auto is_whole = append_file(path, most * bytes_of(type), bytes);
    SAMPLES_PROPAGATE(is_whole);
    if (!*is_whole) {
        return tl::unexpected(too_many(path, type, most));
    }
    if (bytes.size() % bytes_of(type) != 0) {
        return io_error(path,
                        "has " + std::to_string(bytes.size()) + " bytes, not a whole number of " + to_string(type));
    }
    return bytes;
}

weir::Result<Bytes> read_numbers(const std::string& path, NumberType type, std::uint64_t most) {
    std::error_code error;
    if (std::filesystem::is_directory(path_of(path), error)) {
        return io_error(path, "is a directory");
    }
    std::ifstream file(path_of(path), std::ios::binary);
    if (!file) {
        return io_error(path, std::strerror(errno));
    }
    Progress progress("read");
    return with_type(type, [&](auto number) -> weir::Result<Bytes> {
        Bytes bytes;
        std::string text;
        while (true) {
            if (const std::string why = next_word(file, text); !why.empty()) {
                return io_error(path, why);
            }
            if (text.empty()) {
                break;
            }
            if (!parse_element(text, number)) {
                return io_error(path, in_quotes(text) + " is not of type " + to_string(type));
            }
            const auto parts = std::bit_cast<std::array<char, sizeof(number)>>(number);
            bytes.insert(bytes.end(), parts.begin(), parts.end());
            if (bytes.size() / sizeof(number) > most) {
                return tl::unexpected(too_many(path, type, most));
            }
        }
        if (file.bad()) {
            return io_error(path, "cannot be read to its end");
        }
        return bytes;
    });
}

std::string to_text(const Bytes& bytes, NumberType type) {
    return with_type(type, [&](auto zero) {
        std::string text;
        std::array<char, 32> digits{};
        const auto digits_of = [&](auto number) {
            return std::string_view(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
        };
        for (const auto number : numbers_in<decltype(zero)>(bytes)) {
            if constexpr (std::is_same_v<decltype(zero), weir::Half>) {
                text += digits_of(to_float(number));
            } else {
                text += digits_of(number);
            }
            text += '\n';
        }
        return text;
    });
}

std::vector<std::uint64_t> in_unsigned_order(const Bytes& bytes, NumberType type) {
    return with_type(type, [&](auto zero) {
        using T = decltype(zero);
        using Narrow = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
        using Wide = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        using Bits = std::conditional_t<(sizeof(T) < 4), Narrow, Wide>;
        constexpr Bits sign = is_real<T> || std::is_signed_v<T> ? Bits{1} << (sizeof(T) * 8 - 1) : 0;
        std::vector<std::uint64_t> keys;
        keys.reserve(bytes.size() / sizeof(T));
        for (const Bits bits : numbers_in<Bits>(bytes)) {
            const bool turned = is_real<T> && (bits & sign) != 0;
            keys.push_back(static_cast<Bits>(turned ? ~bits : bits ^ sign));
        }
        return keys;
    });
}

} // namespace samples
