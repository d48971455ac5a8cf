#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>

// Fields of an application's struct, written as "TYPE NAME", in memory order.

namespace weir {

/// Returns the number of words of a struct with these fields. Errors: `invalid_argument` for fields that cannot be
/// parsed, or a struct that does not have 1 to 16 words; `unsupported` for 64-bit fields on a device without such
/// numbers.
Result<std::uint32_t> words_of_fields(const std::vector<std::string>& fields, const Capabilities& device);

/// GLSL of a struct with valid fields.
struct FieldsGlsl {
    std::uint32_t words = 0;
    std::string extensions; ///< #extension directives, which come first
    std::string members;    ///< member declarations
    std::string to_words;   ///< statements that set words[i] from the struct `value`
    std::string from_words; ///< arguments of the struct's constructor, from words[i]
};
FieldsGlsl fields_glsl(const std::vector<std::string>& fields);

} // namespace weir
