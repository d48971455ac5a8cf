#include "engine/shader_library.hpp"

#include "weir_shaders.hpp"

namespace weir {

std::optional<std::string_view> shader_library(std::string_view path) {
    for (const shaders::Text& one : shaders::texts) {
        if (one.path == path) {
            return one.text;
        }
    }
    return std::nullopt;
}

} // namespace weir
