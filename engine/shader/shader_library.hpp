#pragma once

#include <optional>
#include <string_view>

namespace weir {

/// Returns the text of a file of Weir's shader library by its include path, for instance "weir/dispatch.glsl"; nullopt
/// if the library has no such file.
std::optional<std::string_view> shader_library(std::string_view path);

} // namespace weir
