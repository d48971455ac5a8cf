// The files that a game ships: one with shaders and one with pipelines. The build of the game writes them, and the game
// reads them. "shipping write FOLDER" writes the files, "shipping run FOLDER" reads them, and "shipping" does both.

#include <filesystem>
#include <string_view>

#include "show.hpp"

namespace {

weir::Graph make_graph(const weir::Context& gpu, weir::BufferRef<std::uint32_t>& output) {
    weir::Graph graph(gpu);
    auto numbers = weir::iota(graph, graph.transient_buffer<std::uint32_t>("numbers", 4));
    output = weir::transform<std::uint32_t>(graph, numbers, "x * x");
    graph.export_buffer(output);
    return graph;
}

void write(const std::string& folder) {
    auto gpu = weir::check(weir::Context::create());
    weir::BufferRef<std::uint32_t> squares;
    // [write]
    const weir::Graph graph = make_graph(gpu, squares); // in a game, all its graphs
    weir::check(weir::compile_ahead(graph, folder + "/shaders.bin"));
    auto program = weir::check(weir::compile(gpu, graph));       // creates the pipelines
    weir::check(gpu.write_pipelines(folder + "/pipelines.bin")); // for this device and driver
    // [/write]
}

void run(const std::string& folder) {
    // [run]
    weir::ContextOptions options;
    options.compiler.shader_file = folder + "/shaders.bin";
    options.compiler.pipeline_file = folder + "/pipelines.bin";
    options.compiler.compiles_glsl = false;    // no shader compiler is opened
    options.pipeline_cache_directory = "none"; // nothing is written
    auto gpu = weir::check(weir::Context::create(options));
    // [/run]
    weir::BufferRef<std::uint32_t> squares;
    auto program = weir::check(weir::compile(gpu, make_graph(gpu, squares)));
    weir::check(program.run());
    show(gpu, program, squares, 4); // 0 1 4 9
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "both";
    const std::string folder =
        argc > 2 ? argv[2] : (std::filesystem::temp_directory_path() / "weir_shipping").generic_string();
    if (what != "run") {
        write(folder); // also creates the folder
    }
    if (what != "write") {
        run(folder);
    }
    if (argc == 1) {
        std::filesystem::remove_all(folder);
    }
}
