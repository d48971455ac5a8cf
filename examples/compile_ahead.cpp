// Compiles shaders ahead of time into a file. A context with this file needs no shader compiler.

#include <filesystem>

#include "show.hpp"

int main() {
    const std::string file = (std::filesystem::temp_directory_path() / "weir_compile_ahead.bin").string();
    const auto make_graph = [](weir::Graph graph, weir::BufferRef<std::uint32_t>& output) {
        auto numbers = weir::iota(graph, graph.transient_buffer<std::uint32_t>("numbers", 4));
        output = weir::transform<std::uint32_t>(graph, numbers, "x * x");
        graph.export_buffer(output);
        return graph;
    };
    weir::BufferRef<std::uint32_t> squares;
    {
        auto gpu = weir::check(weir::Context::create());
        const weir::Graph graph = make_graph(weir::Graph(gpu), squares);
        // [ahead]
        weir::check(weir::compile_ahead(graph, file)); // needs a shader compiler, but no device
        // [/ahead]
    }
    // [shipped]
    weir::ContextOptions options;
    options.compiler.shader_file = file;
    auto gpu = weir::check(weir::Context::create(options));
    // [/shipped]
    const weir::Graph graph = make_graph(weir::Graph(gpu), squares);
    auto program = weir::check(weir::compile(gpu, graph));
    weir::check(program.run());
    show(gpu, program, squares, 4); // 0 1 4 9
    std::filesystem::remove(file);
}
