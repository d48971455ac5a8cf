// Expansion: each item gets a number of slots, and each slot gets the index of its item.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto counts = graph.import_buffer<std::uint32_t>("counts", 3);
    // [expand]
    auto slots = weir::expand(graph, counts, {.capacity = 8, .want_ranks = true}); // sources, ranks, offsets, a count
    auto same = weir::expand_offsets(graph, slots.offsets, 5);                     // if the offsets are known
    // [/expand]
    auto items = graph.transient_buffer<std::uint32_t>("items", 8);
    // [search]
    auto counted = weir::expand(graph, counts, {.want_sources = false}); // a scan: offsets and the number of slots

    weir::Pass pass;
    pass.name = "items of slots";
    pass.shader = weir::ShaderSource::glsl(R"(#version 460
        #include <weir/dispatch.glsl>
        layout(local_size_x = 64) in;
        layout(binding = 0) readonly buffer Offsets { uint offsets[]; };
        layout(binding = 1) readonly buffer Total { uint total; };
        layout(binding = 2) writeonly buffer Items { uint items[]; };
        uint weir_offset_of(uint item) { return offsets[item]; }
        #include <weir/slot_search.glsl>
        void main() {
            const uint slot = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
            if (slot < min(total, 8)) {
                items[slot] = weir_item_of_slot(slot, 0, 3); // searches 3 items, beginning with item 0
            }
        })");
    pass.bindings = {read(counted.offsets), read(counted.count), write(items)};
    pass.dispatch = weir::Dispatch::elements(graph.count_in(counted.count, 0, 8).direct(), 64);
    graph.add_pass(pass);
    // [/search]
    graph.export_buffer(items);
    for (const auto& buffer : {slots.sources, slots.ranks, slots.offsets, slots.count, same.sources}) {
        graph.export_buffer(buffer);
    }
    auto program = weir::check(weir::compile(gpu, graph));

    const auto memory = buffer_of<std::uint32_t>(gpu, {2, 0, 3});
    weir::check(program.bind(counts, memory));
    weir::check(program.run());
    show(gpu, program, slots.sources, 5); // 0 0 2 2 2
    show(gpu, program, slots.ranks, 5);   // 0 1 0 1 2
    show(gpu, program, slots.offsets, 3); // 0 2 2
    show(gpu, program, slots.count, 1);   // 5
    show(gpu, program, same.sources, 5);  // 0 0 2 2 2
    show(gpu, program, items, 5);         // 0 0 2 2 2
}
