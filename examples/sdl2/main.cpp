// Weir in a program with SDL 2: a flight through stars. Each frame moves the stars, selects those in the view, sorts
// them by depth, farthest first, and writes the instance count of a draw, in the command buffer that draws the frame.
// The CPU never reads that count.
//
//     sdl2 [--frames N]
//
// Runs until the window is closed or Escape is pressed, or for N frames. Compares the last frame with that of the CPU.

#include "host.hpp"

#include <cmath>
#include <string>

namespace {

constexpr std::uint32_t stars = 3000;
constexpr std::uint32_t speed = 64; // change of depth per frame

using Star = std::array<float, 4>; // x, y, depth, color: whole numbers, exact on the GPU and the CPU

constexpr const char* move_shader = R"(#version 460
    #include <weir/dispatch.glsl>
    layout(local_size_x = 64) in;
    layout(binding = 0) writeonly buffer Stars { vec4 stars[]; };
    layout(push_constant) uniform Push { uint way, count; };
    uint random(uint state) {
        state = state * 747796405u + 2891336453u;
        state = (state >> (state >> 28) + 4 ^ state) * 277803737u;
        return (state >> 22 ^ state) & 0xFFFF;
    }
    void main() {
        const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
        if (i < count) {
            const vec2 place = vec2(random(3 * i), random(3 * i + 1)) - 32768;
            stars[i] = vec4(place, (random(3 * i + 2) - way) & 0xFFFF, i & 7);
        }
    })";
// Within a field of view of 90 degrees, and not too near.
constexpr const char* in_view = "x.z >= 4096 && abs(x.x) < x.z && abs(x.y) < x.z";

std::vector<Star> expected(std::uint32_t way) {
    const auto random = [](std::uint32_t state) {
        state = state * 747796405U + 2891336453U;
        state = ((state >> ((state >> 28) + 4)) ^ state) * 277803737U;
        return ((state >> 22) ^ state) & 0xFFFF;
    };
    std::vector<Star> visible;
    for (std::uint32_t i = 0; i < stars; ++i) {
        const float x = static_cast<float>(random(3 * i)) - 32768, y = static_cast<float>(random(3 * i + 1)) - 32768;
        const auto depth = static_cast<float>((random(3 * i + 2) - way) & 0xFFFF);
        if (depth >= 4096 && std::abs(x) < depth && std::abs(y) < depth) {
            visible.push_back({x, y, depth, static_cast<float>(i & 7)});
        }
    }
    std::stable_sort(visible.begin(), visible.end(), [](const Star& a, const Star& b) { return a[2] > b[2]; });
    return visible;
}

} // namespace

int main(int argc, char** argv) {
    const int frames = argc == 3 && std::string(argv[1]) == "--frames" ? std::atoi(argv[2]) : -1;
    Host host;
    // [adopt]
    weir::AdoptedDevice adopted;
    adopted.get_instance_proc_addr = vkGetInstanceProcAddr; // or SDL_Vulkan_GetVkGetInstanceProcAddr()
    adopted.instance = host.instance;
    adopted.physical_device = host.physical_device;
    adopted.device = host.device;
    adopted.queue = host.queue;
    adopted.queue_family = host.family;
    adopted.enabled_features = &host.features;
    adopted.enabled_extensions = host.extensions;
    const weir::Context gpu = weir::check(weir::Context::adopt(adopted));
    // [/adopt]

    // [graph]
    weir::Graph graph(gpu);
    auto way = graph.host_data("way", 4);
    auto moved = graph.transient_buffer<Star>("stars", stars);
    graph.add_pass({.name = "move",
                    .shader = weir::ShaderSource::glsl(move_shader),
                    .bindings = {write(moved)},
                    .push = {way, stars},
                    .dispatch = weir::Dispatch::elements(stars, 64)});
    auto visible = weir::select_if(graph, moved, in_view).items;
    auto depths = weir::transform<float>(graph, visible, "x.z");
    auto sorted = weir::radix_sort(graph, depths, visible, {.descending = true}).values;
    auto draw = weir::write_arguments(graph, {weir::DrawArguments{.vertices = 4, .instances = visible.count}});
    graph.export_buffer(sorted, weir::Access::vertex_read, {.per_frame = true});
    graph.export_buffer(draw, weir::Access::indirect_read, {.per_frame = true});
    weir::Program program = weir::check(weir::compile(gpu, graph, {.frames_in_flight = Host::in_flight}));
    // [/graph]

    std::uint32_t gone = 0;
    for (int number = 0; number != frames && Host::is_open(); ++number) {
        const Host::Frame* frame = host.begin();
        if (frame == nullptr) {
            continue;
        }
        gone += speed;
        // [frame]
        weir::check(program.set(way, gone));
        weir::check(program.record(frame->commands));
        host.begin_rendering(*frame);
        const weir::BufferView vertices = program.view(sorted), arguments = program.view(draw);
        vkCmdBindVertexBuffers(frame->commands, 0, 1, &vertices.buffer, &vertices.offset);
        vkCmdDrawIndirect(frame->commands, arguments.buffer, arguments.offset, 1, 0);
        // [/frame]
        host.end(*frame);
    }

    require(vkDeviceWaitIdle(host.device)); // before the program is destroyed
    const std::vector<Star> all = expected(gone);
    require(weir::check(gpu.download<std::uint32_t>(program.view(draw), 2))[1] == all.size(),
            "the count equals that of the CPU");
    require(weir::check(gpu.download<Star>(program.view(sorted), all.size())) == all,
            "the sorted stars equal those of the CPU");
    std::printf("%zu of %u stars in the last frame, as on the CPU\n", all.size(), stars);
    return 0;
}
