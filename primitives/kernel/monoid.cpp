#include "primitives/kernel/monoid.hpp"

#include "engine/base/strings.hpp"
#include "primitives/kernel/fields.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/precise.hpp"

namespace weir {

Result<std::uint32_t> monoid_words(const Monoid& monoid, const Capabilities& device) {
    auto words = words_of_fields(monoid.fields, device);
    if (!words) {
        return tl::unexpected(Error{words.error().code, concat("monoid '", monoid.name, "': ", words.error().message)});
    }
    return words;
}

std::string monoid_glsl(const Monoid& monoid, const std::string& declarations) {
    const FieldsGlsl fields = fields_glsl(monoid.fields);
    // The result of combine is precise, so that it is rounded the same way at every call.
    return concat(fields.extensions,
                  "#define WEIR_CUSTOM_MONOID\n#define WEIR_T T\n#define WEIR_T_VALUE T\n#define WEIR_T_WORDS ",
                  fields.words, "\n#define WEIR_MONOID_COMMUTES ", monoid.commutes ? 1 : 0,
                  monoid.exact ? "\n#define WEIR_MONOID_EXACT" : "", "\nstruct T {\n", fields.members, "};\n",
                  declarations, with_lines(with_precise_functions(monoid.functions), monoid.name + ".functions"),
                  "T weir_identity() {\n    return", with_lines(monoid.identity, monoid.name + ".identity"),
                  ";\n}\nprecise T weir_combine(T left, T right) {",
                  with_lines(monoid.combine, monoid.name + ".combine"),
                  "}\nvoid weir_to_words(T value, out uint words[WEIR_T_WORDS]) {\n", fields.to_words,
                  "}\nT weir_from_words(uint words[WEIR_T_WORDS]) {\n    return T(", fields.from_words, ");\n}\n");
}

} // namespace weir
