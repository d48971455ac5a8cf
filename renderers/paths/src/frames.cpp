#include <weir/paths/frames.hpp>

#include <cstring>
#include <utility>

#include "capacities.hpp"
#include "external_images.hpp"
#include "stored_scene.hpp"
#include "weir_paths_shaders.hpp"

namespace weir::paths {

namespace {

/// First word of a report.
enum class State : std::uint32_t { pending, complete, overflowed };

/// Adds a pass that writes to `report` whether every stage had enough capacity, and how much each needs. Returns the
/// number of complete pictures: 0 or 1.
Count add_report(Graph& graph, const StripBuffers& strips, const Sizes& capacities, BufferRef<std::uint32_t> report) {
    const auto complete = graph.transient_buffer<std::uint32_t>("complete", 1);
    const auto& shader = weir_paths::shaders::report;
    Pass pass;
    pass.name = "report";
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, "report");
    pass.bindings = {write(complete), write(report)};
    for (const Stage& stage : stages_of(strips)) {
        const bool is_valid = stage.needed.valid(); // otherwise the scene does not have this stage
        pass.bindings.push_back(weir::read(is_valid ? stage.needed : strips.needed.lines));
        pass.push.emplace_back(is_valid ? room_of(stage, capacities) : 0);
    }
    pass.dispatch = Dispatch::groups(1);
    graph.add_pass(std::move(pass));
    return graph.count_in(complete, 0, 1);
}

} // namespace

Result<FrameRenderer> FrameRenderer::create(const Context& gpu, const Scene& scene, const FrameOptions& options) {
    if (options.frames_in_flight == 0) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "FrameOptions::frames_in_flight is 0; it must be at least 1"});
    }
    FrameRenderer renderer(gpu, options);
    auto stored = StoredScene::create(gpu, scene);
    if (!stored) {
        return tl::unexpected(stored.error());
    }
    renderer.scene_ = std::make_shared<StoredScene>(std::move(*stored));
    renderer.slots_.resize(options.frames_in_flight);
    const std::size_t report_words = 1 + stages_of({}).size();
    for (Slot& slot : renderer.slots_) {
        auto report = gpu.create_buffer(report_words * sizeof(std::uint32_t), MemoryKind::download);
        if (!report) {
            return tl::unexpected(report.error());
        }
        slot.report = std::move(*report);
    }
    return renderer;
}

Result<> FrameRenderer::update(const Scene& scene) {
    return scene_->update(gpu_, scene);
}

/// Reads the report of a complete frame and increases capacities as needed.
Result<> FrameRenderer::read(Slot& slot) {
    if (!std::exchange(slot.is_pending, false)) {
        return {};
    }
    slot.scene.clear();
    const std::vector<Stage> stages = stages_of({});
    std::vector<std::uint32_t> words(1 + stages.size());
    std::memcpy(words.data(), slot.report.mapped(), words.size() * sizeof(std::uint32_t));
    const State state{words[0]};
    if (state == State::pending) { // the frame was not submitted
        return {};
    }
    FrameReport report{.frame = slot.frame, .is_complete = state == State::complete};
    for (std::size_t i = 0; i < stages.size(); ++i) {
        report.needed.*stages[i].size = words[1 + i];
    }
    if (slot.timestamps) {
        auto times = slot.compiled->program->profile(*slot.timestamps);
        if (!times) {
            return tl::unexpected(times.error());
        }
        report.times = std::move(*times);
    }
    if (auto checked = check_needed(report.needed); !checked) {
        return checked;
    }
    report_ = std::move(report);
    if (is_short_) {
        grow(options_.capacities, report_->needed);
    } else {
        grow_ahead(options_.capacities, report_->needed);
    }
    return {};
}

Result<> FrameRenderer::build(const View& view, std::span<const BoundExternal> images) {
    Graph graph(gpu_);
    Compiled made{.width = view.width,
                  .height = view.height,
                  .margin = view.margin,
                  .coverage = view.coverage,
                  .capacities = options_.capacities,
                  .scene = scene_->shape()};
    made.imports = import_scene(graph, made.scene);
    made.data = graph.host_data("view", sizeof(ViewData));
    const StripBuffers strips = add_strips(graph, made.imports, view, made.data, made.capacities);
    made.report = graph.import_buffer<std::uint32_t>("report", static_cast<std::uint32_t>(1 + stages_of({}).size()), {},
                                                     Access::none);
    const Count complete = add_report(graph, strips, made.capacities, made.report);
    graph.export_buffer(made.report, Access::host_read);
    made.picture = graph.import_image(
        "picture", {.format = format_of(options_.target), .extent = {view.width, view.height, 1}}, options_.arrives);
    made.images = import_images(graph, made.scene, images);
    made.accesses = accesses_of(images);
    {
        auto scope = graph.only_if(complete); // if a stage overflowed, the picture does not change
        add_fine(graph, made.imports, strips, view, made.data, made.picture, options_.target, made.images);
    }
    graph.export_image(made.picture, options_.leaves);
    auto program = compiled_ ? compiled_->program->resized(graph)
                             : compile(gpu_, graph, {.frames_in_flight = options_.frames_in_flight});
    if (!program) {
        return tl::unexpected(program.error());
    }
    made.program = std::move(*program);
    compiled_ = std::make_shared<Compiled>(std::move(made));
    return {};
}

/// Compiles the graph again if necessary.
Result<> FrameRenderer::prepare(const View& view, std::span<const BoundExternal> images) {
    const auto is_ready = [&] {
        return compiled_ && compiled_->width == view.width && compiled_->height == view.height &&
               compiled_->margin == view.margin && compiled_->coverage == view.coverage &&
               compiled_->capacities == options_.capacities && compiled_->scene == scene_->shape() &&
               compiled_->accesses == accesses_of(images);
    };
    if (is_ready()) {
        return {};
    }
    auto built = build(view, images);
    if (built || is_short_ || !compiled_ || !report_ ||
        (built.error().code != ErrorCode::out_of_memory && built.error().code != ErrorCode::limit_exceeded)) {
        return built;
    }
    is_short_ = true; // allocate what is needed now, not ahead
    options_.capacities = compiled_->capacities;
    grow(options_.capacities, report_->needed);
    return is_ready() ? Result<>() : build(view, images);
}

Result<> FrameRenderer::record_into(Slot& slot, VkCommandBuffer commands, const View& view, ImageView picture,
                                    std::span<const BoundExternal> images) {
    Program& program = *compiled_->program;
    slot.scene = scene_->buffers();
    std::memset(slot.report.mapped(), 0, slot.report.size());
    auto done = bind_scene(program, compiled_->imports, slot.scene)
                    .and_then([&] { return program.bind(compiled_->report, slot.report); })
                    .and_then([&] { return program.bind(compiled_->picture, picture); })
                    .and_then([&] { return bind_images(program, compiled_->images, images); })
                    .and_then([&] { return program.set(compiled_->data, data_of(view, compiled_->imports)); });
    if (!done) {
        return done;
    }
    if (!options_.times || gpu_.capabilities().timestamp_bits == 0) {
        return program.record(commands);
    }
    return program.reserve(slot.timestamps).and_then([&] { return program.record(commands, *slot.timestamps); });
}

Result<> FrameRenderer::record(VkCommandBuffer commands, const View& view, ImageView picture,
                               std::span<const BoundExternal> images) {
    auto checked = check_size(view).and_then([&] { return check_images(scene_->shape(), images); });
    if (!checked) {
        return checked;
    }
    Slot& slot = slot_of(frame_);
    if (auto done = read(slot); !done) {
        return done;
    }
    reserve_effects(options_.capacities, scene_->effects(), view);
    if (auto ready = prepare(view, images); !ready) {
        return ready;
    }
    if (auto recorded = record_into(slot, commands, view, picture, images); !recorded) {
        return recorded;
    }
    slot.frame = frame_++;
    slot.is_pending = true;
    slot.compiled = compiled_; // keeps the program alive until the frame is complete
    return {};
}

Result<> FrameRenderer::discard() {
    if (frame_ == 0 || !slot_of(frame_ - 1).is_pending) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "there is no pending frame to discard"});
    }
    Slot& slot = slot_of(--frame_);
    slot.is_pending = false;
    slot.scene.clear();
    return slot.compiled->program->discard();
}

void FrameRenderer::release() {
    compiled_.reset();
    for (Slot& slot : slots_) {
        slot.compiled.reset();
    }
}

Result<> FrameRenderer::settle(const View& view, ImageView picture, std::span<const BoundExternal> images) {
    for (std::optional<FrameReport>& latest = report_;
         !latest || latest->frame + 1 != frame_ || !latest->is_complete;) {
        auto done = gpu_.submit([&](VkCommandBuffer commands) { return record(commands, view, picture, images); });
        done = done.and_then([&] { return read(slot_of(frame_ - 1)); });
        if (!done && done.error().code == ErrorCode::out_of_memory && compiled_) {
            release(); // without the old buffers, memory may suffice for the new ones
        } else if (!done) {
            return done;
        }
    }
    return {};
}

} // namespace weir::paths
