#include "culling/pyramid.hpp"

#include <bit>
#include <string>

#include "weir_culling_shaders.hpp"

#include "culling/visibility.hpp"

namespace samples::culling {

weir::ImageInfo pyramid_image(std::uint32_t width, std::uint32_t height) {
    const auto levels = pyramid_levels_of(width, height);
    return {.format = VK_FORMAT_R32_SFLOAT,
            .extent = {std::bit_ceil(levels[0].width), std::bit_ceil(levels[0].height), 1},
            .mips = static_cast<std::uint32_t>(levels.size())};
}

weir::ImageId add_pyramid(const weir::GraphCall& graph, weir::ImageId depth, std::uint32_t width,
                          std::uint32_t height) {
    constexpr auto& words = weir_culling::shaders::pyramid;
    const auto levels = pyramid_levels_of(width, height);
    const weir::ImageId pyramid = graph->transient_image("pyramid", pyramid_image(width, height));
    weir::ImageId from = depth;
    PyramidLevel size = {0, width, height};
    for (std::uint32_t mip = 0; mip < levels.size(); ++mip) {
        const weir::ImageId to = graph->part(pyramid, {.mip = mip, .mips = 1});
        const PyramidLevel& level = levels[mip];
        weir::Pass pass;
        pass.name = "pyramid level " + std::to_string(mip);
        pass.shader = weir::ShaderSource::spirv({words.begin(), words.end()}, "pyramid");
        pass.bindings = {sampled(from), write(to)};
        pass.push = {size.width, size.height, level.width, level.height};
        pass.dispatch = weir::Dispatch::groups((level.width + 7) / 8, (level.height + 7) / 8);
        graph->add_pass(pass);
        from = to;
        size = level;
    }
    return pyramid;
}

} // namespace samples::culling
