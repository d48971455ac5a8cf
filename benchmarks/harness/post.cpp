#include "harness/post.hpp"

#include <algorithm>
#include <utility>

#include "common/propagate.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t max_polls = 1024; // MOST_POLLS of shaders/post.comp
constexpr std::uint32_t gave_up = ~0U;    // in place of the failed polls of a round trip that did not complete

} // namespace

std::uint32_t Posts::quantile(double fraction) const {
    return polls[static_cast<std::size_t>(static_cast<double>(polls.size() - 1) * fraction)];
}

Result<Posts> measure_posts(const Context& context, std::span<const std::uint32_t> spirv, std::uint32_t runs) {
    const bool cpu = context.capabilities().kind == DeviceKind::cpu;
    Posts posts{.rounds = cpu ? 32U : 512U}; // lavapipe ends every loop after 65535 iterations
    Graph graph(context);
    const auto words = graph.transient_buffer<std::uint32_t>("posts", 64);
    const auto polls = graph.transient_buffer<std::uint32_t>("polls", posts.rounds);
    graph.add_fill("clear posts", words, 0);
    graph.add_fill("clear polls", polls, gave_up);
    graph.add_pass({.name = "posts",
                    .shader = ShaderSource::spirv({spirv.begin(), spirv.end()}, "posts"),
                    .bindings = {read_write(words), read_write(polls)},
                    .constants = {posts.rounds, max_polls},
                    .dispatch = Dispatch::groups(2)});
    graph.export_buffer(polls);
    auto program = compile(context, graph);
    SAMPLES_PROPAGATE(program);
    for (std::uint32_t run = 0; run <= runs; ++run) { // plus one warm-up run
        const auto ran = program->run();
        const auto counts =
            ran ? context.download<std::uint32_t>(program->view(polls), posts.rounds) : tl::unexpected(ran.error());
        SAMPLES_PROPAGATE(counts);
        if (run == 0) {
            continue;
        }
        if (counts->back() == gave_up) {
            ++posts.incomplete;
            continue;
        }
        posts.ms.push_back(ran->gpu_ms.value_or(0) / posts.rounds);
        posts.polls.insert(posts.polls.end(), counts->begin(), counts->end());
    }
    std::ranges::sort(posts.polls);
    return posts;
}

} // namespace weir::bench
