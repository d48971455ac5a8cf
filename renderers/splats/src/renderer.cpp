#include <weir/splats/renderer.hpp>

#include <span>
#include <utility>

#include "building.hpp"

namespace weir::splats {

Renderer::Renderer(Context gpu, std::vector<PlacedCloud> clouds, const RendererOptions& options)
    : gpu_(std::move(gpu)), clouds_(std::move(clouds)), options_(options),
      capacity_(gpu_.capabilities(), splats_of(clouds_), options.pair_capacity, options.max_pairs) {}

Result<Renderer> Renderer::create(const Context& gpu, const Cloud& cloud, const RendererOptions& options) {
    auto uploaded = DeviceCloud::upload(gpu, cloud);
    SPLATS_PROPAGATE(uploaded);
    return create(gpu, std::vector{PlacedCloud{std::move(*uploaded)}}, options);
}

Result<Renderer> Renderer::create(const Context& gpu, std::vector<PlacedCloud> clouds, const RendererOptions& options) {
    SPLATS_PROPAGATE(check(clouds, gpu.capabilities()));
    return Renderer(gpu, std::move(clouds), options);
}

Result<> Renderer::set_clouds(std::vector<PlacedCloud> clouds) {
    SPLATS_PROPAGATE(check(clouds, gpu_.capabilities()));
    clouds_ = std::move(clouds);
    return {};
}

Result<Renderer::Compiled> Renderer::build(const Shape& shape, std::uint32_t capacity) const {
    Graph graph(gpu_);
    Compiled made{.shape = shape, .clouds = clouds_, .capacity = capacity};
    const VkExtent3D size = {shape.width, shape.height, 1};
    BlendImages images{.target = options_.target};
    images.picture = graph.transient_image("picture", {.format = format_of(images.target), .extent = size});
    if (options_.depth) {
        images.depth = graph.transient_image("depth", {.format = depth_format, .extent = size});
    }
    made.passes = add_picture(graph, clouds_, shape, capacity, images);
    const TexelFormat format = images.target == Target::rgba8 ? TexelFormat::rgba8 : TexelFormat::rgba16f;
    made.pixels = read_texels(graph, images.picture, format, shape.width, shape.height);
    graph.export_buffer(made.pixels);
    if (options_.depth) {
        made.depth = read_texels(graph, images.depth, TexelFormat::r32f, shape.width, shape.height);
        graph.export_buffer(made.depth);
    }
    const SplatBuffers& buffers = made.passes.buffers;
    for (const BufferId buffer :
         {BufferId(buffers.order), BufferId(buffers.projected), BufferId(buffers.blocks), BufferId(buffers.splats),
          BufferId(buffers.ranges), BufferId(buffers.visible), BufferId(buffers.pairs)}) {
        graph.export_buffer(buffer);
    }
    auto program = compiled_ ? compiled_->program->resized(graph) : compile(gpu_, graph);
    SPLATS_PROPAGATE(program);
    SPLATS_PROPAGATE(made.passes.bind(*program, clouds_));
    made.program = std::move(*program);
    return made;
}

Result<> Renderer::prepare(const Shape& shape) {
    auto made = build_unless_fits(compiled_, shape, clouds_, capacity_,
                                  [&](std::uint32_t capacity) { return build(shape, capacity); });
    SPLATS_PROPAGATE(made);
    if (*made) {
        compiled_ = std::move(**made);
    }
    return {};
}

Result<> Renderer::run(const View& view) {
    Program& program = *compiled_->program;
    const auto depths = compiled_->passes.set(program, clouds_, compiled_->shape, view);
    SPLATS_PROPAGATE(depths);
    depths_ = *depths;
    SPLATS_PROPAGATE(program.run());
    const SplatBuffers& buffers = compiled_->passes.buffers;
    SPLATS_PROPAGATE(gpu_.download(std::span(&counts_.visible, 1), program.view(buffers.visible)));
    return gpu_.download(std::span(&counts_.pairs, 1), program.view(buffers.pairs));
}

Result<Counts> Renderer::draw(const View& view) {
    SPLATS_PROPAGATE(check(view));
    const Shape shape = shape_of(view, clouds_, options_.antialias, compiled_ ? &compiled_->shape : nullptr);
    for (tries_ = 1;; ++tries_) {
        SPLATS_PROPAGATE(prepare(shape));
        SPLATS_PROPAGATE(run(view));
        capacity_.take(counts_.pairs);
        if (!is_short() || capacity_.next() <= compiled_->capacity) {
            return counts_;
        }
    }
}

Result<std::vector<std::uint32_t>> Renderer::pixels() const {
    return gpu_.download<std::uint32_t>(compiled_->program->view(compiled_->pixels), compiled_->pixels.capacity);
}

Result<std::vector<float>> Renderer::expected_depths() const {
    return gpu_.download<float>(compiled_->program->view(compiled_->depth), compiled_->depth.capacity);
}

} // namespace weir::splats
