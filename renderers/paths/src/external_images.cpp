#include "external_images.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "weir_paths_shaders.hpp"

namespace weir::paths {

namespace {

Pass image_pass(const char* name, std::span<const std::uint32_t> shader) {
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, name);
    return pass;
}

void add_copy_of(const GraphCall& graph, const ExternalImage& image, ImageId id, BufferId texels) {
    Pass pass = image_pass("copy image", weir_paths::shaders::image);
    pass.bindings = {sampled(id), write(texels)};
    pass.push = {image.width, image.height,
                 (image.is_opaque ? 1U : 0U) | (image.is_premultiplied ? 2U : 0U) | (image.is_linear ? 4U : 0U)};
    pass.dispatch = Dispatch::groups((image.width + 15) / 16, (image.height + 15) / 16);
    graph->add_pass(std::move(pass));
}

void add_mipmaps(const GraphCall& graph, const ExternalImage& image, BufferId texels) {
    constexpr std::uint32_t small = 1U << 13; // texels whose mipmaps a single workgroup computes
    std::uint32_t width = image.width, height = image.height, first = 0;
    std::uint32_t left = static_cast<std::uint32_t>(std::bit_width(std::max(width, height))) - 1;
    while (left != 0) {
        const std::uint32_t count = width * height, next = std::max(1U, width / 2) * std::max(1U, height / 2);
        const std::uint32_t levels = count <= small ? left : 1;
        Pass pass = image_pass("reduce image", weir_paths::shaders::mipmaps);
        pass.bindings = {read_write(texels)};
        pass.push = {first, width, height, levels};
        pass.dispatch = Dispatch::groups(levels == left ? 1 : std::min((next + 255) / 256, 65535U));
        graph->add_pass(std::move(pass));
        left -= levels;
        first += count;
        width = std::max(1U, width / 2);
        height = std::max(1U, height / 2);
    }
}

Error wrong_number(const char* caller, std::size_t given, std::size_t needed) {
    return {ErrorCode::invalid_argument, std::string(caller) + ": the scene has " + std::to_string(needed) +
                                             " external images and " + std::to_string(given) + " are given"};
}

} // namespace

bool add_images(const GraphCall& graph, SceneBuffers& scene, std::span<const ImageId> images) {
    if (images.size() != scene.images.size()) {
        graph->fail(wrong_number("fine", images.size(), scene.images.size()));
        return false;
    }
    if (images.empty()) {
        return true;
    }
    scene.image_texels =
        graph->transient_buffer<std::uint32_t>("texels of images", static_cast<std::uint32_t>(texels_of(scene.images)));
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
        const auto count = static_cast<std::uint32_t>(texels_of(scene.images[i]));
        const auto texels = graph->part(scene.image_texels, first, count); // images do not wait for each other
        add_copy_of(graph, scene.images[i], images[i], texels);
        add_mipmaps(graph, scene.images[i], texels);
        first += count;
    }
    return true;
}

Result<> check_images(const SceneShape& scene, std::span<const BoundExternal> images) {
    if (images.size() != scene.images.size()) {
        return tl::unexpected(wrong_number("drawing", images.size(), scene.images.size()));
    }
    return {};
}

std::vector<Access> accesses_of(std::span<const BoundExternal> images) {
    std::vector<Access> accesses;
    for (const BoundExternal& image : images) {
        accesses.push_back(image.access);
    }
    return accesses;
}

std::vector<ImageId> import_images(Graph& graph, const SceneShape& scene, std::span<const BoundExternal> images) {
    std::vector<ImageId> imports;
    for (std::size_t i = 0; i < images.size(); ++i) {
        const ImageInfo info{.format = VK_FORMAT_R8G8B8A8_UNORM, // views may have another format
                             .extent = {scene.images[i].width, scene.images[i].height, 1}};
        imports.push_back(graph.import_image("external image " + std::to_string(i), info, images[i].access));
        graph.export_image(imports.back(), images[i].access);
    }
    return imports;
}

Result<> bind_images(Program& program, std::span<const ImageId> imports, std::span<const BoundExternal> images) {
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (auto bound = program.bind(imports[i], images[i].image); !bound) {
            return bound;
        }
    }
    return {};
}

} // namespace weir::paths
