#pragma once

#include <optional>
#include <string_view>

namespace weir {

/// The text of a file of Weir's shader library by the path it is included by, for instance "weir/dispatch.glsl".
std::optional<std::string_view> shader_library(std::string_view path);

} // namespace weir
