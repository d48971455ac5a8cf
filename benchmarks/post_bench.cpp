#include "post_bench.hpp"

#include <algorithm>
#include <cstdio>

#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "harness/post.hpp"
#include "primitives/kernel/shapes.hpp"
#include "weir_bench_shaders.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t least_runs = 20;

std::string describe(const Context& context, const Posts& posts) {
    const std::uint32_t spins =
        kernel_shape(context.capabilities(), ShapeKernel::scan_light, std::uint64_t{1} << 24).max_spins;
    return "failed polls: median " + std::to_string(posts.quantile(0.5)) + ", 99th percentile " +
           std::to_string(posts.quantile(0.99)) + ", maximum " + std::to_string(posts.quantile(1)) + "; max_spins is " +
           std::to_string(spins) +
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
    auto posts = measure_posts(context, weir_bench::shaders::post, std::max(repeats, least_runs));
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
