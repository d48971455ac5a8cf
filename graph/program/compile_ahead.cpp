#include <weir/graph/compile_ahead.hpp>

#include <limits>
#include <vector>

#include "engine/base/files.hpp"
#include "engine/base/parallel.hpp"
#include "engine/base/strings.hpp"
#include "engine/shader/shader_cache.hpp"
#include "graph/program/declarations.hpp"

namespace weir {

Result<> compile_ahead(std::span<const Graph* const> graphs, const std::string& file) {
    std::vector<const GraphDescription::PassNode*> passes;
    for (const Graph* graph : graphs) {
        if (graph->description().error) {
            return tl::unexpected(*graph->description().error);
        }
        for (const GraphDescription::PassNode& node : graph->description().passes) {
            const auto* pass = node.compute_pass();
            if (pass != nullptr && (pass->shader.is_glsl() || pass->shader.is_hlsl())) {
                passes.push_back(&node);
            }
        }
    }
    ShaderCache shaders({.max_bytes = std::numeric_limits<std::size_t>::max()});
    const auto failed = first_error(passes.size(), parallel_for(0), [&](std::size_t i) {
        return shaders.get(passes[i]->compute_pass()->shader).map([](const auto&) {});
    });
    if (failed) {
        return tl::unexpected(in_pass(*passes[failed->task], failed->error));
    }
    if (const std::string why = shaders.write(path_of(file)); !why.empty()) {
        return tl::unexpected(Error{ErrorCode::io, concat("the shader file ", file, ": ", why)});
    }
    return {};
}

Result<> compile_ahead(const Graph& graph, const std::string& file) {
    const Graph* const only = &graph;
    return compile_ahead({&only, 1}, file);
}

} // namespace weir
