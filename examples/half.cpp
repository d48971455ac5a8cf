// Sums of 16-bit floats without a pass that widens them: fused primitives convert in their loads and stores. Devices
// with storage of 16 bits read and write the numbers as such; others read packed words.

#include "show.hpp"

int main() {
    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    constexpr std::uint32_t rows = 3, columns = 4;
    auto halves = graph.import_buffer<weir::Half>("halves", rows * columns);
    auto bfloats = graph.import_buffer<weir::BFloat16>("bfloats", rows * columns);
    // [half]
    const bool native = gpu.capabilities().narrow_storage;
    auto total = weir::fused_reduce<float>(
        graph, {.count = halves.count,
                .buffers = {{native ? "float16_t x[]" : "uint x[]", read(halves)}},
                .load = native ? "return float(x[i]);" : "return unpackHalf2x16(x[i / 2])[i % 2];"});
    // A bfloat16 is the upper half of a float. Sums along rows stay floats in the kernel, whatever is stored.
    auto sums = graph.transient_buffer<float>("sums", rows * columns);
    weir::fused_scan(graph,
                     {.monoid = {.name = "sum",
                                 .fields = {"float v"},
                                 .identity = "T(0.0)",
                                 .combine = "return T(left.v + right.v);",
                                 .commutes = true},
                      .count = bfloats.count,
                      .buffers = {{native ? "uint16_t x[]" : "uint x[]", read(bfloats)}, {"float sums[]", write(sums)}},
                      .load = native ? "return T(uintBitsToFloat(uint(x[i]) << 16));"
                                     : "return T(uintBitsToFloat(x[i / 2] >> i % 2 * 16 << 16));",
                      .store = "sums[i] = inclusive.v;",
                      .segments = weir::Segments::of_length(columns)});
    // [/half]
    graph.export_buffer(total);
    graph.export_buffer(sums);
    auto program = weir::check(weir::compile(gpu, graph));

    const std::vector<std::uint16_t> half_bits{0x3C00, 0x4000, 0x4200, 0x4400, 0x3800, 0xBC00,
                                               0x3C00, 0x3C00, 0x4000, 0x4200, 0x0000, 0x3C00};
    const std::vector<std::uint16_t> bfloat_bits{0x3F80, 0x4000, 0x4040, 0x4080, 0x3F00, 0xBF80,
                                                 0x3F80, 0x3F80, 0x4000, 0x4040, 0x0000, 0x3F80};
    const auto half_memory = buffer_of(gpu, half_bits), bfloat_memory = buffer_of(gpu, bfloat_bits);
    weir::check(program.bind(halves, half_memory));
    weir::check(program.bind(bfloats, bfloat_memory));
    weir::check(program.run());
    show(gpu, program, total, 1);             // 17.5
    show(gpu, program, sums, rows * columns); // 1 3 6 10, 0.5 -0.5 0.5 1.5, 2 5 5 6
}
