#include <algorithm>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <weir/weir.hpp>

struct Particle {
    float position[3];
    float mass;
    float velocity[3];
    float energy;
};

std::vector<std::uint32_t> read_words(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::uint32_t> words(bytes.size() / 4);
    std::copy_n(bytes.begin(), words.size() * 4, reinterpret_cast<char*>(words.data()));
    return words;
}

// Moves particles with a pass in HLSL, and sums their energies. The optional argument is SPIR-V from another compiler.
int main(int argc, char** argv) {
    const std::uint32_t count = 100;
    const std::vector<Particle> particles(count, {{0, 1, 2}, 2, {1, 0, 2}, 0});

    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    auto before = graph.import_buffer<Particle>("before", count);
    auto after = graph.transient_buffer<Particle>("after", count);
    auto energies = graph.transient_buffer<float>("energies", 2);
    weir::Pass pass;
    pass.name = "move";
    const std::string file = std::filesystem::path(__FILE__).replace_filename("particles.hlsl").string();
    // [shader]
    pass.shader = argc > 1 ? weir::ShaderSource::spirv(read_words(argv[1]))
                           : weir::ShaderSource::hlsl_file(file).entry_point("move");
    pass.bindings = {read(before), write(after), write(energies)}; // registers t0, u1, u2
    pass.push = {std::bit_cast<std::uint32_t>(0.5F), count};
    pass.dispatch = weir::Dispatch::groups(2);
    graph.add_pass(pass);
    auto energy = weir::reduce(graph, energies);
    // [/shader]
    graph.export_buffer(after);
    graph.export_buffer(energy);
    auto program = weir::check(weir::compile(gpu, graph));

    auto memory = weir::check(gpu.create_buffer(count * sizeof(Particle)));
    weir::check(gpu.upload(memory, particles));
    weir::check(program.bind(before, memory));
    weir::check(program.run());
    const Particle moved = weir::check(gpu.download<Particle>(program.view(after), count)).back();
    std::printf("%g %g %g %g\n", moved.position[0], moved.position[1], moved.position[2],
                weir::check(gpu.download<float>(program.view(energy), 1))[0]); // 0.5 1 3 500
}
