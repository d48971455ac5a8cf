#include <weir/splats/renderer.hpp>

#include <algorithm>
#include <span>
#include <string>

#include "propagate.hpp"

namespace weir::splats {

Result<CloudOnDevice> upload(const Context& gpu, const Cloud& cloud) {
    if (cloud.places.empty()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "the cloud has no splats"});
    }
    CloudOnDevice made{.splats = cloud.size(), .degree = cloud.degree};
    const auto upload = [&](const auto& items) -> Result<Buffer> {
        auto buffer = gpu.create_buffer(std::as_bytes(std::span(items)).size());
        SPLATS_PROPAGATE(buffer);
        SPLATS_PROPAGATE(gpu.upload(*buffer, std::span(items)));
        return buffer;
    };
    auto places = upload(cloud.places), shapes = upload(cloud.shapes);
    if (!places || !shapes) {
        return tl::unexpected(places ? shapes.error() : places.error());
    }
    made.places = std::move(*places);
    made.shapes = std::move(*shapes);
    if (cloud.degree > 0) {
        auto harmonics = upload(cloud.harmonics);
        SPLATS_PROPAGATE(harmonics);
        made.harmonics = std::move(*harmonics);
    }
    return made;
}

Result<> bind(Program& program, const CloudBuffers& imports, const CloudOnDevice& cloud) {
    auto done =
        program.bind(imports.places, cloud.places).and_then([&] { return program.bind(imports.shapes, cloud.shapes); });
    if (done && cloud.harmonics) {
        done = program.bind(imports.harmonics, *cloud.harmonics);
    }
    return done;
}

Result<> check_size(const SplatView& view) {
    const auto fits = [](std::uint32_t n) { return n >= 1 && n <= most_splat_pixels; };
    if (!fits(view.width) || !fits(view.height)) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "a picture of " + std::to_string(view.width) + " x " +
                                                   std::to_string(view.height) + " pixels; width and height of 1 to " +
                                                   std::to_string(most_splat_pixels) + " are supported"});
    }
    return {};
}

std::uint32_t first_pair_capacity(std::uint32_t splats) {
    return std::clamp(splats, 1024U, 1U << 27) * 4;
}

Result<std::uint32_t> pair_capacity_for(std::uint32_t pairs) {
    constexpr std::uint32_t most = (1U << 30) - 1;
    if (pairs > most) {
        return tl::unexpected(Error{ErrorCode::limit_exceeded, "a picture with " + std::to_string(pairs) +
                                                                   " pairs of a tile and a splat; at most " +
                                                                   std::to_string(most) + " can be sorted"});
    }
    return std::min(most, pairs + std::max(pairs / 4, 1024U));
}

Result<SplatRenderer> SplatRenderer::create(const Context& gpu, const Cloud& cloud, std::uint32_t pair_capacity) {
    auto uploaded = upload(gpu, cloud);
    SPLATS_PROPAGATE(uploaded);
    return SplatRenderer(gpu, std::move(*uploaded),
                         pair_capacity != 0 ? pair_capacity : first_pair_capacity(cloud.size()));
}

Result<> SplatRenderer::build(const SplatView& view) {
    Graph graph(gpu_);
    const CloudBuffers imports = import_cloud(graph, cloud_.splats, cloud_.degree);
    camera_ = graph.host_data("camera", sizeof(CameraData));
    buffers_ = add_splats(graph, imports, view, camera_, pair_capacity_);
    const ImageId picture =
        graph.transient_image("picture", {.format = splat_format, .extent = {view.width, view.height, 1}});
    add_blend(graph, buffers_, view, picture);
    pixels_ = graph.transient_buffer<std::uint32_t>("pixels", view.width * view.height);
    graph.add_copy("copy pixels", picture, pixels_);
    graph.export_buffer(pixels_);
    for (const BufferId buffer :
         {BufferId(buffers_.depths), BufferId(buffers_.order), BufferId(buffers_.projected), BufferId(buffers_.tiles),
          BufferId(buffers_.splats), BufferId(buffers_.ranges), BufferId(buffers_.visible), BufferId(buffers_.pairs)}) {
        graph.export_buffer(buffer);
    }
    auto program = program_ ? program_->resized(graph) : compile(gpu_, graph);
    SPLATS_PROPAGATE(program);
    SPLATS_PROPAGATE(bind(*program, imports, cloud_));
    program_ = std::move(*program);
    view_ = view;
    drawn_capacity_ = pair_capacity_;
    return {};
}

Result<SplatCounts> SplatRenderer::draw(const SplatView& view, const Camera& camera) {
    SPLATS_PROPAGATE(check_size(view));
    if (!program_ || view_ != view || drawn_capacity_ != pair_capacity_) {
        SPLATS_PROPAGATE(build(view));
    }
    auto done = program_->set(camera_, data_of(camera, view.width, view.height));
    SPLATS_PROPAGATE(done ? program_->run() : tl::unexpected(done.error()));
    done = gpu_.download(std::span(&counts_.visible, 1), program_->view(buffers_.visible));
    done = done.and_then([&] { return gpu_.download(std::span(&counts_.pairs, 1), program_->view(buffers_.pairs)); });
    SPLATS_PROPAGATE(done);
    if (is_short()) {
        const auto capacity = pair_capacity_for(counts_.pairs);
        SPLATS_PROPAGATE(capacity);
        pair_capacity_ = *capacity;
    }
    return counts_;
}

Result<std::vector<std::uint32_t>> SplatRenderer::pixels() const {
    return gpu_.download<std::uint32_t>(program_->view(pixels_), std::size_t{view_.width} * view_.height);
}

} // namespace weir::splats
