#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/primitives/monoid.hpp>
#include <weir/primitives/scan.hpp>

namespace weir {

/// Words of the monoid's struct. Errors: `invalid_argument` for fields that are none.
Result<std::uint32_t> monoid_words(const Monoid& monoid);

/// What a shader that is put together begins with.
inline std::string glsl_version() {
    return "#version 460\n"
           "#extension GL_GOOGLE_include_directive : require\n"
           "#extension GL_GOOGLE_cpp_style_line_directive : require\n";
}

/// GLSL that defines the monoid as shaders/lib/monoid.glsl expects it of CUSTOM_MONOID. Its fields are right.
/// `declarations` comes right after the struct.
std::string monoid_glsl(const Monoid& monoid, const std::string& declarations);

/// The buffers that functions of one's own see, as blocks called `name` and a number.
std::string declare_buffers(const std::vector<FusedBuffer>& buffers, std::uint32_t first_binding,
                            const std::string& name);

/// Whether the values have names that can be; fails the graph if not.
bool check_values(Graph& graph, const char* primitive, const std::vector<FusedValue>& values);

/// The members of a kernel's push constants that the values are; nothing if there are none.
std::string declare_values(const std::vector<FusedValue>& values);

/// Adds the values to the push constants, which they end.
void push_values(Pass& pass, const std::vector<FusedValue>& values);

/// `text` with a directive that makes its lines those of `file`.
std::string with_lines(const std::string& text, const std::string& file);

} // namespace weir
