#pragma once

// The graph of a frame of a deferred renderer: 57 passes, with a trivial kernel in each compute pass. See
// deferred_frame.cpp, which runs it.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <weir/graph/command_pass.hpp>
#include <weir/graph/description.hpp>
#include <weir/graph/graph.hpp>
#include <weir/graph/plan.hpp>

namespace deferred {

/// Records a pass that draws to `targets`, color images and at most one depth image.
using Draw =
    std::function<void(VkCommandBuffer, const weir::CommandPassContext&, const std::vector<weir::ImageId>& targets)>;

/// Returns a kernel that adds one texel of each image and one word of each buffer that it reads, and writes the sum to
/// all others.
inline std::string kernel(const weir::Graph& graph, const std::vector<weir::Binding>& bindings) {
    std::string text = "#version 460\n#extension GL_EXT_samplerless_texture_functions : require\n"
                       "layout(local_size_x = 8, local_size_y = 8) in;\n";
    std::string reads = "    vec4 sum = vec4(0);\n", writes;
    for (std::size_t i = 0; i < bindings.size(); ++i) {
        const auto& resource = graph.description().resources[bindings[i].resource.index];
        const std::string number = std::to_string(i), name = "at_" + number, at = "layout(binding = " + number;
        if (!resource.image) {
            text += at + ") buffer Buffer" + number + " { uint " + name + "[]; };\n";
            (weir::writes(bindings[i].access) ? writes : reads) +=
                weir::writes(bindings[i].access) ? "    if (at == ivec2(0)) " + name + "[0] = uint(sum.x);\n"
                                                 : "    sum.x += float(" + name + "[0]);\n";
        } else if (bindings[i].access == weir::Access::sampled_read) {
            const bool is_array = resource.image->layers > 1;
            text += at + ") uniform texture2D" + (is_array ? "Array " : " ") + name + ";\n";
            reads += "    sum += texelFetch(" + name + ", " + (is_array ? "ivec3(0)" : "ivec2(0)") + ", 0);\n";
        } else {
            const bool is_float = resource.image->format == VK_FORMAT_R32_SFLOAT;
            text += at + (is_float ? ", r32f" : ", rgba16f") + ") writeonly uniform image2D " + name + ";\n";
            writes += "    imageStore(" + name + ", at, sum);\n";
        }
    }
    return text + "void main() {\n    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n" + reads + writes + "}\n";
}

/// A frame of `width` x `height` pixels.
class Frame {
public:
    Frame(weir::Graph& graph, std::uint32_t width, std::uint32_t height, Draw draw)
        : graph_(graph), width_(width), height_(height), draw_(std::move(draw)) {
        add_geometry();
        add_lighting();
        add_post();
    }

    weir::HostData camera;                            ///< 64 bytes
    weir::Switch shadows, fog, effects, antialiasing; ///< parts of the frame
    weir::ImageId output;                             ///< the frame, exported for a copy

private:
    // [helpers]
    using Images = std::vector<weir::ImageId>;
    static constexpr VkFormat hdr = VK_FORMAT_R16G16B16A16_SFLOAT, one_float = VK_FORMAT_R32_SFLOAT,
                              depth_format = VK_FORMAT_D32_SFLOAT;

    weir::ImageId image(const std::string& name, VkFormat format, std::uint32_t divisor = 1, std::uint32_t mips = 1) {
        const VkExtent3D extent{std::max(width_ / divisor, 1U), std::max(height_ / divisor, 1U), 1};
        const auto most = static_cast<std::uint32_t>(std::bit_width(std::max(extent.width, extent.height)));
        return graph_.transient_image(name, {.format = format, .extent = extent, .mips = std::min(mips, most)});
    }
    [[nodiscard]] const weir::ImageInfo& info(weir::ResourceId image) const {
        return *graph_.description().resources[image.index].image;
    }
    /// Adds a compute pass with one invocation per texel of the last image that it writes.
    void compute(const std::string& name, std::vector<weir::Binding> bindings) {
        weir::Pass pass{.name = name, .shader = weir::ShaderSource::glsl(kernel(graph_, bindings), name)};
        pass.dispatch = weir::Dispatch::groups(1);
        for (const weir::Binding& binding : bindings) {
            if (weir::writes(binding.access) && graph_.description().resources[binding.resource.index].image) {
                const auto& [width, height, depth] = info(binding.resource).extent;
                pass.dispatch = weir::Dispatch::groups((width + 7) / 8, (height + 7) / 8);
            }
        }
        pass.bindings = std::move(bindings);
        graph_.add_pass(std::move(pass));
    }
    /// Adds a pass that draws to `targets` and reads `inputs`.
    void draw(const std::string& name, std::vector<weir::Use> targets, const std::vector<weir::Use>& inputs = {}) {
        Images images;
        for (const weir::Use& target : targets) {
            images.push_back({target.resource});
        }
        targets.insert(targets.end(), inputs.begin(), inputs.end());
        graph_.add_command_pass(
            {.name = name,
             .uses = std::move(targets),
             .record = [record = draw_, images](VkCommandBuffer commands, const weir::CommandPassContext& context) {
                 record(commands, context, images);
             }});
    }
    // [/helpers]

    // [geometry]
    void add_geometry() {
        using enum weir::Access;
        camera = graph_.host_data("camera", 64);
        view_ = graph_.transient_buffer<std::uint32_t>("view", 16);
        draws_ = graph_.transient_buffer<std::uint32_t>("draws", 1 << 12);
        particles_ = graph_.state_buffer<std::uint32_t>("particles", 1 << 16);
        depth_ = image("depth", depth_format);
        graph_.add_update("update view", camera, view_);
        compute("cull", {read(view_), write(draws_)});
        draw("depth prepass", {{depth_, depth_write}}, {{draws_, indirect_read}, {view_, uniform_read}});
        hiz_ = image("hi-z", one_float, 2, 10);
        weir::ImageId from = depth_;
        for (std::uint32_t mip = 0; mip < info(hiz_).mips; ++mip) { // each level from the one before
            const weir::ImageId to = graph_.part(hiz_, {.mip = mip, .mips = 1});
            compute("hi-z " + std::to_string(mip), {sampled(from), write(to)});
            from = to;
        }
        {
            auto on_compute = graph_.on_queue(weir::QueueKind::compute); // while the main queue draws shadows
            const weir::ImageId raw = image("raw occlusion", hdr, 2), half = image("half blurred", hdr, 2);
            occlusion_ = image("occlusion", hdr, 2);
            compute("ssao", {sampled(hiz_), read(view_), write(raw)});
            compute("ssao blur x", {sampled(raw), write(half)});
            compute("ssao blur y", {sampled(half), write(occlusion_)});
            compute("move particles", {read(view_), weir::read_write(particles_)});
        }
        shadow_ = graph_.transient_image("shadow", {.format = depth_format, .extent = {256, 256, 1}, .layers = 4});
        shadows = graph_.add_switch("shadows");
        for (std::uint32_t cascade = 0; cascade < 4; ++cascade) {
            auto if_on = graph_.only_if(shadows);
            draw("shadow " + std::to_string(cascade),
                 {{graph_.part(shadow_, {.layer = cascade, .layers = 1}), depth_write}}, {{draws_, indirect_read}});
        }
        albedo_ = image("albedo", VK_FORMAT_R8G8B8A8_UNORM);
        normal_ = image("normal", hdr);
        motion_ = image("motion", hdr);
        draw("g-buffer", {{albedo_, color_write}, {normal_, color_write}, {motion_, color_write}, {depth_, depth_read}},
             {{draws_, indirect_read}, {view_, uniform_read}});
        draw("decals", {{albedo_, color_read_write}, {depth_, depth_read}}, {{draws_, indirect_read}});
    }
    // [/geometry]

    // [lighting]
    void add_lighting() {
        using enum weir::Access;
        const auto bounds = graph_.transient_buffer<std::uint32_t>("cluster bounds", 1 << 12);
        const auto lights = graph_.transient_buffer<std::uint32_t>("cluster lights", 1 << 14);
        const weir::ImageId density = image("fog density", hdr, 8), scattered = image("fog", hdr, 8);
        compute("cluster bounds", {read(view_), sampled(depth_), write(bounds)});
        compute("cluster lights", {read(bounds), write(lights)});
        fog = graph_.add_switch("fog");
        {
            auto if_on = graph_.only_if(fog);
            compute("fog density", {read(view_), write(density)});
            compute("fog scattering", {sampled(density), read(lights), write(scattered)});
        }
        light_ = image("light", hdr);
        draw("lighting", {{light_, color_write}},
             {{albedo_, fragment_shader_read},
              {normal_, fragment_shader_read},
              {depth_, fragment_shader_read},
              {occlusion_, fragment_shader_read},
              {shadow_, fragment_shader_read},
              {lights, fragment_shader_read}});
        draw("sky", {{light_, color_read_write}, {depth_, depth_read}});
        {
            auto if_on = graph_.only_if(fog);
            draw("apply fog", {{light_, color_read_write}}, {{scattered, fragment_shader_read}});
        }
        effects = graph_.add_switch("effects");
        {
            auto if_on = graph_.only_if(effects);
            const weir::ImageId hits = image("reflection hits", hdr, 2), rough = image("reflections", hdr, 2);
            compute("trace reflections", {sampled(hiz_), sampled(normal_), sampled(light_), write(hits)});
            compute("filter reflections", {sampled(hits), write(rough)});
            draw("apply reflections", {{light_, color_read_write}}, {{rough, fragment_shader_read}});
        }
        draw("transparent", {{light_, color_read_write}, {depth_, depth_read}}, {{draws_, indirect_read}});
        draw("particles", {{light_, color_read_write}, {depth_, depth_read}}, {{particles_, vertex_shader_read}});
    }
    // [/lighting]

    // [post]
    void add_post() {
        using enum weir::Access;
        const weir::HistoryImage colors =
            graph_.history_image("color", {.format = hdr, .extent = {width_, height_, 1}});
        compute("temporal antialiasing",
                {sampled(light_), sampled(motion_), sampled(colors.previous), write(colors.current)});
        weir::ImageId color = colors.current;
        const weir::ImageId tiles = image("tiles", hdr, 16), around = image("tile neighbors", hdr, 16),
                            blurred = image("blurred", hdr);
        compute("motion tiles", {sampled(motion_), write(tiles)});
        compute("motion neighbors", {sampled(tiles), write(around)});
        compute("motion blur", {sampled(color), sampled(around), write(blurred)});
        color = blurred;

        const weir::ImageId bloom = image("bloom", hdr, 2, 6);
        const std::uint32_t mips = info(bloom).mips;
        Images levels;
        for (std::uint32_t mip = 0; mip < mips; ++mip) {
            levels.push_back(graph_.part(bloom, {.mip = mip, .mips = 1}));
            compute("bloom down " + std::to_string(mip),
                    {sampled(mip == 0 ? color : levels[mip - 1]), write(levels[mip])});
        }
        const weir::ImageId glow = image("glow", hdr, 2, 5);
        weir::ImageId below = levels.back();
        for (std::uint32_t mip = mips - 1; mip-- > 0;) {
            const weir::ImageId to = graph_.part(glow, {.mip = mip, .mips = 1});
            compute("bloom up " + std::to_string(mip), {sampled(below), sampled(levels[mip]), write(to)});
            below = to;
        }

        const auto bins = graph_.transient_buffer<std::uint32_t>("luminance bins", 256);
        const auto exposure = graph_.state_buffer<std::uint32_t>("exposure", 1);
        graph_.add_fill("clear bins", bins, 0);
        compute("luminance histogram", {sampled(color), weir::read_write(bins)});
        compute("expose", {read(bins), weir::read_write(exposure)});

        const weir::ImageId screen = image("screen", VK_FORMAT_R8G8B8A8_UNORM);
        output = image("output", VK_FORMAT_R8G8B8A8_UNORM);
        draw("tone mapping", {{screen, color_write}},
             {{color, fragment_shader_read}, {below, fragment_shader_read}, {exposure, fragment_shader_read}});
        draw("edges", {{output, color_write}}, {{screen, fragment_shader_read}});
        antialiasing = graph_.add_switch("antialiasing");
        {
            auto if_on = graph_.only_if(antialiasing);
            draw("blend edges", {{output, color_read_write}}, {{screen, fragment_shader_read}});
        }
        draw("user interface", {{output, color_read_write}});
        graph_.export_image(output, transfer_read, {.per_frame = true});
    }
    // [/post]

    weir::Graph& graph_;
    std::uint32_t width_, height_;
    Draw draw_;
    weir::BufferRef<std::uint32_t> view_, draws_, particles_;
    weir::ImageId depth_, hiz_, occlusion_, shadow_, albedo_, normal_, motion_, light_;
};

/// Returns the stage of each pass, for a picture.
inline std::vector<std::string> stages_of(const weir::GraphDescription& graph) {
    const std::vector<std::pair<std::string, std::string>> first_passes = {
        {"update view", "geometry"}, {"hi-z 0", "hi-z"},
        {"ssao", "compute queue"},   {"shadow 0", "shadows"},
        {"g-buffer", "g-buffer"},    {"cluster bounds", "lights and fog"},
        {"lighting", "lighting"},    {"temporal antialiasing", "motion"},
        {"bloom down 0", "bloom"},   {"clear bins", "exposure"},
        {"tone mapping", "screen"}};
    std::vector<std::string> stages;
    std::string stage;
    for (const auto& pass : graph.passes) {
        for (const auto& [first, name] : first_passes) {
            stage = pass.name == first ? name : stage;
        }
        stages.push_back(stage);
    }
    return stages;
}

} // namespace deferred
