// Weir on the device of Ogre 14: transparent sprites among opaque meshes. Each frame sorts the sprites by depth,
// farthest first, in Ogre's command buffer, into the vertex buffer that Ogre draws them from.
//
//     weir_ogre [--frames N] [--count N] [--picture FILE] [--unsorted]
//
// Runs until the window is closed or Escape is pressed, or for N frames. After N frames, it compares the vertex buffer
// with that of the CPU. --unsorted draws the sprites without Weir.

#include "host.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <weir/weir.hpp>

namespace {

constexpr const char* depths_shader = R"(#version 460
    #include <weir/dispatch.glsl>
    layout(local_size_x = 64) in;
    struct Sprite { float x, y, z; uint color; };
    layout(binding = 0) readonly buffer Sprites { Sprite sprites[]; };
    layout(binding = 1) writeonly buffer Depths { float depths[]; };
    layout(push_constant) uniform Push { vec3 forward; uint count; };
    void main() {
        const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
        if (i < count) {
            depths[i] = dot(forward, vec3(sprites[i].x, sprites[i].y, sprites[i].z));
        }
    })";

using Vector = std::array<float, 3>;

/// Sorts sprites before Ogre draws its window.
class Sorter : public Ogre::RenderTargetListener {
public:
    Sorter(Host& host, std::vector<Sprite> sprites, Ogre::HardwareVertexBuffer& buffer)
        : device_(host.device()), host_(host), gpu_(adopt()), sprites_(std::move(sprites)) {
        const auto count = static_cast<std::uint32_t>(sprites_.size());
        const VkDeviceSize bytes = count * sizeof(Sprite);
        unsorted_ = weir::check(gpu_.create_buffer(bytes));
        weir::check(gpu_.upload(unsorted_.view(), sprites_));

        // [graph]
        weir::Graph graph(gpu_);
        forward_ = graph.host_data("forward", sizeof(Vector));
        const auto unsorted = graph.import_buffer<Sprite>("unsorted", count, {}, weir::Access::none);
        const auto depths = graph.transient_buffer<float>("depths", count);
        graph.add_pass({.name = "depths",
                        .shader = weir::ShaderSource::glsl(depths_shader),
                        .bindings = {read(unsorted), write(depths)},
                        .push = {forward_, count},
                        .dispatch = weir::Dispatch::elements(count, 64)});
        const auto sorted = weir::radix_sort(graph, depths, unsorted, {.descending = true, .want_keys = false}).values;
        const auto drawn = graph.import_buffer<Sprite>("drawn", count, {}, weir::Access::vertex_read);
        graph.add_copy("to Ogre's buffer", sorted, drawn, bytes);
        graph.export_buffer(drawn, {weir::Access::vertex_read, weir::Access::host_read});
        program_ =
            weir::check(weir::compile(gpu_, graph, {.frames_in_flight = device_.mGraphicsQueue.mNumFramesInFlight}));
        weir::check(program_->bind(unsorted, unsorted_.view()));
        weir::check(program_->bind(drawn, {buffer._getImpl<Ogre::VulkanHardwareBuffer>()->getVkBuffer(), 0, bytes}));
        // [/graph]
        host_.window->addListener(this);
    }
    ~Sorter() override {
        host_.window->removeListener(this);
        device_.stall(); // before the program is destroyed
    }
    Sorter(const Sorter&) = delete;
    Sorter& operator=(const Sorter&) = delete;

    void preRenderTargetUpdate(const Ogre::RenderTargetEvent&) override {
        // Multiples of 1/4096: depths are then exact in floats, and the same on the CPU.
        const Ogre::Vector3 direction = host_.camera->getDerivedDirection() * 4096;
        last_ = {std::round(direction.x) / 4096, std::round(direction.y) / 4096, std::round(direction.z) / 4096};
        // [frame]
        device_.mGraphicsQueue.endAllEncoders(); // ends Ogre's render pass or copies, if there are any
        weir::check(program_->set(forward_, last_));
        weir::check(program_->record(device_.mGraphicsQueue.mCurrentCmdBuffer));
        // [/frame]
    }

    /// Returns the sprites of the last frame in the order of the CPU.
    std::vector<Sprite> on_cpu() const {
        std::vector<Sprite> sorted = sprites_;
        std::ranges::stable_sort(sorted, std::ranges::greater{}, [this](const Sprite& sprite) {
            const auto& at = sprite.position;
            return last_[0] * at[0] + last_[1] * at[1] + last_[2] * at[2];
        });
        return sorted;
    }

private:
    weir::Context adopt() const {
        // [features]
        VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
        features.features = device_.mDeviceFeatures;
        // [/features]
        // [adopt]
        weir::AdoptedDevice adopted;
        adopted.get_instance_proc_addr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(glfwGetInstanceProcAddress);
        adopted.instance = device_.mInstance;
        adopted.api_version = VK_API_VERSION_1_2; // Ogre requests this version
        adopted.physical_device = device_.mPhysicalDevice;
        adopted.device = device_.mDevice;
        adopted.queue = device_.mGraphicsQueue.mQueue;
        adopted.queue_family = device_.mGraphicsQueue.mFamilyIdx;
        adopted.enabled_features = &features;
        return weir::check(weir::Context::adopt(adopted));
        // [/adopt]
    }

    Ogre::VulkanDevice& device_;
    Host& host_;
    weir::Context gpu_;
    std::vector<Sprite> sprites_;
    weir::Buffer unsorted_;
    weir::HostData forward_;
    std::optional<weir::Program> program_;
    Vector last_{};
};

struct Options {
    int frames = -1;
    std::uint32_t count = 20000;
    std::string picture;
    bool sorts = true;

    Options(int argc, char** argv) {
        for (int i = 1; i < argc; ++i) {
            const std::string_view option = argv[i];
            const auto value = [&] { return ++i < argc ? argv[i] : ""; };
            if (option == "--frames") {
                frames = std::atoi(value());
            } else if (option == "--count") {
                count = static_cast<std::uint32_t>(std::max(1, std::atoi(value())));
            } else if (option == "--picture") {
                picture = value();
            } else if (option == "--unsorted") {
                sorts = false;
            } else {
                std::printf("unknown option: %s\n", argv[i]);
                std::exit(1);
            }
        }
    }
};

} // namespace

int main(int argc, char** argv) {
    const Options options(argc, argv);
    Host host;
    const std::vector<Sprite> sprites = ring_of_sprites(options.count);
    // Memory that the CPU can read, for the comparison after N frames.
    Sprites drawn(sprites, options.frames < 0 ? Ogre::HBU_GPU_ONLY : Ogre::HBU_GPU_TO_CPU);
    host.add(drawn);
    std::optional<Sorter> sorter;
    if (options.sorts) {
        sorter.emplace(host, sprites, *drawn.buffer);
    }

    using Clock = std::chrono::steady_clock;
    Clock::time_point begin;
    int frame = 0;
    for (; frame != options.frames && host.screen.is_open(); ++frame) {
        if (frame == 1) { // pipelines exist
            begin = Clock::now();
        }
        host.draw(frame);
    }
    host.device().stall();
    const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
    if (!options.picture.empty()) {
        host.window->update(false); // draws the last frame again
        host.window->writeContentsToFile(options.picture);
        host.device().stall();
    }
    if (frame != options.frames) {
        return 0;
    }
    if (sorter) {
        std::vector<Sprite> last(sprites.size());
        drawn.buffer->readData(0, last.size() * sizeof(Sprite), last.data());
        if (last != sorter->on_cpu()) {
            std::printf("frame %d: the order differs from that of the CPU\n", frame);
            return 1;
        }
    }
    std::printf("frame %d: %zu sprites %s, %.1f ms\n", frame, sprites.size(),
                sorter ? "sorted, as on the CPU" : "unsorted", time.count() / std::max(frame - 1, 1));
    return 0;
}
