#include "operations.hpp"
#include "weir_bench_shaders.hpp"

namespace weir::bench {

namespace {

Result<Program> prepare(Data& data, std::uint32_t n) {
    constexpr std::uint32_t words_per_vector = 4, workgroup = 256;
    const std::uint32_t vectors = (n + words_per_vector - 1) / words_per_vector;
    Graph graph(data.context());
    auto from = graph.import_buffer<std::uint32_t>("from", vectors * words_per_vector);
    auto to = graph.import_buffer<std::uint32_t>("to", vectors * words_per_vector);
    const auto words = weir_bench::shaders::copy;
    graph.add_pass({.name = "copy",
                    .shader = ShaderSource::spirv({words.begin(), words.end()}, "copy"),
                    .bindings = {read(from), write(to)},
                    .push = {vectors},
                    .dispatch = Dispatch::elements(vectors, workgroup)});
    return make_program(data.context(), graph, {{from, data.input(Input::words, n)}, {to, data.output(0, n)}});
}

} // namespace

Operation copy_operation() {
    return {.op = "copy",
            .type = "u32",
            .bytes_per_item = 8,
            .memory_per_item = 8,
            .expected = [](std::uint32_t n) { return Arrays{Data::words(Input::words, n)}; },
            .variants = {{"weir", prepare}}};
}

} // namespace weir::bench
