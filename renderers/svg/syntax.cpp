#include "svg/syntax.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace weir::svg {

namespace {

using weir::paths::Transform;

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Converts a number in any locale. Values outside the range of float become 0 or infinity.
float to_float(std::string_view text) {
    const bool is_negative = text.front() == '-';
    text.remove_prefix(text.front() == '-' || text.front() == '+' ? 1 : 0);
    float value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc::result_out_of_range) {
        double wide = text.find("e-") == text.npos && text.find("E-") == text.npos && text.front() != '0' ? 1 : 0;
        std::from_chars(text.data(), text.data() + text.size(),
                        wide); // unchanged if out of range
        value = wide < 1 ? 0 : std::numeric_limits<float>::infinity();
    }
    return is_negative ? -value : value;
}

} // namespace

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::size_t find_unquoted(std::string_view text, const std::function<bool(char, int)>& is_end) {
    constexpr std::string_view opening = "([{", closing = ")]}";
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\') {
            ++i;
        } else if (quote != 0) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else {
            depth += opening.find(c) != std::string_view::npos ? 1 : 0;
            depth -= closing.find(c) != std::string_view::npos ? 1 : 0;
            if (is_end(c, depth)) {
                return i;
            }
        }
    }
    return std::string_view::npos;
}

std::size_t end_of_brackets(std::string_view text) {
    const std::size_t last = find_unquoted(text, [](char, int depth) { return depth == 0; });
    return last == std::string_view::npos ? last : last + 1;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    const auto is_end = [&](char c, int depth) { return c == separator && depth <= 0; };
    for (std::size_t end = 0; (end = find_unquoted(text, is_end)) != std::string_view::npos;) {
        parts.push_back(trimmed(text.substr(0, end)));
        text.remove_prefix(end + 1);
    }
    parts.push_back(trimmed(text));
    return parts;
}

std::string_view unquoted(std::string_view text) {
    const bool is_quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'');
    return is_quoted ? text.substr(1, text.size() - 2) : text;
}

float absolute(const Length& length) {
    switch (length.unit) {
    case Length::Unit::in: return length.value * 96;
    case Length::Unit::cm: return length.value * 96 / 2.54F;
    case Length::Unit::mm: return length.value * 96 / 25.4F;
    case Length::Unit::pt: return length.value * 96 / 72;
    case Length::Unit::pc: return length.value * 16;
    default: return length.value;
    }
}

void Scanner::skip_space() {
    while (!rest_.empty() && is_space(rest_.front())) {
        rest_.remove_prefix(1);
    }
}

void Scanner::skip_comma() {
    skip_space();
    if (!rest_.empty() && rest_.front() == ',') {
        rest_.remove_prefix(1);
    }
}

bool Scanner::at_end() {
    skip_space();
    return rest_.empty();
}

std::optional<float> Scanner::number() {
    skip_space();
    std::size_t end = 0;
    const auto at = [&](std::size_t i) { return i < rest_.size() ? rest_[i] : '\0'; };
    const auto digits = [&] {
        const std::size_t begin = end;
        while (is_digit(at(end))) {
            ++end;
        }
        return end - begin;
    };
    end += at(0) == '+' || at(0) == '-' ? 1 : 0;
    std::size_t count = digits();
    if (at(end) == '.') {
        ++end;
        count += digits();
    }
    if (count == 0) {
        return {};
    }
    if (at(end) == 'e' || at(end) == 'E') { // an exponent, not "em" or "ex"
        const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
        if (is_digit(at(end + 1 + sign))) {
            end += 1 + sign;
            digits();
        }
    }
    const float value = to_float(rest_.substr(0, end));
    rest_.remove_prefix(end);
    skip_comma();
    return value;
}

std::optional<Length> Scanner::length() {
    skip_space();
    const std::string_view before = rest_;
    Scanner digits(before);
    const auto value = digits.number();
    if (!value) {
        return {};
    }
    // A unit follows without a space: find the end of the number again.
    std::size_t end = before.size() - digits.rest_.size();
    while (end > 0 && !is_digit(before[end - 1]) && before[end - 1] != '.') {
        --end;
    }
    rest_ = before.substr(end);
    constexpr std::pair<std::string_view, Length::Unit> units[] = {
        {"px", Length::Unit::px}, {"%", Length::Unit::percent}, {"em", Length::Unit::em},
        {"ex", Length::Unit::ex}, {"in", Length::Unit::in},     {"cm", Length::Unit::cm},
        {"mm", Length::Unit::mm}, {"pt", Length::Unit::pt},     {"pc", Length::Unit::pc}};
    Length length{*value};
    for (const auto& [name, unit] : units) {
        if (lower(rest_.substr(0, name.size())) == name) {
            length.unit = unit;
            rest_.remove_prefix(name.size());
            break;
        }
    }
    if (!rest_.empty() && is_letter(rest_.front())) {
        return {};
    }
    skip_comma();
    return length;
}

std::optional<float> Scanner::angle() {
    const auto value = number();
    if (!value) {
        return {};
    }
    const std::string unit = lower(Scanner(rest_).word());
    constexpr std::pair<std::string_view, float> units[] = {
        {"deg", 1.0F}, {"grad", 0.9F}, {"rad", 180 / std::numbers::pi_v<float>}, {"turn", 360.0F}};
    for (const auto& [name, degrees] : units) {
        if (unit == name) {
            word();
            return *value * degrees;
        }
    }
    return value;
}

std::optional<bool> Scanner::flag() {
    skip_space();
    if (rest_.empty() || (rest_.front() != '0' && rest_.front() != '1')) {
        return {};
    }
    const bool value = rest_.front() == '1';
    rest_.remove_prefix(1);
    skip_comma();
    return value;
}

bool Scanner::skip(std::string_view word) {
    skip_space();
    if (rest_.substr(0, word.size()) != word) {
        return false;
    }
    rest_.remove_prefix(word.size());
    return true;
}

char Scanner::character() {
    skip_space();
    if (rest_.empty()) {
        return 0;
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
}

std::string_view Scanner::word() {
    skip_space();
    std::size_t end = 0;
    while (end < rest_.size() && (is_letter(rest_[end]) || is_digit(rest_[end]) || rest_[end] == '-' ||
                                  rest_[end] == '_' || static_cast<unsigned char>(rest_[end]) >= 0x80)) {
        ++end;
    }
    const std::string_view result = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return result;
}

std::vector<float> number_list(std::string_view text) {
    Scanner scanner(text);
    std::vector<float> numbers;
    while (const auto number = scanner.number()) {
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<Length> length_list(std::string_view text) {
    Scanner scanner(text);
    std::vector<Length> lengths;
    while (!scanner.at_end()) {
        const auto length = scanner.length();
        if (!length) {
            return {};
        }
        lengths.push_back(*length);
    }
    return lengths;
}

namespace {

/// Returns the transform of a function with arguments in pixels and degrees.
std::optional<Transform> transform_of(std::string_view name, const float* v, std::size_t count) {
    constexpr float degree = std::numbers::pi_v<float> / 180;
    if (name == "matrix" && count == 6) {
        return Transform{v[0], v[1], v[2], v[3], v[4], v[5]};
    }
    if (name == "translate" && (count == 1 || count == 2)) {
        return Transform::translation(v[0], v[1]);
    }
    if (name == "scale" && (count == 1 || count == 2)) {
        return Transform::scaling(v[0], count == 2 ? v[1] : v[0]);
    }
    if (name == "rotate" && (count == 1 || count == 3)) {
        return Transform::translation(v[1], v[2]) * Transform::rotation(v[0] * degree) *
               Transform::translation(-v[1], -v[2]);
    }
    if (name == "skewx" && count == 1) {
        return Transform{1, 0, std::tan(v[0] * degree), 1, 0, 0};
    }
    if (name == "skewy" && count == 1) {
        return Transform{1, std::tan(v[0] * degree), 0, 1, 0, 0};
    }
    return {};
}

/// Returns the transform of a function that only CSS has.
std::optional<Transform> css_transform_of(std::string_view name, const float* v, std::size_t count) {
    if (count == 1 && (name == "translatex" || name == "translatey")) {
        return name == "translatex" ? Transform::translation(v[0], 0) : Transform::translation(0, v[0]);
    }
    if (count == 1 && (name == "scalex" || name == "scaley")) {
        return name == "scalex" ? Transform::scaling(v[0], 1) : Transform::scaling(1, v[0]);
    }
    if (name == "skew" && (count == 1 || count == 2)) {
        constexpr float degree = std::numbers::pi_v<float> / 180;
        return Transform{1, std::tan(v[1] * degree), std::tan(v[0] * degree), 1, 0, 0};
    }
    return transform_of(name, v, count);
}

/// Parses a list of functions. `argument(scanner, name, i)` parses the argument `i` of the function `name`.
template <class Argument, class Function>
std::optional<Transform> read_functions(std::string_view text, const Argument& argument, const Function& function) {
    Scanner scanner(text);
    Transform all;
    while (!scanner.at_end()) {
        const std::string name = lower(scanner.word());
        float v[6] = {};
        std::size_t count = 0;
        if (!scanner.skip("(")) {
            return {};
        }
        while (!scanner.skip(")")) {
            const std::optional<float> value = count == 6 ? std::nullopt : argument(scanner, name, count);
            if (!value) {
                return {};
            }
            v[count++] = *value;
        }
        scanner.skip(",");
        const auto one = function(name, v, count);
        if (!one) {
            return {};
        }
        all = all * *one;
    }
    return all;
}

} // namespace

std::optional<Transform> read_transform(std::string_view text) {
    return read_functions(
        text, [](Scanner& scanner, std::string_view, std::size_t) { return scanner.number(); }, transform_of);
}

std::optional<Transform> read_css_transform(std::string_view text,
                                            const std::function<float(const Length&, bool)>& pixels) {
    const auto argument = [&](Scanner& scanner, std::string_view name, std::size_t i) -> std::optional<float> {
        if (name == "rotate" || name.starts_with("skew")) {
            const auto angle = scanner.angle();
            scanner.skip(",");
            return angle;
        }
        const auto length = scanner.length();
        if (!length) {
            return {};
        }
        if (name.starts_with("translate")) {
            return pixels(*length, i == 0 && name != "translatey");
        }
        return length->unit == Length::Unit::percent ? length->value / 100 : length->value;
    };
    return read_functions(text, argument, css_transform_of);
}

} // namespace weir::svg
