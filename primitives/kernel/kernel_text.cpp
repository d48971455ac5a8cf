#include "primitives/kernel/kernel_text.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/strings.hpp"

namespace weir {

std::string glsl_version() {
    return "#version 460\n"
           "#extension GL_GOOGLE_include_directive : require\n"
           "#extension GL_GOOGLE_cpp_style_line_directive : require\n"
           "#extension GL_EXT_shader_8bit_storage : enable\n" // for declarations of fused buffers
           "#extension GL_EXT_shader_16bit_storage : enable\n";
}

std::string with_lines(const std::string& text, const std::string& file) {
    return concat("\n#line 1 \"", file, "\"\n", text, "\n#line 1 \"weir\"\n");
}

std::string declare_buffers(const std::vector<FusedBuffer>& buffers, std::uint32_t first_binding,
                            const std::string& name) {
    std::string text;
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        const Access access = buffers[i].binding.access;
        text += concat("layout(set = 0, binding = ", first_binding + i, ") ",
                       access == Access::shader_read    ? "readonly "
                       : access == Access::shader_write ? "writeonly "
                                                        : "",
                       "buffer ", name, i, " {", with_lines(buffers[i].declaration + ";", "buffers"), "};\n");
    }
    return text;
}

FusedValue::FusedValue(std::string name, std::uint32_t value) : name(std::move(name)), value(value) {}
FusedValue::FusedValue(std::string name, std::int32_t value)
    : name(std::move(name)), type("int"), value(std::bit_cast<std::uint32_t>(value)) {}
FusedValue::FusedValue(std::string name, float value)
    : name(std::move(name)), type("float"), value(std::bit_cast<std::uint32_t>(value)) {}
FusedValue::FusedValue(std::string name, const Count& value) : name(std::move(name)), value(value) {}

bool check_values(Graph& graph, const char* primitive, const std::vector<FusedValue>& values) {
    const auto is_name = [](const FusedValue& value) {
        const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
        const auto may_follow = [&](char c) { return is_part(c) || (c >= '0' && c <= '9'); };
        return !value.name.empty() && is_part(value.name[0]) &&
               std::all_of(value.name.begin(), value.name.end(), may_follow);
    };
    const auto wrong = std::find_if_not(values.begin(), values.end(), is_name);
    if (wrong != values.end()) {
        graph.fail(
            {ErrorCode::invalid_argument, concat(primitive, ": '", wrong->name, "' is not a valid name for a value")});
    }
    return wrong == values.end();
}

std::string declare_values(const std::vector<FusedValue>& values) {
    std::string text;
    for (const FusedValue& value : values) {
        text += concat(text.empty() ? "#define VALUES " : " ", value.type, " ", value.name, ";");
    }
    return text.empty() ? text : text + "\n";
}

void push_values(Pass& pass, const std::vector<FusedValue>& values) {
    for (const FusedValue& value : values) {
        pass.push.push_back(value.value);
    }
}

} // namespace weir
