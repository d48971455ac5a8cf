#include "common/copy.hpp"

#include <algorithm>
#include <limits>

#include "common/propagate.hpp"
#include "weir_samples_shaders.hpp"

namespace samples {

std::uint64_t most_copied_words(const weir::Capabilities& device) {
    constexpr std::uint64_t most_vectors =
        std::numeric_limits<std::uint32_t>::max() / 4; // words are counted in 32 bits
    return std::min(device.max_storage_range / 16, most_vectors) * 4;
}

weir::Result<weir::Program> copy_program(const weir::Context& gpu, weir::BufferView from, weir::BufferView to,
                                         std::uint32_t words) {
    const auto shader = weir_samples::shaders::copy;
    const std::uint32_t vectors = words / 4 + (words % 4 != 0 ? 1 : 0);
    weir::Graph graph(gpu);
    const auto source = graph.import_buffer<std::uint32_t>("from", vectors * 4);
    const auto target = graph.import_buffer<std::uint32_t>("to", vectors * 4);
    weir::Pass pass;
    pass.name = "copy";
    pass.shader = weir::ShaderSource::spirv({shader.begin(), shader.end()}, "copy");
    pass.bindings = {weir::read(source), weir::write(target)};
    pass.push = {vectors};
    pass.dispatch = weir::Dispatch::elements(vectors, 256);
    graph.add_pass(pass);
    auto program = weir::compile(gpu, graph);
    SAMPLES_PROPAGATE(program);
    for (const auto& [ref, view] : {std::pair{source, from}, std::pair{target, to}}) {
        SAMPLES_PROPAGATE(program->bind(ref, view));
    }
    return program;
}

} // namespace samples
