// A frame loop: each frame has other numbers. The application records Weir's work next to its own commands.

#include <cstdio>
#include <vector>

#include <weir/weir.hpp>

int main() {
    constexpr std::uint32_t count = 10'000, frames = 4;
    auto gpu = weir::Context::create();
    if (!gpu) {
        std::puts(gpu.error().message.c_str());
        return 1;
    }
    weir::Graph graph(*gpu);
    auto used = graph.parameter("used", count);
    auto input = graph.import_buffer<std::uint32_t>("input", count, used);
    auto sums = weir::scan(graph, input);
    graph.export_buffer(sums, weir::Access::transfer_read);
    auto program = weir::compile(*gpu, graph);
    if (!program) {
        std::puts(program.error().message.c_str());
        return 1;
    }
    auto staging = gpu->create_buffer(count * 4, weir::MemoryKind::upload);
    auto result = gpu->create_buffer(count * 4);
    if (!staging || !result) {
        return 1;
    }
    const auto get_device_proc = reinterpret_cast<PFN_vkGetDeviceProcAddr>(
        gpu->get_instance_proc_addr()(gpu->instance(), "vkGetDeviceProcAddr"));
    const auto copy_buffer = reinterpret_cast<PFN_vkCmdCopyBuffer>(get_device_proc(gpu->device(), "vkCmdCopyBuffer"));

    for (std::uint32_t frame = 1; frame <= frames; ++frame) {
        for (std::uint32_t i = 0; i < count; ++i) {
            reinterpret_cast<std::uint32_t*>(staging->mapped())[i] = frame;
        }
        // [frame]
        auto done = program->bind(input, *staging).and_then([&] { return program->set(used, count / frame); });
        done = done.and_then([&] {
            return gpu->submit([&](VkCommandBuffer commands) {
                auto recorded = program->record(commands); // outside a render pass
                const VkBufferCopy all{0, 0, count * 4};
                copy_buffer(commands, program->view(sums).buffer, result->handle(), 1, &all);
                return recorded;
            });
        });
        // [/frame]
        auto last = done.and_then([&] { return gpu->download<std::uint32_t>(*result, count / frame); });
        if (!last || last->back() != count / frame * frame) {
            std::puts(last ? "wrong" : last.error().message.c_str());
            return 1;
        }
    }
    std::puts("every frame is correct");
    return 0;
}
