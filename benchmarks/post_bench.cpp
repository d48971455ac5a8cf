#include "post_bench.hpp"

#include <algorithm>
#include <cstdio>

#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "primitives/kernel/shapes.hpp"
#include "weir_bench_shaders.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t least_runs = 20;
constexpr std::uint32_t gave_up = ~0U;

/// Round trips per run, and the results of all runs.
struct Posts {
    std::uint32_t rounds = 0;
    std::vector<double> ms; ///< time of a round trip, per run without a given-up round trip
    std::vector<std::uint32_t> polls;
    std::uint32_t given_up = 0; ///< runs with a given-up round trip
};

Result<Posts> measure(const Context& context, std::uint32_t runs) {
    const bool cpu = context.capabilities().kind == DeviceKind::cpu;
    Posts posts{.rounds = cpu ? 32U : 512U}; // lavapipe ends all loops of a kernel after 65535 iterations
    Graph graph(context);
    const auto words = graph.transient_buffer<std::uint32_t>("posts", 64);
    const auto polls = graph.transient_buffer<std::uint32_t>("polls", posts.rounds);
    graph.add_fill("nothing is posted", words, 0);
    graph.add_fill("no round", polls, gave_up);
    const auto spirv = weir_bench::shaders::post;
    graph.add_pass({.name = "posts",
                    .shader = ShaderSource::spirv({spirv.begin(), spirv.end()}, "posts"),
                    .bindings = {read_write(words), read_write(polls)},
                    .constants = {posts.rounds, 1024},
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
            ++posts.given_up;
            continue;
        }
        posts.ms.push_back(ran->gpu_ms.value_or(0) / posts.rounds);
        posts.polls.insert(posts.polls.end(), counts->begin(), counts->end());
    }
    return posts;
}

std::string describe(const Context& context, Posts& posts) {
    std::sort(posts.polls.begin(), posts.polls.end());
    const auto part = [&](double of) {
        return std::to_string(posts.polls[static_cast<std::size_t>(static_cast<double>(posts.polls.size() - 1) * of)]);
    };
    const std::uint32_t spins =
        kernel_shape(context.capabilities(), ShapeKernel::scan_light, std::uint64_t{1} << 24).max_spins;
    return "failed polls: median " + part(0.5) + ", 99 % up to " + part(0.99) + ", maximum " + part(1) +
           "; max_spins is " + std::to_string(spins) +
           (posts.given_up != 0 ? "; given up in " + std::to_string(posts.given_up) + " runs" : "");
}

} // namespace

std::vector<std::string> post_row_names() {
    return {"post/u32/round trip"};
}

Result<> time_posts(const Context& context, std::uint32_t repeats,
                    const std::function<bool(const std::string& name)>& selected,
                    const std::function<void(const Row& row)>& report) {
    if (!selected(post_row_names().front())) {
        return {};
    }
    auto posts = measure(context, std::max(repeats, least_runs));
    SAMPLES_PROPAGATE(posts);
    if (posts->ms.empty()) {
        std::fprintf(stderr, "weir_bench: skipped %s: two workgroups did not run at the same time\n",
                     post_row_names().front().c_str());
        return {};
    }
    const double median = samples::median(posts->ms);
    report({.op = "post",
            .type = "u32",
            .n = posts->rounds,
            .impl = "round trip",
            .median_ms = median,
            .min_ms = *std::min_element(posts->ms.begin(), posts->ms.end()),
            .repeats = static_cast<std::uint32_t>(posts->ms.size()),
            .items_per_s = median > 0 ? 2e3 / median : 0,
            .kernel = describe(context, *posts)});
    return {};
}

} // namespace weir::bench
