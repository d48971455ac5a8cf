#include <weir/paths/renderer.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace weir::paths {

namespace {

constexpr VkFormat picture_format = VK_FORMAT_R8G8B8A8_UNORM;

/// Room for so many elements and a few more, so that a view that moves does not grow buffers in each frame.
std::uint32_t with_reserve(std::uint32_t needed) {
    const std::uint64_t room = std::uint64_t{needed} + needed / 8 + 64;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(room, ~0U));
}

} // namespace

Result<Renderer> Renderer::create(const Context& gpu, const Scene& scene, const Sizes& room) {
    Renderer renderer(gpu);
    renderer.room_ = room;
    if (auto done = renderer.upload(scene); !done) {
        return tl::unexpected(done.error());
    }
    return renderer;
}

Result<> Renderer::upload(const Scene& scene) {
    const std::vector<SceneContents> contents = contents_of({}, scene);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const std::span<const std::byte> bytes = contents[i].bytes;
        if (buffers_.size() == i) {
            auto buffer = gpu_.create_buffer(std::max<std::size_t>(128, bytes.size()));
            if (!buffer) {
                return tl::unexpected(buffer.error());
            }
            buffers_.push_back(std::move(*buffer));
        }
        if (!bytes.empty()) {
            if (auto done = gpu_.upload(buffers_[i], bytes); !done) {
                return done;
            }
        }
    }
    scene_ = scene;
    return {};
}

Result<> Renderer::update(const Scene& scene) {
    if (scene.draws().size() != scene_.draws().size() || scene.points().size() != scene_.points().size() ||
        scene.instances().size() != scene_.instances().size() || scene.paints().size() != scene_.paints().size()) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "a scene is updated with another number of draws, points or paints"});
    }
    return upload(scene);
}

Result<> Renderer::build(const View& view) {
    Graph graph(gpu_);
    imports_ = import_scene(graph, scene_);
    data_ = graph.host_data("view", sizeof(ViewData));
    strips_ = add_strips(graph, imports_, view, data_, room_);
    const ImageId picture =
        graph.transient_image("picture", {.format = picture_format, .extent = {view.width, view.height, 1}});
    add_fine(graph, imports_, strips_, view, data_, picture);
    pixels_ = add_pixels(graph, picture, view);
    graph.export_buffer(pixels_);
    for (const auto& word :
         {strips_.needed.centers, strips_.needed.lines, strips_.needed.cuts, strips_.needed.strips}) {
        graph.export_buffer(word);
    }
    auto program = program_ ? program_->resized(graph) : compile(gpu_, graph);
    if (!program) {
        return tl::unexpected(program.error());
    }
    const std::vector<SceneContents> contents = contents_of(imports_, scene_);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (contents[i].import.valid()) {
            if (auto bound = program->bind(contents[i].import, buffers_[i]); !bound) {
                return bound;
            }
        }
    }
    program_ = std::move(*program);
    return {};
}

Result<Sizes> Renderer::read_needed() const {
    Sizes needed;
    const auto& words = strips_.needed;
    for (auto [word, value] : {std::pair{words.centers, &needed.centers}, std::pair{words.lines, &needed.lines},
                               std::pair{words.cuts, &needed.cuts}, std::pair{words.strips, &needed.strips}}) {
        if (auto read = gpu_.download(std::span(value, 1), program_->view(word)); !read) {
            return tl::unexpected(read.error());
        }
    }
    return needed;
}

Result<Drawn> Renderer::draw(const View& view) {
    if (view.width == 0 || view.height == 0 || view.width > most_pixels || view.height > most_pixels) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "a picture of " + std::to_string(view.width) + " x " +
                                                                     std::to_string(view.height) + " pixels; 1 to " +
                                                                     std::to_string(most_pixels) + " are possible"});
    }
    is_built_ = is_built_ && view.width == view_.width && view.height == view_.height;
    view_ = view;
    for (std::uint32_t tries = 1;; ++tries) {
        if (!is_built_) {
            if (auto built = build(view); !built) {
                return tl::unexpected(built.error());
            }
            is_built_ = true;
        }
        if (auto set = program_->set(data_, data_of(view)); !set) {
            return tl::unexpected(set.error());
        }
        const auto ran = program_->run();
        if (!ran) {
            return tl::unexpected(ran.error());
        }
        const auto needed = read_needed();
        if (!needed) {
            return tl::unexpected(needed.error());
        }
        for (auto [room, need] : {std::pair{&room_.centers, needed->centers}, std::pair{&room_.lines, needed->lines},
                                  std::pair{&room_.cuts, needed->cuts}, std::pair{&room_.strips, needed->strips}}) {
            if (need > std::max(1U, *room)) {
                *room = with_reserve(need);
                is_built_ = false;
            }
        }
        if (is_built_) {
            return Drawn{*needed, tries, ran->gpu_ms};
        }
    }
}

Result<std::vector<std::uint32_t>> Renderer::download() const {
    return gpu_.download<std::uint32_t>(program_->view(pixels_), std::size_t{view_.width} * view_.height);
}

} // namespace weir::paths
