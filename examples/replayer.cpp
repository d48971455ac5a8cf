// An application that records the commands of programs with a layer of its own, in replayer.hpp. Each program also runs
// as Weir records it, and all results must be the same bits, in each execution.

#include "application.hpp"

#include "expected.hpp"
#include "replayer.hpp"

namespace {

constexpr std::uint32_t count = 5000, side = 16;
using Words = weir::BufferRef<std::uint32_t>;

/// A graph with its inputs and outputs.
struct Work {
    explicit Work(const weir::Context& gpu) : graph(gpu) {}
    weir::Graph graph;
    std::vector<std::pair<weir::BufferId, Values>> inputs;
    std::vector<std::pair<weir::BufferId, weir::BufferId>> outputs; ///< with the buffer of its count, if it has one
    weir::HostData camera;                                          ///< not in all graphs
    weir::Switch draws;                                             ///< not in all graphs

    Words input(const char* name, const Values& values) {
        auto made = graph.import_buffer<std::uint32_t>(name, static_cast<std::uint32_t>(values.size()));
        inputs.emplace_back(made, values);
        return made;
    }
    /// Elements from the count on are undefined.
    void output(weir::BufferId buffer, weir::BufferId number = {}) {
        graph.export_buffer(buffer);
        outputs.emplace_back(buffer, number);
    }
};

void add_sort(Work& work) {
    const auto keys = work.input("keys", random_values(count));
    work.output(weir::radix_sort(work.graph, keys).keys);
    work.output(weir::argsort(work.graph, keys));
}

void add_select(Work& work) {
    const auto depths = work.input("depths", random_values(count));
    const auto is_near = weir::Predicate::compare(weir::Comparison::less, 1U << 30);
    const auto near = weir::select_if(work.graph, depths, is_near, {.want_indices = true});
    const auto order = weir::radix_sort(work.graph, near.items, {.values = near.indices}); // an indirect dispatch
    work.output(near.count);
    work.output(order.values, near.count);
}

/// Counts how often each word occurs, given a fingerprint of each word of a text. Most frequent words come first.
void add_word_count(Work& work) {
    Values prints = random_values(count);
    for (std::uint32_t& print : prints) {
        print %= 300;
    }
    const auto sorted = weir::radix_sort(work.graph, work.input("fingerprints", prints));
    const auto runs = weir::run_length_encode(work.graph, sorted.keys);
    const auto by_count = weir::radix_sort(work.graph, runs.lengths, {.values = runs.values, .descending = true});
    work.output(runs.count);
    work.output(by_count.keys, runs.count);
    work.output(by_count.values, runs.count);
}

weir::Pass make_pass(const char* name, const std::string& text, std::vector<weir::Binding> bindings) {
    weir::Pass pass;
    pass.name = name;
    pass.shader = weir::ShaderSource::glsl("#version 460\n#extension GL_GOOGLE_include_directive : require\n"
                                           "#include <weir/dispatch.glsl>\n" +
                                               text,
                                           name);
    pass.bindings = std::move(bindings);
    return pass;
}

/// A frame: objects that come into the view of a camera, nearest first, drawn into an image.
void add_culling(Work& work) {
    weir::Graph& graph = work.graph;
    const auto depths = work.input("depths", random_values(count));
    work.camera = graph.host_data("camera", 4);
    work.draws = graph.add_switch("draw");
    const auto visible = graph.history_buffer<std::uint32_t>("visible", count);
    const auto found = graph.transient_buffer<std::uint32_t>("found", count);
    weir::Pass cull = make_pass("cull", R"(
        layout(local_size_x = 64) in;
        layout(binding = 0) readonly buffer Depths { uint depths[]; };
        layout(binding = 1) readonly buffer Before { uint before[]; };
        layout(binding = 2) writeonly buffer Now { uint now[]; };
        layout(binding = 3) writeonly buffer Found { uint found[]; };
        layout(push_constant) uniform Push { uint camera; uint count; };
        void main() {
            const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationIndex;
            if (i < count) {
                const uint sees = depths[i] >= camera && depths[i] - camera < 1u << 30 ? 1 : 0;
                now[i] = sees;
                found[i] = sees != 0 && before[i] == 0 ? 1 : 0;
            }
        })",
                                {read(depths), read(visible.previous), write(visible.current), write(found)});
    cull.push = {work.camera, count};
    cull.dispatch = weir::Dispatch::elements(count, 64);
    graph.add_pass(cull);
    const auto inside = weir::select_if(graph, found, weir::Predicate::compare(weir::Comparison::not_equal, 0U),
                                        {.want_indices = true});
    const auto distances = weir::gather(graph, depths, inside.indices);
    const auto order = weir::radix_sort(graph, distances, {.values = inside.indices});

    const auto picture = graph.transient_image("picture", {.format = VK_FORMAT_R32_UINT, .extent = {side, side, 1}});
    graph.add_clear("clear", picture, {});
    weir::Pass draw = make_pass("draw", R"(
        layout(local_size_x = 64) in;
        layout(binding = 0) readonly buffer Order { uint order[]; };
        layout(binding = 1) readonly buffer Count { uint number; };
        layout(binding = 2, r32ui) uniform uimage2D picture;
        void main() {
            const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationIndex;
            if (i < number) {
                imageAtomicAdd(picture, ivec2(order[i] % 16, order[i] / 16 % 16), i);
            }
        })",
                                {read(order.values), read(inside.count), read_write(picture)});
    draw.dispatch = weir::Dispatch::elements(inside.items.count, 64);
    graph.add_pass(draw);
    const auto texels = graph.transient_buffer<std::uint32_t>("texels", side * side);
    graph.add_fill("no texels", texels, 7);
    {
        const auto scope = graph.only_if(work.draws);
        graph.add_copy("read the picture", picture, texels);
    }
    work.output(inside.count);
    work.output(order.values, inside.count);
    work.output(texels);
}

/// Runs the graph as Weir records it and as the replayer does, several times, and compares the outputs.
void compare(const Application& application, const weir::Context& gpu, const char* name, void (*add)(Work&)) {
    Work work(gpu);
    add(work);
    weir::Program program = require(weir::compile(gpu, work.graph));
    std::vector<weir::Buffer> memory;
    for (const auto& [input, values] : work.inputs) {
        memory.push_back(require(gpu.create_buffer(values.size() * 4)));
        require(gpu.upload(memory.back(), values));
        require(program.bind(input, memory.back()));
    }
    VolkDeviceTable vk{};
    volkLoadDeviceTable(&vk, application.device);
    VkPhysicalDeviceMemoryProperties types{};
    vkGetPhysicalDeviceMemoryProperties(application.physical_device, &types);
    // [replay]
    Replayer replayer(application.device, vk, types, require(program.commands()),
                      [](VkResult status) { require(status, "replaying"); });
    submit(application, [&](VkCommandBuffer commands) { replayer.clear(commands); }); // once
    // [/replay]
    std::size_t compared = 0;
    for (std::uint32_t execution = 0; execution < 4; ++execution) {
        if (work.camera.bytes != 0) {
            require(program.set(work.camera, execution << 29));
            require(program.set(work.draws, execution % 2 == 0));
            replayer.set_values(require(program.commands()));
        }
        submit(application, [&](VkCommandBuffer commands) { require(program.record(commands)); });
        submit(application, [&](VkCommandBuffer commands) { replayer.record(commands); });
        for (const auto& [output, number] : work.outputs) {
            const weir::BufferView views[] = {program.view(output), replayer.buffer(output.index)};
            std::size_t words = views[0].size / 4;
            if (number.valid()) {
                words = require(gpu.download<std::uint32_t>(program.view(number), 1))[0];
            }
            require(require(gpu.download<std::uint32_t>(views[0], words)) ==
                        require(gpu.download<std::uint32_t>(views[1], words)),
                    std::string(name) + ": the results are equal");
            compared += words;
        }
    }
    std::printf("%s: %zu commands, %zu words are equal\n", name, require(program.commands()).commands.size(), compared);
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        compare(application, gpu, "sort", add_sort);
        compare(application, gpu, "select", add_select);
        compare(application, gpu, "word count", add_word_count);
        compare(application, gpu, "culling", add_culling);
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
