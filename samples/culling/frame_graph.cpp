#include "culling/frame_graph.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/propagate.hpp"
#include "weir_culling_shaders.hpp"

#include "culling/pyramid.hpp"

namespace samples::culling {

namespace {

namespace shaders = weir_culling::shaders;
using weir::BufferRef;
using weir::Comparison;
using weir::Count;
using weir::Dispatch;
using weir::Graph;
using weir::Predicate;
using Words = BufferRef<std::uint32_t>;

constexpr std::uint32_t bins = 256;
constexpr float darkest = -10, brightest = 6; // base-2 logarithms of luminances

weir::Pass make_pass(const char* name, std::span<const std::uint32_t> shader, std::vector<weir::Binding> bindings,
                     Dispatch dispatch) {
    weir::Pass pass;
    pass.name = name;
    pass.shader = weir::ShaderSource::spirv({shader.begin(), shader.end()}, name);
    pass.bindings = std::move(bindings);
    pass.dispatch = dispatch;
    return pass;
}

Dispatch over_pixels(const FrameShape& shape) {
    return Dispatch::groups((shape.width + 15) / 16, (shape.height + 15) / 16);
}

/// Adds the passes of a frame, stage by stage.
class FrameBuilder {
public:
    FrameBuilder(FrameGraph& frame, const FrameShape& shape, DrawFeatures features)
        : frame_(frame), graph_(frame.graph), shape_(shape), features_(features) {}

    void add_inputs() {
        const std::uint32_t room = std::max(1U, shape_.instances); // a buffer must have at least one element
        frame_.view = graph_.host_data("camera", sizeof(View));
        frame_.occlusion = graph_.add_switch("occlusion");
        const auto arrives = weir::Access::none;
        frame_.instances = graph_.import_buffer<Instance>("instances", room, {}, arrives);
        frame_.meshes = graph_.import_buffer<Mesh>("meshes", mesh_kinds, {}, arrives);
        frame_.vertices = graph_.import_buffer<Vertex>("vertices", shape_.vertices, {}, arrives);
        frame_.indices = graph_.import_buffer<std::uint32_t>("indices", shape_.indices, {}, arrives);
        const weir::ImageInfo image{.format = color_format, .extent = {shape_.width, shape_.height, 1}};
        if (shape_.image) {
            frame_.image =
                graph_.import_image("picture", {.format = picture_format, .extent = image.extent}, *shape_.image);
        } else {
            frame_.picture = graph_.import_buffer<std::uint32_t>("picture", shape_.width * shape_.height, {}, arrives);
        }
        frame_.report = graph_.import_buffer<Report>("report", 1, {}, arrives);
        view_ = graph_.transient_buffer<View>("view", 1);
        counts_ = graph_.transient_buffer<Report>("counts", 1);
        graph_.add_update("update view", frame_.view, view_);
        graph_.add_fill("clear counts", counts_, 0);
        color_ = graph_.transient_image("color", image);
        depth_ = graph_.transient_image("depth", {.format = depth_format, .extent = image.extent});
    }

    /// Finds the instances in the view, and among them those that were visible in the last frame.
    void classify() {
        const std::uint32_t room = std::max(1U, shape_.instances);
        const Count all(shape_.instances);
        const auto visible = graph_.history_buffer<std::uint32_t>("visible", room);
        visible_ = visible.current;
        states_ = graph_.transient_buffer<std::uint32_t>("states", room, all);
        graph_.add_pass(make_pass("classify", shaders::classify,
                                  {read(view_), read(frame_.instances), read(frame_.meshes), read(visible.previous),
                                   write(visible_), write(states_)},
                                  Dispatch::elements(all, 256)));
        inside_ =
            select_if(graph_, states_, Predicate::compare(Comparison::less, states_inside), {.want_indices = true});
        graph_.add_copy("count inside", inside_.count, counts_, 4);
        const auto first =
            select_if(graph_, states_, Predicate::compare(Comparison::less, was_hidden), {.want_indices = true});
        add_list(0, first.items, first.indices);
    }

    /// Finds which of the remaining instances are visible, by the depths of the first draws.
    void test() {
        {
            const auto scope = graph_.only_if(frame_.occlusion);
            pyramid_ = add_pyramid(graph_, depth_, shape_.width, shape_.height);
        }
        const Count inside = inside_.items.count;
        const auto late = graph_.transient_buffer<std::uint32_t>("late", states_.capacity, inside);
        const auto depths = graph_.transient_buffer<std::uint32_t>("depths", states_.capacity, inside);
        graph_.add_pass(
            make_pass("test", shaders::test,
                      {read(view_), read(frame_.instances), read(frame_.meshes), sampled(pyramid_), read(inside_.items),
                       read(inside_.indices), read(inside_.count), write(visible_), write(late), write(depths)},
                      Dispatch::elements(inside, 256)));
        const Predicate is_chosen = Predicate::compare(Comparison::not_equal, no_state);
        {
            const auto scope = graph_.only_if(frame_.occlusion);
            const auto found = select_if(graph_, late, is_chosen, {.want_indices = true});
            add_list(1, found.items, gather(graph_, inside_.indices, found.indices));
        }
        add_transparent(select_if(graph_, depths, is_chosen,
                                  {.output = graph_.transient_buffer<std::uint32_t>("distances", most(2)),
                                   .output_indices = graph_.transient_buffer<std::uint32_t>("transparent", most(2))}));
    }

    void draw(std::uint32_t part, const std::shared_ptr<Draws>& draws, const char* name) {
        const FrameList& list = frame_.lists[part];
        Draws::add_to(graph_, draws, name,
                      {.view = view_,
                       .instances = frame_.instances,
                       .vertices = frame_.vertices,
                       .indices = frame_.indices,
                       .color = color_,
                       .depth = depth_,
                       .size = {shape_.width, shape_.height}},
                      {.ids = list.ids, .commands = list.commands, .count = list.count, .most = most(part)});
    }

    void draw_late(const std::shared_ptr<Draws>& draws) {
        const auto scope = graph_.only_if(frame_.occlusion);
        draw(1, draws, "draw late");
    }

    /// Adds exposure and tone mapping: converts light to the colors of a screen.
    void show() {
        const auto luminances = graph_.transient_buffer<float>("luminances", shape_.width * shape_.height);
        graph_.add_pass(
            make_pass("luminance", shaders::luminance, {sampled(color_), write(luminances)}, over_pixels(shape_)));
        const Words counts = histogram(graph_, luminances, weir::Bins::even(bins, darkest, brightest));
        const auto exposure = graph_.state_buffer<float>("exposure", 1);
        weir::Pass expose = make_pass("expose", shaders::exposure, {read(view_), read(counts), read_write(exposure)},
                                      Dispatch::groups(1));
        expose.push = {bins, darkest, brightest};
        graph_.add_pass(std::move(expose));
        const auto picture = shape_.image ? write(frame_.image) : write(frame_.picture);
        graph_.add_pass(make_pass("tone", shape_.image ? shaders::tone_image : shaders::tone_buffer,
                                  {sampled(color_), read(exposure), picture}, over_pixels(shape_)));
        graph_.add_copy("report", counts_, frame_.report, sizeof(Report));
        if (shape_.image) {
            graph_.export_image(frame_.image, *shape_.image);
        } else {
            graph_.export_buffer(frame_.picture, weir::Access::transfer_read);
        }
        graph_.export_buffer(frame_.report, weir::Access::host_read);
    }

    void inspect() {
        const weir::ImageInfo info = pyramid_image(shape_.width, shape_.height);
        for (std::uint32_t mip = 0; mip < info.mips; ++mip) {
            const weir::ImageRegion region{.mip = mip};
            frame_.pyramid.push_back(graph_.transient_buffer<float>(
                "pyramid texels", static_cast<std::uint32_t>(image_bytes(info, region) / sizeof(float))));
            graph_.add_copy("copy pyramid", pyramid_, frame_.pyramid.back(), region);
            graph_.export_buffer(frame_.pyramid.back());
        }
        for (const FrameList& list : frame_.lists) {
            graph_.export_buffer(list.ids);
            graph_.export_buffer(list.commands);
            graph_.export_buffer(list.count);
        }
    }

private:
    /// Returns the maximum number of commands of a part.
    [[nodiscard]] std::uint32_t most(std::uint32_t part) const {
        return part < 2 ? most_buckets : std::max(1U, shape_.transparent);
    }

    void add_list(std::uint32_t part, Words buckets, Words ids) {
        const auto sorted = radix_sort(graph_, buckets, ids, {.end_bit = 8}); // stable: instances keep their order
        add_commands(part, sorted.keys, sorted.values);
    }

    /// Adds the list of transparent instances, farthest first.
    void add_transparent(const weir::SelectResult<std::uint32_t>& found) {
        const Words ids = gather(graph_, inside_.indices, found.indices);
        const Words sorted = radix_sort(graph_, found.items, ids, {.descending = true, .want_keys = false}).values;
        add_commands(2, gather(graph_, states_, sorted), sorted);
    }

    /// Adds one command per run of instances with the same mesh and level.
    void add_commands(std::uint32_t part, Words buckets, Words ids) {
        FrameList& list = frame_.lists[part];
        const auto room = [&](const char* name) { return graph_.transient_buffer<std::uint32_t>(name, most(part)); };
        const auto runs = run_length_encode(graph_, buckets,
                                            {.output_values = room("run buckets"),
                                             .output_lengths = room("run lengths"),
                                             .output_offsets = room("run offsets")});
        list.ids = ids;
        list.count = runs.count;
        list.commands = graph_.transient_buffer<DrawList::Command>("commands", most(part));
        if (!features_.indirect_count) {
            graph_.add_fill("clear commands", list.commands, 0);
        }
        weir::Pass pass = make_pass("make commands", shaders::commands,
                                    {read(runs.values), read(runs.lengths), read(runs.offsets), read(runs.count),
                                     read(frame_.meshes), write(list.commands), read_write(counts_)},
                                    Dispatch::elements(runs.values.count, 64));
        pass.push = {part, most(part)};
        graph_.add_pass(std::move(pass));
    }

    FrameGraph& frame_;
    Graph& graph_;
    const FrameShape& shape_;
    DrawFeatures features_;
    BufferRef<View> view_;
    BufferRef<Report> counts_;
    weir::ImageId color_, depth_, pyramid_;
    Words visible_, states_;
    weir::SelectResult<std::uint32_t> inside_;
};

} // namespace

weir::Result<std::unique_ptr<FrameGraph>>
make_frame_graph(const weir::Context& gpu, const std::shared_ptr<const Pipelines>& pipelines, const FrameShape& shape) {
    std::array<std::shared_ptr<Draws>, 3> draws;
    constexpr std::array kinds = {Draws::Kind::first, Draws::Kind::late, Draws::Kind::transparent};
    for (std::size_t i = 0; i < draws.size(); ++i) {
        auto made = Draws::create(pipelines, kinds[i]);
        SAMPLES_PROPAGATE(made);
        draws[i] = std::move(*made);
    }
    auto frame = std::make_unique<FrameGraph>(gpu);
    FrameBuilder builder(*frame, shape, pipelines->features());
    builder.add_inputs();
    builder.classify();
    builder.draw(0, draws[0], "draw first");
    builder.test();
    builder.draw_late(draws[1]);
    builder.draw(2, draws[2], "draw transparent");
    builder.show();
    if (shape.is_inspected) {
        builder.inspect();
    }
    return frame;
}

std::vector<std::size_t> stages_of_passes(const weir::GraphDescription& graph) {
    constexpr std::array<const char*, stage_names.size()> first_passes = {
        "update view", "draw first", "pyramid level 0", "test", "draw late", "draw transparent", "luminance", "tone"};
    std::vector<std::size_t> stages;
    std::size_t stage = 0;
    for (const auto& pass : graph.passes) {
        for (std::size_t i = stage; i < first_passes.size(); ++i) {
            if (pass.name == first_passes[i]) {
                stage = i;
            }
        }
        stages.push_back(stage);
    }
    return stages;
}

std::array<double, stage_names.size()> stage_times(const weir::Profile& profile) {
    const std::vector<std::size_t> stages = stages_of_passes(*profile.graph);
    std::array<double, stage_names.size()> times{};
    for (const weir::PassTime& pass : profile.passes) {
        times[stages[pass.pass]] += (pass.end_us - pass.begin_us) / 1000;
    }
    return times;
}

} // namespace samples::culling
