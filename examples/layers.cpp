// Kernels of the application that use the building blocks of Weir's kernels.

#include <algorithm>

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());

    weir::Graph graph(gpu);
    auto numbers = graph.import_buffer<float>("numbers", 256);
    auto sums = graph.transient_buffer<float>("sums", 256);
    auto ranges = graph.transient_buffer<float>("ranges", 4);
    // [rows]
    weir::Pass pass;
    pass.name = "rows";
    pass.shader = weir::ShaderSource::glsl(R"(#version 460
        layout(local_size_x = 128) in;
        #include <weir/weir_workgroup_scan.glsl>

        float add(float a, float b) { return a + b; }
        WEIR_WORKGROUP_SCAN(sum, float, add, 0.0)

        struct Range { float least, most; };
        Range unite(Range a, Range b) { return Range(min(a.least, b.least), max(a.most, b.most)); }
        WEIR_SHUFFLE_2(Range, least, most)
        WEIR_WORKGROUP_REDUCE(range, Range, unite, Range(1e38, -1e38))

        layout(binding = 0) readonly buffer Numbers { float numbers[]; };
        layout(binding = 1) writeonly buffer Sums { float sums[]; };
        layout(binding = 2) writeonly buffer Ranges { Range ranges[]; };
        void main() { // one workgroup per row
            const uint i = gl_WorkGroupID.x * 128 + weir_invocation();
            float total;
            sums[i] = sum_inclusive_scan(numbers[i], total);
            const Range row = range_reduce(Range(numbers[i], numbers[i]));
            if (weir_invocation() == 0) {
                ranges[gl_WorkGroupID.x] = row;
            }
        })");
    pass.bindings = {read(numbers), write(sums), write(ranges)};
    pass.dispatch = weir::Dispatch::groups(2);
    graph.add_pass(pass);
    // [/rows]

    auto values = graph.import_buffer<float>("values", 2000);
    auto kept = graph.transient_buffer<float>("kept", 2000);
    auto totals = graph.transient_buffer<float>("totals", 2);
    // [filter]
    weir::Pass filter;
    filter.name = "filter and sum";
    filter.shader = weir::ShaderSource::glsl(R"(#version 460
        layout(local_size_x = 128) in;
        struct Kept { uint count; float sum; };
        Kept add(Kept a, Kept b) { return Kept(a.count + b.count, a.sum + b.sum); }
        #define WEIR_TILE_STATES 1 // binding of the tile states
        #define WEIR_TILE_T Kept
        #define WEIR_TILE_WORDS 2
        #define WEIR_TILE_COMBINE add
        #define WEIR_TILE_IDENTITY Kept(0, 0.0)
        #define WEIR_TILE_REDUCE reduce_tile
        #include <weir/weir_look_back.glsl>
        WEIR_WORDS_2(Kept, count, sum)

        layout(binding = 0) readonly buffer Values { float values[2000]; };
        layout(binding = 2) writeonly buffer Results { float kept[]; };
        layout(binding = 3) writeonly buffer Totals { float count, sum; };
        const uint ITEMS = 4, TILE = 128 * ITEMS, TILES = (2000 + TILE - 1) / TILE;

        uint place(uint tile, uint i) { return tile * TILE + weir_invocation() * ITEMS + i; }
        bool is_kept(uint at) { return at < 2000 && values[at] > 0.0; }
        Kept reduce_tile(uint tile) { // reduces this invocation's items, of any tile
            Kept all = Kept(0, 0.0);
            for (uint i = 0; i < ITEMS; ++i) {
                if (is_kept(place(tile, i))) {
                    all = add(all, Kept(1, values[place(tile, i)]));
                }
            }
            return all;
        }
        void main() {
            const uint tile = weir_claim_tile(TILES);
            const Kept of_tile = weir_publish_tile(reduce_tile(tile));
            uint rank = weir_look_back().count; // rank of this invocation's first kept item
            for (uint i = 0; i < ITEMS; ++i) {
                if (is_kept(place(tile, i))) {
                    kept[rank++] = values[place(tile, i)];
                }
            }
            if (tile + 1 == TILES && weir_invocation() == 0) {
                const Kept all = add(weir_tile_prefix(), of_tile);
                count = all.count;
                sum = all.sum;
            }
        })");
    filter.bindings = {read(values), read_write(weir::tile_states(graph, 4, 2)), write(kept), write(totals)};
    filter.dispatch = weir::Dispatch::elements(2000, 4 * 128);
    graph.add_pass(filter);
    // [/filter]

    auto sorted = graph.transient_buffer<float>("sorted", 1024);
    // [sort]
    weir::Pass sort;
    sort.name = "sort of tiles";
    sort.shader = weir::ShaderSource::glsl(R"(#version 460
        layout(local_size_x = 128) in;
        #include <weir/weir_radix_sort.glsl>
        WEIR_RADIX_SORT(tile, 4, 4) // four items per invocation, four bits per pass

        layout(binding = 0) readonly buffer Values { float values[]; };
        layout(binding = 1) writeonly buffer Sorted { float sorted[]; };
        void main() { // one workgroup per tile of 512
            uint keys[4];
            for (uint i = 0; i < 4; ++i) {
                keys[i] = weir_key(values[gl_WorkGroupID.x * 512 + weir_subgroup_striped(i, 4)]);
            }
            tile_sort(keys, 0, 32);
            for (uint i = 0; i < 4; ++i) {
                sorted[gl_WorkGroupID.x * 512 + weir_subgroup_striped(i, 4)] = weir_float_of_key(keys[i]);
            }
        })");
    sort.bindings = {read(values), write(sorted)};
    sort.dispatch = weir::Dispatch::groups(2);
    graph.add_pass(sort);
    // [/sort]
    for (const auto& buffer : {sums, ranges, kept, totals, sorted}) {
        graph.export_buffer(buffer);
    }
    auto program = weir::check(weir::compile(gpu, graph));

    std::vector<float> ones(256, 1), mixed(2000);
    ones[255] = 7;
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        mixed[i] = static_cast<float>(i % 5) - 2;
    }
    const auto memory = buffer_of<float>(gpu, ones), more_memory = buffer_of<float>(gpu, mixed);
    weir::check(program.bind(numbers, memory));
    weir::check(program.bind(values, more_memory));
    weir::check(program.run());
    show(gpu, program, sums, 3);   // 1 2 3
    show(gpu, program, ranges, 4); // 1 1 1 7
    show(gpu, program, kept, 4);   // 1 2 1 2
    show(gpu, program, totals, 2); // 800 1200
    show(gpu, program, sorted, 2); // -2 -2
    const auto all = weir::check(gpu.download<float>(program.view(sorted), 1024));
    return std::is_sorted(all.begin(), all.begin() + 512) && std::is_sorted(all.begin() + 512, all.end()) ? 0 : 1;
}
