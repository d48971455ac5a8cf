#include <weir/primitives/read_texels.hpp>

#include <algorithm>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

constexpr const char* name = "read texels";
constexpr std::uint32_t workgroup = 16; // texels along both axes

const Packed& kernel_of(TexelFormat format) {
    switch (format) {
    case TexelFormat::rgba16f: return shaders::read_texels_rgba16f;
    case TexelFormat::r32f: return shaders::read_texels_r32f;
    default: return shaders::read_texels_rgba8;
    }
}

} // namespace

BufferRef<std::uint32_t> read_texels(const GraphCall& graph, ImageId image, TexelFormat format, std::uint32_t width,
                                     std::uint32_t height) {
    constexpr std::uint32_t most = 1U << 20;
    const std::uint64_t texels = std::uint64_t{width} * height,
                        words = texels * (format == TexelFormat::rgba16f ? 2 : 1);
    if (texels == 0) {
        graph->fail({ErrorCode::invalid_argument, concat(name, ": an image of ", width, " x ", height, " texels")});
    } else if (std::max(width, height) > most || words > ~0U) {
        graph->fail(
            {ErrorCode::limit_exceeded, concat(name, ": an image of ", width, " x ", height, " texels; at most ", most,
                                               " in a direction and 4294967295 words are supported")});
    }
    const auto room = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(words, 1, ~0U));
    const auto out = graph->transient_buffer<std::uint32_t>("texels", room);
    Pass pass = kernel_pass(name, kernel_of(format));
    pass.bindings = {read(image), write(out)};
    pass.push = {width, height};
    pass.dispatch = Dispatch::groups((width + workgroup - 1) / workgroup, (height + workgroup - 1) / workgroup);
    graph->add_pass(std::move(pass));
    return out;
}

} // namespace weir
