#include "ply_header.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "propagate.hpp"

namespace weir::splats {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Removes the first word of a line and returns it.
std::string_view take_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

std::optional<PlyType> type_of(std::string_view name) {
    constexpr std::pair<std::string_view, PlyType> types[] = {
        {"char", PlyType::i8},   {"int8", PlyType::i8},     {"uchar", PlyType::u8},   {"uint8", PlyType::u8},
        {"short", PlyType::i16}, {"int16", PlyType::i16},   {"ushort", PlyType::u16}, {"uint16", PlyType::u16},
        {"int", PlyType::i32},   {"int32", PlyType::i32},   {"uint", PlyType::u32},   {"uint32", PlyType::u32},
        {"float", PlyType::f32}, {"float32", PlyType::f32}, {"double", PlyType::f64}, {"float64", PlyType::f64},
    };
    const auto* found =
        std::find_if(std::begin(types), std::end(types), [&](const auto& t) { return t.first == name; });
    return found == std::end(types) ? std::nullopt : std::optional(found->second);
}

Result<> add_format(std::string_view line, PlyHeader& header, bool& has_format) {
    constexpr std::pair<std::string_view, PlyEncoding> encodings[] = {
        {"ascii", PlyEncoding::ascii},
        {"binary_little_endian", PlyEncoding::little_endian},
        {"binary_big_endian", PlyEncoding::big_endian},
    };
    const std::string_view name = take_word(line), version = take_word(line);
    const auto* found = std::find_if(std::begin(encodings), std::end(encodings),
                                     [&](const auto& encoding) { return encoding.first == name; });
    if (found == std::end(encodings)) {
        return invalid_file("the PLY file has the unknown format " + in_quotes(name));
    }
    if (version != "1.0") {
        return invalid_file("the PLY file has the unknown version " + in_quotes(version));
    }
    header.encoding = found->second;
    has_format = true;
    return {};
}

Result<> add_element(std::string_view line, PlyHeader& header) {
    const std::string_view name = take_word(line), count = take_word(line);
    PlyElement element{.name = std::string(name)};
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), element.rows);
    if (count.empty() || error != std::errc() || end != count.data() + count.size()) {
        return invalid_file("the PLY file's element " + in_quotes(name) + " has the count " + in_quotes(count) +
                            ", which is not a whole number below 2^64");
    }
    if (header.find(name) != nullptr) {
        return invalid_file("the PLY file has two elements " + in_quotes(name));
    }
    header.elements.push_back(std::move(element));
    return {};
}

Result<> add_property(std::string_view line, PlyHeader& header) {
    if (header.elements.empty()) {
        return invalid_file("the PLY file has a property before its first element");
    }
    PlyElement& element = header.elements.back();
    std::string_view type = take_word(line);
    PlyProperty property{.offset = element.row};
    if (type == "list") {
        const std::string_view length = take_word(line);
        property.length = type_of(length);
        if (!property.length || property.length == PlyType::f32 || property.length == PlyType::f64) {
            return invalid_file("the PLY file has a list whose length has the type " + in_quotes(length) +
                                ", which is not an integer type");
        }
        element.has_list = true;
        type = take_word(line);
    }
    const std::string_view name = take_word(line);
    const auto known = type_of(type);
    if (!known) {
        return invalid_file("the PLY file's property " + in_quotes(name) + " has the unknown type " + in_quotes(type));
    }
    if (name.empty()) {
        return invalid_file("the PLY file's element " + in_quotes(element.name) + " has a property without a name");
    }
    if (element.find(name) != nullptr) {
        return invalid_file("the PLY file's element " + in_quotes(element.name) + " has two properties " +
                            in_quotes(name));
    }
    property.name = name;
    property.type = *known;
    element.row += size_of(*known);
    element.properties.push_back(std::move(property));
    return {};
}

/// Reads a comment of trainers that compensate opacity: "antialiased 1" or "SplatRenderMode: mip".
void take_comment(std::string_view line, PlyHeader& header) {
    const std::string_view key = take_word(line), value = take_word(line);
    if (key == "antialiased") {
        header.is_antialiased = value == "1";
    } else if (key == "SplatRenderMode:") {
        header.is_antialiased = value == "mip";
    }
}

template <class T>
T swapped(const std::byte* at, bool is_swapped) {
    std::array<std::byte, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), at, sizeof(T));
    if (is_swapped) {
        std::reverse(bytes.begin(), bytes.end());
    }
    return load<T>(bytes.data());
}

template <class Use>
auto with_type(PlyType type, const Use& use) {
    switch (type) {
    case PlyType::i8: return use(std::int8_t{});
    case PlyType::u8: return use(std::uint8_t{});
    case PlyType::i16: return use(std::int16_t{});
    case PlyType::u16: return use(std::uint16_t{});
    case PlyType::i32: return use(std::int32_t{});
    case PlyType::u32: return use(std::uint32_t{});
    case PlyType::f64: return use(double{});
    case PlyType::f32: break;
    }
    return use(float{});
}

/// Returns the error for a file that ends within an element.
tl::unexpected<Error> ends_early(const PlyElement& element, std::uint64_t rows) {
    return invalid_file("the PLY file ends after " + std::to_string(rows) + " of " + std::to_string(element.rows) +
                        " rows of element " + in_quotes(element.name));
}

/// Returns the number of bytes of a binary element's rows at the start of `bytes`.
Result<std::size_t> binary_size(Bytes bytes, const PlyElement& element, bool is_swapped) {
    if (!element.has_list) {
        if (element.row != 0 && bytes.size() / element.row < element.rows) {
            return ends_early(element, bytes.size() / element.row);
        }
        return static_cast<std::size_t>(element.rows) * element.row;
    }
    std::size_t at = 0;
    for (std::uint64_t row = 0; row < element.rows; ++row) {
        for (const PlyProperty& property : element.properties) {
            std::uint64_t items = 1;
            if (property.length) {
                const std::size_t size = size_of(*property.length);
                if (bytes.size() - at < size) {
                    return ends_early(element, row);
                }
                items = with_type(*property.length, [&](auto zero) {
                    return static_cast<std::uint64_t>(swapped<decltype(zero)>(bytes.data() + at, is_swapped));
                });
                at += size;
            }
            if (items > (bytes.size() - at) / size_of(property.type)) {
                return ends_early(element, row);
            }
            at += static_cast<std::size_t>(items) * size_of(property.type);
        }
    }
    return at;
}

/// Reads the words of an ASCII file.
class PlyWords {
public:
    explicit PlyWords(std::string_view text) : text_(text) {}

    /// Returns the next word; empty at the end.
    std::string_view next() {
        text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\v\f\n"), text_.size()));
        const std::string_view word = text_.substr(0, text_.find_first_of(" \t\r\v\f\n"));
        text_.remove_prefix(word.size());
        return word;
    }

private:
    std::string_view text_;
};

Result<double> number_in(std::string_view word, const PlyElement& element, std::uint64_t row) {
    if (word.empty()) {
        return ends_early(element, row);
    }
    const std::string_view digits = word.substr(word[0] == '+' ? 1 : 0);
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
        return invalid_file("the PLY file has " + in_quotes(word) + " in place of a number in row " +
                            std::to_string(row) + " of element " + in_quotes(element.name));
    }
    if (error == std::errc::result_out_of_range) { // too large or too small for a double
        return std::abs(number) > 1 ? std::copysign(HUGE_VAL, number) : 0;
    }
    return number;
}

/// Reads an element's rows and passes each number of a property without a list to `use`.
template <class Use>
Result<> read_words(PlyWords& words, const PlyElement& element, const Use& use) {
    for (std::uint64_t row = 0; row < element.rows && !element.properties.empty(); ++row) {
        for (const PlyProperty& property : element.properties) {
            const auto number = number_in(words.next(), element, row);
            SPLATS_PROPAGATE(number);
            if (!property.length) {
                use(static_cast<float>(*number));
                continue;
            }
            for (double item = 0; item < *number; ++item) {
                SPLATS_PROPAGATE(number_in(words.next(), element, row));
            }
        }
    }
    return {};
}

Result<PlyRows> ascii_rows(Bytes bytes, const PlyHeader& header, const PlyElement& element) {
    PlyWords words(text_of(bytes.subspan(header.size)));
    for (const PlyElement* before = header.elements.data(); before != &element; ++before) {
        SPLATS_PROPAGATE(read_words(words, *before, [](float) {}));
    }
    PlyRows rows{.converted = std::make_shared<PlyElement>(element), .numbers = std::make_shared<std::vector<float>>()};
    const std::size_t columns = element.properties.size();
    if (bytes.size() / 2 < columns * element.rows) { // a number takes two bytes or more
        return ends_early(element, 0);
    }
    rows.numbers->reserve(static_cast<std::size_t>(element.rows) * columns);
    SPLATS_PROPAGATE(read_words(words, element, [&](float number) { rows.numbers->push_back(number); }));
    for (std::size_t i = 0; i < columns; ++i) {
        rows.converted->properties[i].type = PlyType::f32;
        rows.converted->properties[i].offset = i * sizeof(float);
    }
    rows.converted->row = columns * sizeof(float);
    rows.element = rows.converted.get();
    rows.begin = reinterpret_cast<const std::byte*>(rows.numbers->data());
    return rows;
}

} // namespace

std::size_t size_of(PlyType type) {
    return with_type(type, [](auto zero) { return sizeof(zero); });
}

const PlyProperty* PlyElement::find(std::string_view property) const {
    const auto found =
        std::find_if(properties.begin(), properties.end(), [&](const auto& p) { return p.name == property; });
    return found == properties.end() ? nullptr : &*found;
}

const PlyElement* PlyHeader::find(std::string_view element) const {
    const auto found = std::find_if(elements.begin(), elements.end(), [&](const auto& e) { return e.name == element; });
    return found == elements.end() ? nullptr : &*found;
}

Result<PlyHeader> read_ply_header(Bytes bytes) {
    PlyHeader header;
    bool has_format = false;
    const std::string_view text = text_of(bytes);
    for (std::size_t at = text.find('\n') + 1;;) { // after the line "ply"
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos) {
            return invalid_file("the PLY file has no line 'end_header'");
        }
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        const std::string_view word = take_word(line);
        Result<> done;
        if (word == "end_header") {
            header.size = at;
            break;
        }
        if (word == "comment") {
            take_comment(line, header);
        } else if (word == "format") {
            done = add_format(line, header, has_format);
        } else if (word == "element") {
            done = add_element(line, header);
        } else if (word == "property") {
            done = add_property(line, header);
        } else if (word != "obj_info" && !word.empty()) {
            return invalid_file("the header of the PLY file has a line that begins with " + in_quotes(word));
        }
        SPLATS_PROPAGATE(done);
    }
    if (!has_format) {
        return invalid_file("the header of the PLY file has no line 'format'");
    }
    return header;
}

Result<PlyRows> rows_of(Bytes bytes, const PlyHeader& header, const PlyElement& element) {
    if (element.has_list) {
        return invalid_file("the PLY file's element " + in_quotes(element.name) +
                            " has a list, which is not supported");
    }
    if (header.encoding == PlyEncoding::ascii) {
        return ascii_rows(bytes, header, element);
    }
    const bool is_swapped = header.encoding == PlyEncoding::big_endian;
    std::size_t at = header.size;
    for (const PlyElement* before = header.elements.data(); before != &element; ++before) {
        const auto size = binary_size(bytes.subspan(at), *before, is_swapped);
        SPLATS_PROPAGATE(size);
        at += *size;
    }
    SPLATS_PROPAGATE(binary_size(bytes.subspan(at), element, is_swapped));
    return PlyRows{.element = &element, .begin = bytes.data() + at, .is_swapped = is_swapped};
}

float ply_number(const std::byte* at, PlyType type, bool is_swapped) {
    return with_type(type, [&](auto zero) { return static_cast<float>(swapped<decltype(zero)>(at, is_swapped)); });
}

} // namespace weir::splats
