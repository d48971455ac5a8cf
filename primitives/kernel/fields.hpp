#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>

// The fields of an application's struct, as "TYPE NAME", in memory order.

namespace weir {

/// The number of words of a struct with these fields. Errors: `invalid_argument` for fields that cannot be parsed;
/// `unsupported` for those of 64 bits on a device without such numbers.
Result<std::uint32_t> words_of_fields(const std::vector<std::string>& fields, const Capabilities& device);

/// GLSL of a struct with valid fields.
struct FieldsGlsl {
    std::uint32_t words = 0;
    std::string extensions; ///< directives that come before
    std::string members;    ///< declarations
    std::string to_words;   ///< statements that set words[i] by `value`, a struct
    std::string from_words; ///< arguments of the struct's constructor, by words[i]
};
FieldsGlsl fields_glsl(const std::vector<std::string>& fields);

} // namespace weir
