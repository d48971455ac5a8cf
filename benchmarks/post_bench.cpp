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
constexpr std::uint32_t max_polls = 1024; // MOST_POLLS of shaders/post.comp
constexpr std::uint32_t gave_up = ~0U;    // in place of the failed polls of a round trip that did not complete

/// Results of all runs.
struct Posts {
    std::uint32_t rounds = 0;         ///< round trips per run
    std::vector<double> ms;           ///< mean time of a round trip in each complete run
    std::vector<std::uint32_t> polls; ///< failed polls of each round trip in complete runs
    std::uint32_t incomplete = 0;     ///< runs in which a workgroup gave up
};

Result<Posts> measure(const Context& context, std::uint32_t runs) {
    const bool cpu = context.capabilities().kind == DeviceKind::cpu;
    Posts posts{.rounds = cpu ? 32U : 512U}; // lavapipe ends every loop after 65535 iterations
    Graph graph(context);
    const auto words = graph.transient_buffer<std::uint32_t>("posts", 64);
    const auto polls = graph.transient_buffer<std::uint32_t>("polls", posts.rounds);
    graph.add_fill("clear posts", words, 0);
    graph.add_fill("clear polls", polls, gave_up);
    const auto spirv = weir_bench::shaders::post;
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
    return posts;
}

std::string describe(const Context& context, Posts& posts) {
    std::sort(posts.polls.begin(), posts.polls.end());
    const auto quantile = [&](double fraction) {
        const double last = static_cast<double>(posts.polls.size() - 1);
        return std::to_string(posts.polls[static_cast<std::size_t>(last * fraction)]);
    };
    const std::uint32_t spins =
        kernel_shape(context.capabilities(), ShapeKernel::scan_light, std::uint64_t{1} << 24).max_spins;
    return "failed polls: median " + quantile(0.5) + ", 99th percentile " + quantile(0.99) + ", maximum " +
           quantile(1) + "; max_spins is " + std::to_string(spins) +
           (posts.incomplete != 0 ? "; a workgroup gave up in " + std::to_string(posts.incomplete) + " runs" : "");
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
