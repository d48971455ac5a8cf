// Weir in a program with GLFW and Dear ImGui. Each frame generates random samples on the GPU and counts them in bins,
// in the command buffer that draws the frame. Dear ImGui plots the latest completed bins. A slider selects the
// distribution: a sample is the mean of that number of uniform numbers.
//
//     glfw_imgui [--frames N]
//
// Runs until the window is closed or Escape is pressed, or for N frames. Compares all bins with those of the CPU.

#include "host.hpp"

#include <array>
#include <string>
#include <vector>

namespace {

constexpr std::uint32_t samples = 20'000, bins = 64, range = 1 << 20, in_flight = 2;

struct Settings {
    std::uint32_t seed = 0;
    int numbers = 3;
};

constexpr const char* samples_shader = R"(#version 460
    #include <weir/dispatch.glsl>
    layout(local_size_x = 64) in;
    layout(binding = 0) writeonly buffer Samples { uint x[]; };
    layout(push_constant) uniform Push { uint seed, numbers, count; };
    uint random(uint state) {
        state = state * 747796405u + 2891336453u;
        state = (state >> (state >> 28) + 4 ^ state) * 277803737u;
        return (state >> 22 ^ state) >> 12;
    }
    void main() {
        const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
        uint sum = 0;
        for (uint k = 0; k < numbers; ++k) {
            sum += random(i * numbers + k + seed);
        }
        if (i < count) {
            x[i] = sum / numbers;
        }
    })";

std::vector<std::uint32_t> expected(const Settings& settings) {
    std::vector<std::uint32_t> counts(bins);
    const auto numbers = static_cast<std::uint32_t>(settings.numbers);
    for (std::uint32_t i = 0; i < samples; ++i) {
        std::uint32_t sum = 0;
        for (std::uint32_t k = 0; k < numbers; ++k) {
            std::uint32_t state = (i * numbers + k + settings.seed) * 747796405U + 2891336453U;
            state = ((state >> ((state >> 28) + 4)) ^ state) * 277803737U;
            sum += ((state >> 22) ^ state) >> 12;
        }
        ++counts[sum / numbers / (range / bins)];
    }
    return counts;
}

/// Objects that a frame uses while it is pending.
struct Frame {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkFence done = VK_NULL_HANDLE;
    weir::Buffer counts; ///< mapped
    Settings settings;
    bool is_used = false;
};

} // namespace

int main(int argc, char** argv) {
    const int frames = argc == 3 && std::string(argv[1]) == "--frames" ? std::atoi(argv[2]) : -1;
    Host host(in_flight);
    // [adopt]
    weir::AdoptedDevice adopted;
    adopted.get_instance_proc_addr = vkGetInstanceProcAddr;
    adopted.instance = host.instance;
    adopted.physical_device = host.physical_device;
    adopted.device = host.device;
    adopted.queue = host.queue;
    adopted.queue_family = host.family;
    adopted.enabled_features = &host.features;
    adopted.enabled_extensions = host.extensions;
    const weir::Context gpu = weir::check(weir::Context::adopt(adopted));
    // [/adopt]
    weir::check(gpu.submit([](VkCommandBuffer commands) {
        require(ImGui_ImplVulkan_CreateFontsTexture(commands), "creating a font");
        return weir::Result<>();
    }));
    ImGui_ImplVulkan_DestroyFontUploadObjects();

    // [graph]
    weir::Graph graph(gpu);
    auto settings = graph.host_data("settings", sizeof(Settings));
    auto counts = graph.import_buffer<std::uint32_t>("counts", bins, {}, weir::Access::none); // after a fence
    auto numbers = graph.transient_buffer<std::uint32_t>("numbers", samples);
    graph.add_pass({.name = "samples",
                    .shader = weir::ShaderSource::glsl(samples_shader),
                    .bindings = {write(numbers)},
                    .push = {settings, samples},
                    .dispatch = weir::Dispatch::elements(samples, 64)});
    weir::histogram(graph, numbers, weir::Bins::even(bins, 0U, range), {.output = counts});
    graph.export_buffer(counts, weir::Access::host_read);
    weir::Program program = weir::check(weir::compile(gpu, graph, {.frames_in_flight = in_flight}));
    // [/graph]

    std::array<Frame, in_flight> slots;
    for (Frame& frame : slots) {
        const VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, host.family};
        require(vkCreateCommandPool(host.device, &pool, nullptr, &frame.pool));
        const VkCommandBufferAllocateInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, frame.pool,
                                                   VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
        require(vkAllocateCommandBuffers(host.device, &commands, &frame.commands));
        const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, VK_FENCE_CREATE_SIGNALED_BIT};
        require(vkCreateFence(host.device, &fence, nullptr, &frame.done));
        frame.counts = weir::check(gpu.create_buffer(bins * 4, weir::MemoryKind::download));
    }

    Settings current;
    std::vector<float> plotted(bins);
    int compared = 0;
    for (int number = 0; number != frames && host.is_open(); ++number) {
        Frame& frame = slots[static_cast<std::uint32_t>(number) % in_flight];
        require(vkWaitForFences(host.device, 1, &frame.done, VK_TRUE, UINT64_MAX));
        if (frame.is_used) {
            const auto* found = reinterpret_cast<const std::uint32_t*>(frame.counts.mapped());
            require(std::vector(found, found + bins) == expected(frame.settings), "the counts equal those of the CPU");
            plotted.assign(found, found + bins);
            ++compared;
        }
        if (!host.acquire()) {
            continue;
        }
        ImGui_ImplVulkan_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({20, 20});
        ImGui::Begin("Samples", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
        ImGui::SliderInt("numbers", &current.numbers, 1, 8);
        ImGui::PlotHistogram("", plotted.data(), bins, 0, nullptr, 0, samples / 10.0F, {420, 180});
        ImGui::End();
        ImGui::Render();

        require(vkResetFences(host.device, 1, &frame.done));
        require(vkResetCommandPool(host.device, frame.pool, 0));
        const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        require(vkBeginCommandBuffer(frame.commands, &begin));
        current.seed = static_cast<std::uint32_t>(number) * samples;
        // [frame]
        weir::check(program.set(settings, current));
        weir::check(program.bind(counts, frame.counts)); // a buffer that no pending frame uses
        weir::check(program.record(frame.commands));
        // [/frame]
        host.draw(frame.commands);
        require(vkEndCommandBuffer(frame.commands));
        host.submit(frame.commands, frame.done);
        frame.settings = current;
        frame.is_used = true;
    }

    std::printf("%d frames as on the CPU\n", compared);
    require(vkDeviceWaitIdle(host.device)); // before the program and the buffers are destroyed
    for (const Frame& frame : slots) {
        vkDestroyFence(host.device, frame.done, nullptr);
        vkDestroyCommandPool(host.device, frame.pool, nullptr);
    }
    return 0;
}
