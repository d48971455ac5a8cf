#include <weir/paths/renderer.hpp>

#include <utility>

#include "capacities.hpp"
#include "external_images.hpp"
#include "stored_scene.hpp"

namespace weir::paths {

Result<Renderer> Renderer::create(const Context& gpu, const Scene& scene, const Sizes& capacities) {
    Renderer renderer(gpu);
    renderer.capacities_ = capacities;
    auto stored = StoredScene::create(gpu, scene);
    if (!stored) {
        return tl::unexpected(stored.error());
    }
    renderer.scene_ = std::make_shared<StoredScene>(std::move(*stored));
    renderer.unmeasured_ = scene;
    return renderer;
}

Result<> Renderer::update(const Scene& scene) {
    auto updated = scene_->update(gpu_, scene);
    if (updated && unmeasured_) {
        unmeasured_ = scene;
    }
    return updated;
}

Result<> Renderer::build(const View& view, std::span<const BoundExternal> images) {
    Graph graph(gpu_);
    shape_ = scene_->shape();
    imports_ = import_scene(graph, shape_);
    data_ = graph.host_data("view", sizeof(ViewData));
    strips_ = add_strips(graph, imports_, view, data_, capacities_);
    picture_ = graph.transient_image("picture", {.format = picture_format, .extent = {view.width, view.height, 1}});
    images_ = import_images(graph, shape_, images);
    accesses_ = accesses_of(images);
    add_fine(graph, imports_, strips_, view, data_, picture_, Target::rgba8, images_);
    pixels_ = read_texels(graph, picture_, TexelFormat::rgba8, view.width, view.height);
    graph.export_buffer(pixels_);
    graph.export_image(picture_, Access::any);
    for (const Stage& stage : stages_of(strips_)) {
        if (stage.needed.valid()) {
            graph.export_buffer(stage.needed);
        }
    }
    auto program = program_ ? program_->resized(graph) : compile(gpu_, graph);
    if (!program) {
        return tl::unexpected(program.error());
    }
    program_ = std::move(*program);
    return {};
}

Result<Sizes> Renderer::read_needed() const {
    Sizes needed;
    for (const Stage& stage : stages_of(strips_)) {
        const std::span value(&(needed.*stage.size), 1);
        if (!stage.needed.valid()) {
            continue;
        }
        if (auto read = gpu_.download(value, program_->view(stage.needed)); !read) {
            return tl::unexpected(read.error());
        }
    }
    return needed;
}

Result<Drawn> Renderer::draw(const View& view, std::span<const BoundExternal> images) {
    auto checked = check_size(view).and_then([&] { return check_images(scene_->shape(), images); });
    if (!checked) {
        return tl::unexpected(checked.error());
    }
    if (view.visible() != PixelRect{0, 0, view.width, view.height}) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    "View::scissor leaves out pixels, and the image of a Renderer does not keep them; "
                                    "use FrameRenderer"});
    }
    const std::uint32_t effects = capacities_.effects;
    reserve_effects(capacities_, scene_->effects(), view);
    is_built_ = is_built_ && view.width == view_.width && view.height == view_.height && view.margin == view_.margin &&
                view.coverage == view_.coverage && shape_ == scene_->shape() && capacities_.effects == effects &&
                accesses_ == accesses_of(images);
    view_ = view;
    const Sizes given = capacities_;
    const bool is_estimated = unmeasured_.has_value();
    if (unmeasured_) {
        estimate(capacities_, *std::exchange(unmeasured_, std::nullopt), view);
    } else if (estimated_) { // larger capacities than needed take time in every draw
        is_built_ = is_built_ && !fit(capacities_, estimated_->needed, estimated_->given);
        estimated_.reset();
    }
    for (std::uint32_t tries = 1;; ++tries) {
        if (!is_built_) {
            if (auto built = build(view, images); !built) {
                const bool is_too_large =
                    built.error().code == ErrorCode::out_of_memory || built.error().code == ErrorCode::limit_exceeded;
                if (!program_ && is_too_large && capacities_ != given) { // the need may be below the estimate
                    capacities_ = given;
                    continue;
                }
                return tl::unexpected(built.error());
            }
            is_built_ = true;
        }
        buffers_ = scene_->buffers();
        auto ready = bind_scene(*program_, imports_, buffers_)
                         .and_then([&] { return bind_images(*program_, images_, images); })
                         .and_then([&] { return program_->set(data_, data_of(view, imports_)); });
        if (!ready) {
            return tl::unexpected(ready.error());
        }
        const auto ran = program_->run();
        if (!ran) {
            return tl::unexpected(ran.error());
        }
        const auto needed = read_needed();
        if (!needed) {
            return tl::unexpected(needed.error());
        }
        if (auto checked = check_needed(*needed); !checked) {
            return tl::unexpected(checked.error());
        }
        is_built_ = !grow(capacities_, *needed);
        if (is_built_) {
            if (is_estimated) {
                estimated_ = {.given = given, .needed = *needed};
            }
            return Drawn{*needed, tries, ran->gpu_ms};
        }
    }
}

Picture Renderer::picture() const {
    const ImageView drawn = program_->view(picture_);
    return {drawn.image, drawn.view, picture_format, layout_of(Access::any), view_.width, view_.height};
}

Result<std::vector<std::uint32_t>> Renderer::download() const {
    return gpu_.download<std::uint32_t>(program_->view(pixels_), std::size_t{view_.width} * view_.height);
}

} // namespace weir::paths
