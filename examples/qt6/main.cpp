// Weir on the device of a QVulkanWindow, with the features that Qt enables. Each frame generates random colors and
// sorts them by brightness, in the command buffer of Qt's frame. It shows an image of both: unsorted above, sorted
// below.
//
//     qt6 [--frames N]
//
// Runs until the window is closed or Escape is pressed, or for N frames. Compares the last frame with that of the CPU.

#include "show.hpp"

#include <algorithm>
#include <optional>

#include <QGuiApplication>
#include <QKeyEvent>
#include <weir/weir.hpp>

namespace {

constexpr std::uint32_t width = 64, height = 64, colors = width * height / 2;

constexpr const char* colors_shader = R"(#version 460
    #include <weir/dispatch.glsl>
    layout(local_size_x = 64) in;
    layout(binding = 0) writeonly buffer Colors { uint colors[]; };
    layout(push_constant) uniform Push { uint seed, count; };
    void main() {
        const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
        if (i < count) {
            uint state = (i + seed) * 747796405u + 2891336453u;
            state = (state >> (state >> 28) + 4 ^ state) * 277803737u;
            colors[i] = state >> 22 ^ state;
        }
    })";
constexpr const char* picture_shader = R"(#version 460
    layout(local_size_x = 8, local_size_y = 8) in;
    layout(binding = 0) readonly buffer Colors { uint colors[]; };
    layout(binding = 1) readonly buffer Sorted { uint sorted[]; };
    layout(binding = 2, rgba8) writeonly uniform image2D picture;
    void main() {
        const ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
        const uint i = at.y % (size.y / 2) * size.x + at.x;
        const uint color = at.y < size.y / 2 ? colors[i] : sorted[i];
        const float brightness = float(color) / 4294967296.0;
        imageStore(picture, at, vec4(brightness * mix(vec3(1, 0.8, 0.3), vec3(1), float(color & 255) / 255), 1));
    })";

std::vector<std::uint32_t> expected(std::uint32_t seed) {
    std::vector<std::uint32_t> all(colors);
    for (std::uint32_t i = 0; i < colors; ++i) {
        std::uint32_t state = (i + seed) * 747796405U + 2891336453U;
        state = ((state >> ((state >> 28) + 4)) ^ state) * 277803737U;
        all[i] = (state >> 22) ^ state;
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// Weir's work in a frame.
struct Work {
    // [graph]
    Work(const weir::Context& gpu, int frames_in_flight) : graph(gpu) {
        seed = graph.host_data("seed", 4);
        auto made = graph.transient_buffer<std::uint32_t>("colors", colors);
        graph.add_pass({.name = "colors",
                        .shader = weir::ShaderSource::glsl(colors_shader),
                        .bindings = {write(made)},
                        .push = {seed, colors},
                        .dispatch = weir::Dispatch::elements(colors, 64)});
        sorted = weir::radix_sort(graph, made).keys;
        picture = graph.transient_image("picture", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {width, height, 1}});
        graph.add_pass({.name = "picture",
                        .shader = weir::ShaderSource::glsl(picture_shader),
                        .bindings = {read(made), read(sorted), write(picture)},
                        .dispatch = weir::Dispatch::groups(width / 8, height / 8)});
        graph.export_buffer(sorted);
        graph.export_image(picture, weir::Access::fragment_shader_read, {.per_frame = true});
        const auto in_flight = static_cast<std::uint32_t>(frames_in_flight);
        program = weir::check(weir::compile(gpu, graph, {.frames_in_flight = in_flight}));
    }
    // [/graph]
    weir::Graph graph;
    weir::HostData seed;
    weir::BufferRef<std::uint32_t> sorted;
    weir::ImageId picture;
    std::optional<weir::Program> program;
};

class Window : public QVulkanWindow {
public:
    explicit Window(int frames) : left(frames) {
        // [features]
        setEnabledFeaturesModifier([this](VkPhysicalDeviceFeatures& enabled) { features.features = enabled; });
        // [/features]
    }
    QVulkanWindowRenderer* createRenderer() override;
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Escape) {
            close();
        }
    }

    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    int left; ///< frames until the window closes
};

class Renderer : public QVulkanWindowRenderer {
public:
    explicit Renderer(Window* window) : window_(window) {}

    void initResources() override {
        // [adopt]
        QVulkanInstance* instance = window_->vulkanInstance();
        weir::AdoptedDevice adopted;
        adopted.get_instance_proc_addr =
            reinterpret_cast<PFN_vkGetInstanceProcAddr>(instance->getInstanceProcAddr("vkGetInstanceProcAddr"));
        adopted.instance = instance->vkInstance();
        adopted.physical_device = window_->physicalDevice();
        adopted.device = window_->device();
        adopted.queue = window_->graphicsQueue();
        adopted.queue_family = window_->graphicsQueueFamilyIndex();
        adopted.enabled_features = &window_->features;
        gpu_ = weir::check(weir::Context::adopt(adopted));
        // [/adopt]
        work_.emplace(*gpu_, window_->concurrentFrameCount());
        show_.emplace(*window_);
    }

    void startNextFrame() override {
        number_ += colors;
        // [frame]
        weir::check(work_->program->set(work_->seed, number_));
        weir::check(work_->program->record(window_->currentCommandBuffer())); // before Qt's render pass
        show_->draw(work_->program->view(work_->picture).view);
        // [/frame]
        window_->frameReady();
        if (--window_->left == 0) {
            window_->close();
        } else {
            window_->requestUpdate();
        }
    }

    void releaseResources() override {
        auto* vk = window_->vulkanInstance()->deviceFunctions(window_->device());
        require(vk->vkDeviceWaitIdle(window_->device()));
        const auto found = gpu_->download<std::uint32_t>(work_->program->view(work_->sorted), colors);
        require(weir::check(found) == expected(number_), "the sorted colors equal those of the CPU");
        std::printf("%u frames, the last one as on the CPU\n", number_ / colors);
        work_.reset(); // must be destroyed before Qt's device
        gpu_.reset();
        show_.reset();
    }

private:
    Window* window_;
    std::optional<weir::Context> gpu_;
    std::optional<Work> work_;
    std::optional<Show> show_;
    std::uint32_t number_ = 0;
};

QVulkanWindowRenderer* Window::createRenderer() {
    return new Renderer(this); // deleted by QVulkanWindow
}

} // namespace

int main(int argc, char** argv) {
    QGuiApplication application(argc, argv);
    const QStringList arguments = QGuiApplication::arguments();
    QVulkanInstance instance;
    instance.setApiVersion(QVersionNumber(1, 3)); // Weir needs 1.2 or later
    require(instance.create(), "creating an instance");
    Window window(arguments.size() == 3 && arguments[1] == "--frames" ? arguments[2].toInt() : -1);
    window.setVulkanInstance(&instance);
    window.setTitle("qt6");
    window.resize(480, 320);
    window.show();
    return QGuiApplication::exec();
}
