#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fine_pass.hpp"
#include "weir_paths_shaders.hpp"

namespace weir::paths {

namespace {

Pass kernel(const char* name, std::span<const std::uint32_t> shader) {
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, name);
    return pass;
}

} // namespace

EffectBuffers add_effect_places(const GraphCall& graph, const SceneBuffers& scene, const View& picture, HostData data,
                                std::uint32_t capacity) {
    const SampleView view = samples_of(picture);
    EffectBuffers out;
    out.capacity = std::max(1U, capacity);
    out.effects = graph->transient_buffer<std::array<std::uint32_t, 8>>("places of effects", scene.effects.capacity);
    out.places =
        graph->transient_buffer<std::array<std::uint32_t, 16>>("places of operations", scene.effect_ops.capacity);
    out.groups =
        graph->transient_buffer<std::array<std::uint32_t, 4>>("workgroups of effects", scene.effect_passes.capacity);
    out.needed = graph->transient_buffer<std::uint32_t>("tiles of effects needed", 1);
    Pass pass = kernel("place effects", weir_paths::shaders::place);
    pass.bindings = {read(scene.effects),      read(scene.effect_ops),  read(scene.effect_passes),
                     write_first(out.effects), write_first(out.places), write(out.groups),
                     write(out.needed)};
    std::uint32_t count = 0, ops = 0; // buffers may have capacity for more
    for (std::uint32_t index = 0; index < scene.passes.size(); ++index) {
        count += index % effect_kernels == 0 ? scene.passes[index].count : 0; // each effect draws its layer once
        ops += scene.passes[index].count;
    }
    pass.push = {data,       view.width, view.height, count, ops, out.capacity, fine_shape(graph->capabilities()).tiles,
                 view.across};
    pass.dispatch = Dispatch::groups(1);
    graph->add_pass(std::move(pass));
    return out;
}

void add_operations(Pass& pass, const SceneBuffers& scene, const EffectBuffers& effects, std::uint32_t index) {
    pass.push.insert(pass.push.end(), {scene.passes[index].first, scene.passes[index].count, index});
    pass.dispatch = Dispatch::indirect(effects.groups, 4 * index);
}

BufferId add_effects(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& view,
                     HostData data) {
    if (!strips.effects.effects.valid()) {
        graph->fail({ErrorCode::invalid_argument,
                     "fine: the scene has effects and StripBuffers::effects is invalid; see add_effect_places"});
        return {};
    }
    if (scene.effect_depth > max_nested_effects) {
        graph->fail({ErrorCode::limit_exceeded, "fine: layers with effects are nested " +
                                                    std::to_string(scene.effect_depth) + " deep; at most " +
                                                    std::to_string(max_nested_effects) + " are supported"});
        return {};
    }
    const EffectBuffers& effects = strips.effects;
    const auto pictures =
        graph->transient_buffer<std::array<std::uint32_t, 2>>("pictures of effects", effects.capacity * 64);
    Binding access = write_first(pictures); // access of the first pass, which draws layers without effects in them
    const auto or_paints = [&](const auto& records) {
        return read(records.valid() ? BufferId(records) : BufferId(scene.paints));
    };
    for (std::uint32_t index = 0; index < scene.passes.size(); ++index) {
        if (scene.passes[index].count == 0) {
            continue;
        }
        if (index % effect_kernels == 0) {
            add_fine_pass(graph, scene, strips, view, data,
                          {.picture = unused(scene.draws), .pictures = access, .effect_pass = index});
        } else {
            const bool is_blur = index % effect_kernels == 1;
            Pass pass = is_blur ? kernel("blur layers", weir_paths::shaders::effect_blur)
                                : kernel("compute layers", weir_paths::shaders::effect_pixels);
            const auto unless_blur = [&](Binding binding) { return is_blur ? unused(binding.resource) : binding; };
            pass.bindings = {read(scene.effect_ops),
                             unless_blur(or_paints(scene.effect_values)),
                             read(effects.effects),
                             read(effects.places),
                             read(effects.groups),
                             access,
                             unless_blur(read(scene.paints)),
                             unless_blur(or_paints(scene.stops)),
                             unused(scene.paints),
                             unless_blur(or_paints(scene.texels)),
                             unless_blur(or_paints(scene.image_texels))};
            if (!is_blur) {
                pass.constants = {0, 0, 0, 0, 0, 0, has_images_in(scene) ? 1U : 0U, scene.features};
            }
            pass.push = {data};
            add_operations(pass, scene, effects, index);
            graph->add_pass(std::move(pass));
        }
        access = read_write(pictures);
    }
    return pictures;
}

} // namespace weir::paths
