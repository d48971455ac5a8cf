#include "culling/pyramid.hpp"

#include <string>

#include "weir_culling_shaders.hpp"

#include "culling/visibility.hpp"

namespace samples::culling {

weir::BufferRef<float> add_pyramid(const weir::GraphCall& graph, weir::ImageId depth, std::uint32_t width,
                                   std::uint32_t height) {
    namespace shaders = weir_culling::shaders;
    const auto levels = pyramid_levels_of(width, height);
    const auto pyramid = graph->transient_buffer<float>("pyramid", levels.back().first + 1);
    PyramidLevel from = {0, width, height};
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const PyramidLevel& to = levels[i];
        const auto words = i == 0 ? shaders::pyramid_base : shaders::pyramid_level;
        weir::Pass pass;
        pass.name = "pyramid level " + std::to_string(i);
        pass.shader = weir::ShaderSource::spirv({words.begin(), words.end()}, "pyramid");
        if (i == 0) {
            pass.bindings = {write(pyramid), sampled(depth)};
        } else {
            pass.bindings = {read_write(pyramid)};
        }
        pass.push = {from.first, from.width, from.height, to.first, to.width, to.height};
        pass.dispatch = weir::Dispatch::groups((to.width + 7) / 8, (to.height + 7) / 8);
        graph->add_pass(pass);
        from = to;
    }
    return pyramid;
}

} // namespace samples::culling
