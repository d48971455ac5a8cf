#include "engine/shader/shader_library.hpp"

#include <map>
#include <string>

#include "engine/codec/unpack.hpp"
#include "weir_shaders.hpp"

namespace weir {

std::optional<std::string_view> shader_library(std::string_view path) {
    // Unpacked at the first call, in a few milliseconds, for the rest of the process.
    static const auto texts = [] {
        std::map<std::string_view, std::string> unpacked;
        for (const shaders::Text& one : shaders::texts) {
            unpacked.emplace(one.path, unpack_text(one.text));
        }
        return unpacked;
    }();
    const auto found = texts.find(path);
    return found != texts.end() ? std::optional<std::string_view>(found->second) : std::nullopt;
}

} // namespace weir
