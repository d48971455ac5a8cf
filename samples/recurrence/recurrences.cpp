#include "recurrence/recurrences.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "common/progress.hpp"
#include "common/propagate.hpp"

namespace samples {

namespace {

/// Functions y -> a y + b.
weir::Monoid affine_maps(const std::string& name) {
    return {.name = name,
            .fields = {"float a", "float b"},
            .identity = "T(1.0, 0.0)",
            .combine = "return T(right.a * left.a, right.a * left.b + right.b);"};
}

std::vector<Recurrence> make_recurrences() {
    std::vector<Recurrence> all;
    all.push_back(
        {.name = "average",
         .formula = "exponential moving average: y + k (x - y), from the first x on",
         .usual_k = 0.1,
         .most_k = 1,
         .monoid = affine_maps("average"),
         .load = "return is_first ? T(0.0, x[i]) : T(1.0 - k, k * x[i]);",
         .result = "floatBitsToUint(inclusive.b)",
         .step = [](double before, double x, double k, bool first) { return first ? x : before + k * (x - before); }});
    all.push_back({.name = "controller",
                   .formula = "proportional controller of y towards x: y + k (x - y), from 0 on",
                   .usual_k = 0.1,
                   .most_k = 2,
                   .monoid = affine_maps("controller"),
                   .load = "return T(1.0 - k, k * x[i]);",
                   .result = "floatBitsToUint(inclusive.b)",
                   .step = [](double before, double x, double k, bool first) {
                       return (first ? 0 : before) + k * (x - (first ? 0 : before));
                   }});
    all.push_back({.name = "horner",
                   .formula = "polynomial in k with coefficients x, by Horner's rule: k y + x",
                   .usual_k = 0.1,
                   .least_k = -1,
                   .most_k = 1,
                   .monoid = affine_maps("horner"),
                   .load = "return T(k, x[i]);",
                   .result = "floatBitsToUint(inclusive.b)",
                   .step = [](double before, double x, double k, bool first) { return first ? x : k * before + x; }});
    all.push_back(
        {.name = "minimum",
         .formula = "running minimum: min(y, x)",
         .monoid = {.name = "minimum",
                    .fields = {"float least"},
                    .identity = "T(uintBitsToFloat(0x7F800000u))",
                    .combine = "return T(min(left.least, right.least));",
                    .commutes = true},
         .load = "return T(x[i]);",
         .result = "floatBitsToUint(inclusive.least)",
         .step = [](double before, double x, double, bool first) { return first ? x : std::min(before, x); }});
    // Functions y -> max(y + a, b).
    all.push_back(
        {.name = "max-plus",
         .formula = "peaks that decay: max(y - k, x)",
         .usual_k = 0.1,
         .most_k = 1e6,
         .monoid = {.name = "max_plus",
                    .fields = {"float a", "float b"},
                    .identity = "T(0.0, uintBitsToFloat(0xFF800000u))",
                    .combine = "return T(left.a + right.a, max(left.b + right.a, right.b));"},
         .load = "return T(-k, x[i]);",
         .result = "floatBitsToUint(inclusive.b)",
         .step = [](double before, double x, double k, bool first) { return first ? x : std::max(before - k, x); }});
    all.push_back({.name = "fibonacci",
                   .formula = "Fibonacci numbers modulo 2^32: the sum of the previous two",
                   .takes_input = false,
                   .monoid = {.name = "fibonacci",
                              .fields = {"uvec4 m"}, // 2 x 2 matrix, row-major
                              .identity = "T(uvec4(1, 0, 0, 1))",
                              .combine = "return T(uvec4(left.m.xy * right.m.xx + left.m.zw * right.m.yy,\n"
                                         "               left.m.xy * right.m.zz + left.m.zw * right.m.ww));"},
                   .load = "return T(uvec4(1, 1, 1, 0));",
                   .result = "inclusive.m.y"});
    return all;
}

std::string load_of(const Recurrence& recurrence) {
    return "const bool is_first = i == 0 || groups[i] != groups[i - 1];\n" + recurrence.load;
}

} // namespace

const std::vector<Recurrence>& recurrences() {
    static const std::vector<Recurrence> all = make_recurrences();
    return all;
}

const Recurrence& find_recurrence(const std::string& name) {
    const auto& all = recurrences();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Recurrence& recurrence) { return recurrence.name == name; });
    return found != all.end() ? *found : all.front();
}

weir::Result<Scanned> scan_on_device(const weir::Context& gpu, const Recurrence& recurrence, const Series& series,
                                     double k) {
    const auto n = static_cast<std::uint32_t>(series.x.size());
    if (n == 0) {
        return Scanned();
    }
    Progress progress("compiling and scanning");
    weir::Graph graph(gpu);
    const auto x = graph.import_buffer<float>("x", n);
    const auto groups = graph.import_buffer<std::uint32_t>("groups", n);
    const auto y = graph.import_buffer<std::uint32_t>("y", n);
    weir::fused_scan(
        graph,
        {.monoid = recurrence.monoid,
         .count = n,
         .buffers = {{"float x[]", weir::read(x)}, {"uint groups[]", weir::read(groups)}, {"uint y[]", weir::write(y)}},
         .values = {{"k", static_cast<float>(k)}},
         .load = load_of(recurrence),
         .store = "y[i] = " + recurrence.result + ";",
         .segments = weir::Segments::of_keys(groups)});
    graph.export_buffer(y);
    auto program = weir::compile(gpu, graph);
    SAMPLES_PROPAGATE(program);
    weir::Buffer buffers[3];
    const weir::BufferId ids[] = {x, groups, y};
    for (std::size_t i = 0; i < std::size(buffers); ++i) {
        auto buffer = gpu.create_buffer(std::uint64_t{n} * 4);
        SAMPLES_PROPAGATE(buffer);
        buffers[i] = std::move(*buffer);
        SAMPLES_PROPAGATE(program->bind(ids[i], buffers[i]));
    }
    auto uploaded = gpu.upload(buffers[0], series.x);
    if (uploaded) {
        uploaded = gpu.upload(buffers[1], series.group);
    }
    SAMPLES_PROPAGATE(uploaded);
    const auto ran = program->run();
    SAMPLES_PROPAGATE(ran);
    return gpu.download<std::uint32_t>(buffers[2], n).map([&](const std::vector<std::uint32_t>& bits) {
        std::vector<double> values(n);
        std::transform(bits.begin(), bits.end(), values.begin(), [&](std::uint32_t word) {
            return recurrence.step == nullptr ? word : static_cast<double>(std::bit_cast<float>(word));
        });
        return Scanned{std::move(values), ran->gpu_ms};
    });
}

std::vector<double> loop(const Recurrence& recurrence, const Series& series, double k) {
    std::vector<double> y(series.x.size());
    std::uint32_t last = 0, next = 1; // for Fibonacci
    for (std::size_t i = 0; i < y.size(); ++i) {
        const bool first = i == 0 || series.group[i] != series.group[i - 1];
        if (recurrence.step == nullptr) {
            last = first ? 1 : std::exchange(next, last + next);
            next = first ? 1 : next;
            y[i] = last;
        } else {
            y[i] = recurrence.step(first ? 0 : y[i - 1], series.x[i], k, first);
        }
    }
    return y;
}

} // namespace samples
