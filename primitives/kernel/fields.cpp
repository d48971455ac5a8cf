#include "primitives/kernel/fields.hpp"

#include <locale>
#include <optional>
#include <sstream>
#include <string_view>

#include "engine/base/strings.hpp"

namespace weir {

namespace {

struct FieldType {
    std::string_view name;
    std::string_view to_word, from_word; ///< conversions of one component
    std::uint32_t words;
};
constexpr std::string_view bits_of_float = "floatBitsToUint", float_of_bits = "uintBitsToFloat";
constexpr FieldType field_types[] = {
    {"uint", "uint", "uint", 1},
    {"uvec2", "uint", "uint", 2},
    {"uvec3", "uint", "uint", 3},
    {"uvec4", "uint", "uint", 4},
    {"int", "uint", "int", 1},
    {"ivec2", "uint", "int", 2},
    {"ivec3", "uint", "int", 3},
    {"ivec4", "uint", "int", 4},
    {"float", bits_of_float, float_of_bits, 1},
    {"vec2", bits_of_float, float_of_bits, 2},
    {"vec3", bits_of_float, float_of_bits, 3},
    {"vec4", bits_of_float, float_of_bits, 4},
    {"mat2", bits_of_float, float_of_bits, 4},
    {"double", "unpackDouble2x32", "packDouble2x32", 2},
    {"uint64_t", "unpackUint2x32", "packUint2x32", 2},
    {"int64_t", "uvec2(unpackInt2x32", "packInt2x32", 2},
};

bool is_wide(const FieldType& type) {
    return type.name == "double" || type.name == "uint64_t" || type.name == "int64_t";
}

/// Checks that the device supports the type of a field.
bool is_supported(const FieldType& type, const Capabilities& device) {
    return !is_wide(type) || (type.name == "double" ? device.float64 : device.int64);
}

struct Field {
    const FieldType* type = nullptr;
    std::string name;
};

std::optional<Field> parse_field(const std::string& text) {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    std::string type, name, rest;
    in >> type >> name;
    if (name.empty() || in >> rest) {
        return std::nullopt;
    }
    for (const FieldType& known : field_types) {
        if (known.name == type) {
            return Field{&known, name};
        }
    }
    return std::nullopt;
}

/// Returns GLSL that stores a 64-bit field in two words. `wide_from_words` returns the inverse.
std::string wide_to_words(const Field& field, std::uint32_t word) {
    const std::string bits =
        concat(field.type->to_word, "(value.", field.name, field.type->name == "int64_t" ? "))" : ")");
    return concat("    words[", word, "] = ", bits, ".x;\n    words[", word + 1, "] = ", bits, ".y;\n");
}

std::string wide_from_words(const FieldType& type, std::uint32_t word) {
    return concat(type.from_word, type.name == "int64_t" ? "(ivec2(words[" : "(uvec2(words[", word, "], words[",
                  word + 1, "]))");
}

/// Returns the GLSL for component i of a field, where `field` is the expression for the field.
std::string component(const FieldType& type, const std::string& field, std::uint32_t i) {
    if (type.words == 1) {
        return field;
    }
    return type.name == "mat2" ? concat(field, "[", i / 2, "][", i % 2, "]") : concat(field, "[", i, "]");
}

} // namespace

Result<std::uint32_t> words_of_fields(const std::vector<std::string>& fields, const Capabilities& device) {
    std::uint32_t words = 0;
    const auto fail = [](const std::string& why, ErrorCode code = ErrorCode::invalid_argument) {
        return tl::unexpected(Error{code, why});
    };
    for (const std::string& text : fields) {
        const auto field = parse_field(text);
        if (!field) {
            return fail(
                concat("field '", text,
                       "' is not a type and a name; types are uint, int, float, their vectors, mat2, double, uint64_t "
                       "and int64_t"));
        }
        if (!is_supported(*field->type, device)) {
            return fail(concat("field '", text, "': the device does not support its type"), ErrorCode::unsupported);
        }
        words += field->type->words;
    }
    if (words < 1 || words > 16) {
        return fail(concat("its struct has ", words, " words; 1 to 16 are supported"));
    }
    return words;
}

FieldsGlsl fields_glsl(const std::vector<std::string>& fields) {
    FieldsGlsl glsl;
    for (const std::string& text : fields) {
        const Field field = *parse_field(text);
        glsl.members += concat("    ", text, ";\n");
        glsl.from_words += glsl.words == 0 ? "" : ", ";
        if (is_wide(*field.type)) {
            if (field.type->name != "double") {
                glsl.extensions = "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n";
            }
            glsl.to_words += wide_to_words(field, glsl.words);
            glsl.from_words += wide_from_words(*field.type, glsl.words);
            glsl.words += 2;
            continue;
        }
        glsl.from_words += concat(field.type->name, "(");
        for (std::uint32_t i = 0; i < field.type->words; ++i, ++glsl.words) {
            glsl.to_words += concat("    words[", glsl.words, "] = ", field.type->to_word, "(",
                                    component(*field.type, "value." + field.name, i), ");\n");
            glsl.from_words += concat(i == 0 ? "" : ", ", field.type->from_word, "(words[", glsl.words, "])");
        }
        glsl.from_words += ")";
    }
    return glsl;
}

} // namespace weir
