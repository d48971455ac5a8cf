#include <weir/splats/frames.hpp>

#include <cstddef>
#include <cstring>

#include "propagate.hpp"

namespace weir::splats {

SplatFrames::SplatFrames(Context gpu, CloudOnDevice cloud, const SplatFrameOptions& options)
    : gpu_(std::move(gpu)), cloud_(std::move(cloud)), access_(options.access),
      pair_capacity_(options.pair_capacity != 0 ? options.pair_capacity : first_pair_capacity(cloud_.splats)),
      slots_(options.frames_in_flight) {}

Result<SplatFrames> SplatFrames::create(const Context& gpu, const Cloud& cloud, const SplatFrameOptions& options) {
    if (options.frames_in_flight == 0) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "SplatFrameOptions::frames_in_flight is 0; it must be at least 1"});
    }
    auto uploaded = upload(gpu, cloud);
    SPLATS_PROPAGATE(uploaded);
    SplatFrames frames(gpu, std::move(*uploaded), options);
    for (Slot& slot : frames.slots_) {
        auto counts = gpu.create_buffer(2 * pairs_offset, MemoryKind::download);
        SPLATS_PROPAGATE(counts);
        slot.counts = std::move(*counts);
    }
    return frames;
}

/// Reads the counts and times of a complete frame. Increases the capacity if less than 1/8 of it is left.
Result<> SplatFrames::read(Slot& slot) {
    if (!std::exchange(slot.is_pending, false)) {
        return {};
    }
    SplatFrameReport report{.frame = slot.frame, .pair_capacity = slot.compiled->pair_capacity};
    const auto* bytes = static_cast<const std::byte*>(slot.counts.mapped());
    std::memcpy(&report.counts.visible, bytes, sizeof(std::uint32_t));
    std::memcpy(&report.counts.pairs, bytes + pairs_offset, sizeof(std::uint32_t));
    if (slot.timestamps) {
        auto times = slot.compiled->program->profile(*slot.timestamps);
        SPLATS_PROPAGATE(times);
        report.times = std::move(*times);
    }
    short_frames_ += report.counts.pairs > report.pair_capacity ? 1 : 0;
    if (report.counts.pairs > pair_capacity_ - pair_capacity_ / 8) {
        const auto capacity = pair_capacity_for(report.counts.pairs);
        SPLATS_PROPAGATE(capacity);
        pair_capacity_ = *capacity;
    }
    report_ = std::move(report);
    return {};
}

Result<> SplatFrames::build(const SplatView& view) {
    Graph graph(gpu_);
    Compiled made{.view = view, .pair_capacity = pair_capacity_};
    made.imports = import_cloud(graph, cloud_.splats, cloud_.degree);
    made.camera = graph.host_data("camera", sizeof(CameraData));
    made.visible = graph.import_buffer<std::uint32_t>("visible splats of the frame", 1, {}, Access::none);
    made.pairs = graph.import_buffer<std::uint32_t>("pairs of the frame", 1, {}, Access::none);
    made.picture =
        graph.import_image("picture", {.format = splat_format, .extent = {view.width, view.height, 1}}, access_);
    const SplatBuffers buffers = add_splats(graph, made.imports, view, made.camera, made.pair_capacity);
    add_blend(graph, buffers, view, made.picture);
    graph.add_copy("report visible splats", buffers.visible, made.visible, sizeof(std::uint32_t));
    graph.add_copy("report pairs", buffers.pairs, made.pairs, sizeof(std::uint32_t));
    graph.export_buffer(made.visible, Access::host_read);
    graph.export_buffer(made.pairs, Access::host_read);
    graph.export_image(made.picture, access_);
    const auto in_flight = static_cast<std::uint32_t>(slots_.size());
    auto program =
        compiled_ ? compiled_->program->resized(graph) : compile(gpu_, graph, {.frames_in_flight = in_flight});
    SPLATS_PROPAGATE(program);
    SPLATS_PROPAGATE(bind(*program, made.imports, cloud_));
    made.program = std::move(*program);
    compiled_ = std::make_shared<Compiled>(std::move(made));
    return {};
}

Result<> SplatFrames::record_into(Slot& slot, VkCommandBuffer commands, const Camera& camera, ImageView picture) {
    Compiled& compiled = *compiled_;
    Program& program = *compiled.program;
    const VkBuffer counts = slot.counts.handle();
    auto done = program.bind(compiled.picture, picture)
                    .and_then([&] {
                        return program.bind(compiled.visible, {counts, 0, sizeof(std::uint32_t)});
                    })
                    .and_then([&] {
                        return program.bind(compiled.pairs, {counts, pairs_offset, sizeof(std::uint32_t)});
                    })
                    .and_then([&] {
                        return program.set(compiled.camera, data_of(camera, compiled.view.width, compiled.view.height));
                    });
    if (!done || gpu_.capabilities().timestamp_bits == 0) {
        return done ? program.record(commands) : done;
    }
    return program.reserve(slot.timestamps).and_then([&] { return program.record(commands, *slot.timestamps); });
}

Result<> SplatFrames::record(VkCommandBuffer commands, const SplatView& view, const Camera& camera, ImageView picture) {
    SPLATS_PROPAGATE(check_size(view));
    Slot& slot = slots_[frame_ % slots_.size()];
    SPLATS_PROPAGATE(read(slot));
    if (!compiled_ || compiled_->view != view || compiled_->pair_capacity != pair_capacity_) {
        SPLATS_PROPAGATE(build(view));
    }
    SPLATS_PROPAGATE(record_into(slot, commands, camera, picture));
    slot.frame = frame_++;
    slot.is_pending = true;
    slot.compiled = compiled_; // keeps the program alive until the frame is complete
    return {};
}

} // namespace weir::splats
