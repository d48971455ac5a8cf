#include <weir/splats/frames.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "building.hpp"

namespace weir::splats {

FrameRenderer::FrameRenderer(Context gpu, std::vector<PlacedCloud> clouds, const FrameOptions& options)
    : gpu_(std::move(gpu)), clouds_(std::move(clouds)), options_(options),
      capacity_(gpu_.capabilities(), splats_of(clouds_), options.pair_capacity, options.max_pairs),
      slots_(options.frames_in_flight) {}

Result<FrameRenderer> FrameRenderer::create(const Context& gpu, const Cloud& cloud, const FrameOptions& options) {
    auto uploaded = DeviceCloud::upload(gpu, cloud);
    SPLATS_PROPAGATE(uploaded);
    return create(gpu, std::vector{PlacedCloud{std::move(*uploaded)}}, options);
}

Result<FrameRenderer> FrameRenderer::create(const Context& gpu, std::vector<PlacedCloud> clouds,
                                            const FrameOptions& options) {
    if (options.frames_in_flight == 0) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "FrameOptions::frames_in_flight is 0; it must be at least 1"});
    }
    SPLATS_PROPAGATE(check(clouds, gpu.capabilities()));
    FrameRenderer frames(gpu, std::move(clouds), options);
    for (Slot& slot : frames.slots_) {
        auto counts = gpu.create_buffer(2 * pairs_offset, MemoryKind::download);
        SPLATS_PROPAGATE(counts);
        slot.counts = std::move(*counts);
    }
    return frames;
}

Result<> FrameRenderer::set_clouds(std::vector<PlacedCloud> clouds) {
    SPLATS_PROPAGATE(check(clouds, gpu_.capabilities()));
    clouds_ = std::move(clouds);
    return {};
}

/// Reads the counts and times of a complete frame.
Result<> FrameRenderer::read(Slot& slot) {
    if (!std::exchange(slot.is_pending, false)) {
        return {};
    }
    FrameReport report{.frame = slot.frame, .pair_capacity = slot.compiled->capacity, .depths = slot.depths};
    const auto* bytes = static_cast<const std::byte*>(slot.counts.mapped());
    std::memcpy(&report.counts.visible, bytes, sizeof(std::uint32_t));
    std::memcpy(&report.counts.pairs, bytes + pairs_offset, sizeof(std::uint32_t));
    if (slot.timestamps) {
        auto times = slot.compiled->program->profile(*slot.timestamps);
        SPLATS_PROPAGATE(times);
        report.times = std::move(*times);
    }
    short_frames_ += report.counts.pairs > report.pair_capacity ? 1 : 0;
    capacity_.take(report.counts.pairs);
    report_ = std::move(report);
    return {};
}

Result<FrameRenderer::Compiled> FrameRenderer::build(const Shape& shape, std::uint32_t capacity) const {
    Graph graph(gpu_);
    Compiled made{.shape = shape, .clouds = clouds_, .capacity = capacity};
    const VkExtent3D size = {shape.width, shape.height, 1};
    BlendImages& images = made.images;
    images.target = options_.target;
    images.picture =
        graph.import_image("picture", {.format = format_of(images.target), .extent = size}, options_.arrives);
    graph.export_image(images.picture, options_.leaves);
    if (options_.depth) {
        images.depth = graph.import_image("depth", {.format = depth_format, .extent = size}, options_.arrives);
        graph.export_image(images.depth, options_.leaves);
    }
    if (options_.mesh_format != VK_FORMAT_UNDEFINED) {
        images.mesh =
            graph.import_image("mesh depth", {.format = options_.mesh_format, .extent = size}, options_.mesh_arrives);
        graph.export_image(images.mesh, options_.mesh_leaves);
    }
    made.visible = graph.import_buffer<std::uint32_t>("visible splats of the frame", 1, {}, Access::none);
    made.pairs = graph.import_buffer<std::uint32_t>("pairs of the frame", 1, {}, Access::none);
    made.passes = add_picture(graph, clouds_, shape, capacity, images);
    graph.add_copy("report visible splats", made.passes.buffers.visible, made.visible, sizeof(std::uint32_t));
    graph.add_copy("report pairs", made.passes.buffers.pairs, made.pairs, sizeof(std::uint32_t));
    graph.export_buffer(made.visible, Access::host_read);
    graph.export_buffer(made.pairs, Access::host_read);
    const auto in_flight = static_cast<std::uint32_t>(slots_.size());
    auto program =
        compiled_ ? compiled_->program->resized(graph) : compile(gpu_, graph, {.frames_in_flight = in_flight});
    SPLATS_PROPAGATE(program);
    SPLATS_PROPAGATE(made.passes.bind(*program, clouds_));
    made.program = std::move(*program);
    return made;
}

Result<> FrameRenderer::prepare(const Shape& shape) {
    auto made = build_unless_fits(compiled_, shape, clouds_, capacity_,
                                  [&](std::uint32_t capacity) { return build(shape, capacity); });
    SPLATS_PROPAGATE(made);
    if (*made) {
        compiled_ = std::make_shared<Compiled>(std::move(**made));
    }
    return {};
}

Result<> FrameRenderer::record_into(Slot& slot, VkCommandBuffer commands, const View& view, const FrameImages& images) {
    Compiled& compiled = *compiled_;
    Program& program = *compiled.program;
    const VkBuffer counts = slot.counts.handle();
    SPLATS_PROPAGATE(program.bind(compiled.images.picture, images.picture));
    if (options_.depth) {
        SPLATS_PROPAGATE(program.bind(compiled.images.depth, images.depth));
    }
    if (options_.mesh_format != VK_FORMAT_UNDEFINED) {
        SPLATS_PROPAGATE(program.bind(compiled.images.mesh, images.mesh));
    }
    SPLATS_PROPAGATE(program.bind(compiled.visible, {counts, 0, sizeof(std::uint32_t)}));
    SPLATS_PROPAGATE(program.bind(compiled.pairs, {counts, pairs_offset, sizeof(std::uint32_t)}));
    const auto depths = compiled.passes.set(program, clouds_, compiled.shape, view, images.mesh_depth);
    SPLATS_PROPAGATE(depths);
    slot.depths = *depths;
    if (gpu_.capabilities().timestamp_bits == 0) {
        return program.record(commands);
    }
    SPLATS_PROPAGATE(program.reserve(slot.timestamps));
    return program.record(commands, *slot.timestamps);
}

/// Returns the error of images that the options leave unused.
Result<> FrameRenderer::check_images(const FrameImages& images) const {
    const auto refuse = [](const char* why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, std::string("FrameImages::") + why});
    };
    if (images.depth.view != VK_NULL_HANDLE && !options_.depth) {
        return refuse("depth is set, but FrameOptions::depth is false");
    }
    const bool has_mesh = options_.mesh_format != VK_FORMAT_UNDEFINED;
    if (images.mesh.view != VK_NULL_HANDLE && !has_mesh) {
        return refuse("mesh is set, but FrameOptions::mesh_format is VK_FORMAT_UNDEFINED");
    }
    if (images.mesh_depth != MeshDepth() && !has_mesh) {
        return refuse("mesh_depth is set, but FrameOptions::mesh_format is VK_FORMAT_UNDEFINED");
    }
    return {};
}

Result<> FrameRenderer::record(VkCommandBuffer commands, const View& view, const FrameImages& images) {
    SPLATS_PROPAGATE(check(view));
    SPLATS_PROPAGATE(check_images(images));
    Slot& slot = slots_[frame_ % slots_.size()];
    SPLATS_PROPAGATE(read(slot));
    SPLATS_PROPAGATE(prepare(shape_of(view, clouds_, options_.antialias, compiled_ ? &compiled_->shape : nullptr)));
    SPLATS_PROPAGATE(record_into(slot, commands, view, images));
    slot.frame = frame_++;
    slot.is_pending = true;
    slot.compiled = compiled_; // keeps the program alive until the frame is complete
    return {};
}

} // namespace weir::splats
