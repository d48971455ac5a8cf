// A third-order filter with an infinite impulse response, as a scan: y[t] depends on the three outputs before it.

#include <array>
#include <cmath>

#include "show.hpp"

/// y[t] = b[0] x[t] + ... + b[3] x[t - 3] - a[1] y[t - 1] - a[2] y[t - 2] - a[3] y[t - 3], with nothing before t = 0.
struct Filter {
    std::array<float, 4> b, a;
};

/// Reference: the filter as a loop, in doubles.
std::vector<double> filtered(const Filter& filter, const std::vector<float>& x) {
    std::vector<double> y(x.size());
    for (std::size_t t = 0; t < x.size(); ++t) {
        for (std::size_t k = 0; k < 4 && k <= t; ++k) {
            y[t] += static_cast<double>(filter.b[k]) * static_cast<double>(x[t - k]);
            y[t] -= k == 0 ? 0 : static_cast<double>(filter.a[k]) * y[t - k];
        }
    }
    return y;
}

int main() {
    // Third-order Butterworth low-pass filter. Its cutoff frequency is a tenth of the sample rate.
    const Filter butterworth{{0.01809893F, 0.0542968F, 0.0542968F, 0.01809893F},
                             {1, -1.76004188F, 1.18289326F, -0.27805992F}};
    // A step plus a tone of the highest frequency, which the filter removes.
    std::vector<float> input(10000);
    for (std::size_t t = 0; t < input.size(); ++t) {
        input[t] = t % 2 == 0 ? 1.5F : 0.5F;
    }
    const auto samples = static_cast<std::uint32_t>(input.size());

    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    auto filter = graph.import_buffer<Filter>("filter", 1);
    auto x = graph.import_buffer<float>("x", samples);
    auto y = graph.transient_buffer<float>("y", samples);
    // [filter]
    // The state after t is s = (y[t], y[t - 1], y[t - 2]). A sample is the map s -> M s + v. M is the companion matrix
    // of the filter, with the columns p, q and r. The scan composes the maps; its v is the state after each sample.
    weir::fused_scan(
        graph, {.monoid = {.name = "filter",
                           .fields = {"vec3 p", "vec3 q", "vec3 r", "vec3 v"},
                           .identity = "T(vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1), vec3(0))",
                           .combine = "mat3 m = mat3(right.p, right.q, right.r);"
                                      "return T(m * left.p, m * left.q, m * left.r, m * left.v + right.v);"},
                .count = x.count,
                .buffers = {{"float b[4]; float a[4]", read(filter)}, {"float x[]", read(x)}, {"float y[]", write(y)}},
                .load = R"(
                          float u = 0.0;
                          for (uint k = 0; k < 4 && k <= i; ++k) {
                              u += b[k] * x[i - k];
                          }
                          return T(vec3(-a[1], 1, 0), vec3(-a[2], 0, 1), vec3(-a[3], 0, 0), vec3(u, 0, 0));)",
                .store = "y[i] = inclusive.v.x;"});
    // [/filter]
    graph.export_buffer(y);
    auto program = weir::check(weir::compile(gpu, graph));

    const auto filter_memory = buffer_of<Filter>(gpu, {butterworth});
    const auto x_memory = buffer_of(gpu, input);
    weir::check(program.bind(filter, filter_memory));
    weir::check(program.bind(x, x_memory));
    weir::check(program.run());
    const auto found = weir::check(gpu.download<float>(program.view(y), samples));
    const auto expected = filtered(butterworth, input);
    for (std::size_t t = 0; t < found.size(); ++t) {
        if (!(std::abs(static_cast<double>(found[t]) - expected[t]) < 1e-4)) {
            std::printf("y[%zu] is %g, expected %g\n", t, static_cast<double>(found[t]), expected[t]);
            return 1;
        }
    }
    for (const std::size_t t : {0, 5, 10, 20, 9999}) { // the rise of the step, without the tone
        std::printf("%.2f ", static_cast<double>(found[t]));
    }
    std::printf("\n");
}
