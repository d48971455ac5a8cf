// A selective scan, as in state-space models of sequences (Gu and Dao, "Mamba"): each channel is a linear recurrence
// whose coefficients depend on the input, so that it can keep or forget its state.

#include <array>
#include <cmath>

#include "show.hpp"

using State = std::array<float, 4>; // state of one channel

constexpr std::uint32_t channels = 3, steps = 1000;

struct Model {
    std::vector<float> x, delta;        ///< input and time step, channel by channel
    std::vector<State> rates;           ///< A, per channel
    std::vector<State> inputs, outputs; ///< B and C, per step
};

Model made_up() {
    Model model;
    for (std::uint32_t i = 0; i < channels * steps; ++i) {
        model.x.push_back(static_cast<float>(i * 7919 % 101) / 101);
        model.delta.push_back(i % 10 == 0 ? 0.5F : 0.05F); // large and small time steps
    }
    for (std::uint32_t c = 0; c < channels; ++c) {
        model.rates.push_back({-0.25F, -0.5F, -1, -2});
    }
    for (std::uint32_t t = 0; t < steps; ++t) {
        const float s = static_cast<float>(t % 4);
        model.inputs.push_back({1, s - 1, 0.5F, 2 - s});
        model.outputs.push_back({0.25F, 0.5F, s - 1, 1});
    }
    return model;
}

/// Reference: computes h = exp(delta A) h + delta B x and y = C h, step by step.
std::vector<float> outputs_of(const Model& model) {
    std::vector<float> y;
    for (std::uint32_t c = 0; c < channels; ++c) {
        State h{};
        for (std::uint32_t t = 0; t < steps; ++t) {
            const std::uint32_t i = c * steps + t;
            float sum = 0;
            for (std::size_t k = 0; k < h.size(); ++k) {
                h[k] = std::exp(model.delta[i] * model.rates[c][k]) * h[k] +
                       model.delta[i] * model.inputs[t][k] * model.x[i];
                sum += model.outputs[t][k] * h[k];
            }
            y.push_back(sum);
        }
    }
    return y;
}

int main() {
    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    auto x = graph.import_buffer<float>("x", channels * steps);
    auto delta = graph.import_buffer<float>("delta", channels * steps);
    auto rates = graph.import_buffer<State>("A", channels);
    auto inputs = graph.import_buffer<State>("B", steps);
    auto outputs = graph.import_buffer<State>("C", steps);
    auto y = graph.transient_buffer<float>("y", channels * steps);
    // [selective]
    // A step is the map h -> a h + b of the state, component by component. A channel is a segment; in a batch, each
    // channel of each sequence is one. The states are never written to memory.
    weir::fused_scan(graph, {.monoid = {.name = "selective_scan",
                                        .fields = {"vec4 a", "vec4 b"},
                                        .identity = "T(vec4(1), vec4(0))",
                                        .combine = "return T(right.a * left.a, right.a * left.b + right.b);"},
                             .count = x.count,
                             .buffers = {{"float x[]", read(x)},
                                         {"float delta[]", read(delta)},
                                         {"vec4 A[]", read(rates)},
                                         {"vec4 B[]", read(inputs)},
                                         {"vec4 C[]", read(outputs)},
                                         {"float y[]", write(y)}},
                             .values = {{"steps", steps}},
                             .load = "return T(exp(delta[i] * A[i / steps]), delta[i] * x[i] * B[i % steps]);",
                             .store = "y[i] = dot(C[i % steps], inclusive.b);",
                             .segments = weir::Segments::of_length(steps)});
    // [/selective]
    graph.export_buffer(y);
    auto program = weir::check(weir::compile(gpu, graph));

    const Model model = made_up();
    const auto x_memory = buffer_of(gpu, model.x), delta_memory = buffer_of(gpu, model.delta);
    const auto a_memory = buffer_of(gpu, model.rates), b_memory = buffer_of(gpu, model.inputs);
    const auto c_memory = buffer_of(gpu, model.outputs);
    weir::check(program.bind(x, x_memory));
    weir::check(program.bind(delta, delta_memory));
    weir::check(program.bind(rates, a_memory));
    weir::check(program.bind(inputs, b_memory));
    weir::check(program.bind(outputs, c_memory));
    weir::check(program.run());
    const auto found = weir::check(gpu.download<float>(program.view(y), channels * steps));
    const auto expected = outputs_of(model);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!(std::abs(found[i] - expected[i]) < 1e-3F)) {
            std::printf("y[%zu] is %g, expected %g\n", i, static_cast<double>(found[i]),
                        static_cast<double>(expected[i]));
            return 1;
        }
    }
    for (std::uint32_t c = 0; c < channels; ++c) { // the last output of each channel
        std::printf("%.2f ", static_cast<double>(found[c * steps + steps - 1]));
    }
    std::printf("\n");
}
