#include "primitives/kernel/fields.hpp"

#include <optional>
#include <sstream>
#include <string_view>

#include "engine/text.hpp"

namespace weir {

namespace {

struct FieldType {
    std::string_view name;
    std::string_view to_word, from_word; ///< conversions of a component
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
};

struct Field {
    const FieldType* type = nullptr;
    std::string name;
};

std::optional<Field> parse_field(const std::string& text) {
    std::istringstream in(text);
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

/// The GLSL for component i of a field, given the expression for the field.
std::string component(const FieldType& type, const std::string& field, std::uint32_t i) {
    if (type.words == 1) {
        return field;
    }
    return type.name == "mat2" ? concat(field, "[", i / 2, "][", i % 2, "]") : concat(field, "[", i, "]");
}

} // namespace

Result<std::uint32_t> words_of_fields(const std::vector<std::string>& fields) {
    std::uint32_t words = 0;
    const auto fail = [](const std::string& why) { return tl::unexpected(Error{ErrorCode::invalid_argument, why}); };
    for (const std::string& text : fields) {
        const auto field = parse_field(text);
        if (!field) {
            return fail(concat("field '", text,
                               "' is not a type and a name; types are uint, int, float, their vectors, and mat2"));
        }
        words += field->type->words;
    }
    if (words < 1 || words > 16) {
        return fail(concat("its struct has ", words, " words; 1 to 16 are possible"));
    }
    return words;
}

FieldsGlsl fields_glsl(const std::vector<std::string>& fields) {
    FieldsGlsl glsl;
    for (const std::string& text : fields) {
        const Field field = *parse_field(text);
        glsl.members += concat("    ", text, ";\n");
        glsl.from_words += concat(glsl.words == 0 ? "" : ", ", field.type->name, "(");
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
