// A chunked scan of a state-space model with a scalar decay per step, as in Mamba-2 (Dao and Gu, "Transformers are
// SSMs") and in linear attention:
//
//     h[t] = a[t] h[t - 1] + B[t] x[t]^T    a state of N x P numbers
//     y[t] = C[t]^T h[t]
//
// Within a chunk of steps, outputs are products of matrices. Only the states at chunk borders are scanned. Prints the
// time per token, next to that of the plain recurrence.

#include <array>
#include <cmath>
#include <string>

#include "show.hpp"

constexpr std::uint32_t chunk = 64, width = 64; // steps per chunk, and P, the numbers per step of x and y

struct Model {
    std::vector<float> log_a, x, b, c; ///< log of the decay per step; x has `width` numbers per step, B and C have N
};

/// A small deterministic generator. Returns a number in [-1, 1].
float next(std::uint32_t& seed) {
    seed = seed * 1664525 + 1013904223;
    return static_cast<float>(seed >> 8) / 8388608 - 1;
}

Model made_up(std::uint32_t steps, std::uint32_t states) {
    Model model;
    std::uint32_t seed = states;
    for (std::uint32_t t = 0; t < steps; ++t) {
        model.log_a.push_back(t % 100 == 50 ? -20 : -0.05F * (1 + next(seed))); // sometimes nearly all is forgotten
        for (std::uint32_t p = 0; p < width; ++p) {
            model.x.push_back(next(seed));
        }
        for (std::uint32_t n = 0; n < states; ++n) {
            model.b.push_back(next(seed) / 8);
            model.c.push_back(next(seed) / 8);
        }
    }
    return model;
}

/// Reference: the recurrence, step by step, in double precision.
std::vector<double> outputs_of(const Model& model, std::uint32_t states) {
    std::vector<double> h(std::size_t{states} * width), y;
    for (std::size_t t = 0; t < model.log_a.size(); ++t) {
        const double a = std::exp(static_cast<double>(model.log_a[t]));
        std::array<double, width> sum{};
        for (std::uint32_t n = 0; n < states; ++n) {
            for (std::uint32_t p = 0; p < width; ++p) {
                double& state = h[n * width + p];
                state = a * state + static_cast<double>(model.b[t * states + n]) * model.x[t * width + p];
                sum[p] += model.c[t * states + n] * state;
            }
        }
        y.insert(y.end(), sum.begin(), sum.end());
    }
    return y;
}

// [kernels]
// Every kernel begins with this. A workgroup has one chunk. `decay[t]` is the log of the product of the chunk's factors
// up to step t, by the layer's scan of a workgroup; steps beyond the end have the factor 1.
const std::string chunk_glsl = R"(#version 460
    layout(local_size_x = 128) in;
    #include <weir/weir_workgroup_scan.glsl>
    float add(float a, float b) { return a + b; }
    WEIR_WORKGROUP_SCAN(sum, float, add, 0.0)

    layout(push_constant) uniform Push { uint steps, states; };
    const uint CHUNK = 64, WIDTH = 64, ROWS = 128 / WIDTH, ITEMS = CHUNK / ROWS;
    layout(binding = 0) readonly buffer LogA { float log_a[]; };
    shared float decay[CHUNK];

    float find_decay(uint first) { // returns that of the whole chunk
        const uint t = weir_invocation();
        float total;
        const float scanned = sum_inclusive_scan(t < CHUNK && first + t < steps ? log_a[first + t] : 0.0, total);
        if (t < CHUNK) {
            decay[t] = scanned;
        }
        barrier();
        return total;
    })";

// The state that a chunk adds: the sum over its steps of B[t] x[t]^T, decayed to the end of the chunk. An invocation
// has one column of the state and ITEMS rows at a time, in registers. Each number is stored as a map h -> a h + b.
const std::string state_glsl = chunk_glsl + R"(
    layout(binding = 1) readonly buffer X { float x[]; };
    layout(binding = 2) readonly buffer B { float b[]; };
    layout(binding = 3) writeonly buffer Maps { vec2 maps[]; };
    void main() {
        const uint first = gl_WorkGroupID.x * CHUNK, count = min(steps - first, CHUNK);
        const float total = find_decay(first);
        const uint p = weir_invocation() % WIDTH, row = weir_invocation() / WIDTH;
        for (uint n = row; n < states; n += ROWS * ITEMS) {
            float sums[ITEMS];
            for (uint i = 0; i < ITEMS; ++i) {
                sums[i] = 0.0;
            }
            for (uint t = 0; t < count; ++t) {
                const float decayed = exp(total - decay[t]) * x[(first + t) * WIDTH + p];
                for (uint i = 0; i < ITEMS; ++i) {
                    sums[i] += b[(first + t) * states + min(n + i * ROWS, states - 1)] * decayed;
                }
            }
            for (uint i = 0; i < ITEMS; ++i) {
                if (n + i * ROWS < states) {
                    maps[(gl_WorkGroupID.x * states + n + i * ROWS) * WIDTH + p] = vec2(exp(total), sums[i]);
                }
            }
        }
    })";

// The outputs of a chunk: those of the state before it, and those of its own steps. `weight` is the lower triangle of
// C B^T, decayed from step s to step t. An invocation has one column of y and ITEMS steps, in registers.
const std::string output_glsl = chunk_glsl + R"(
    layout(binding = 1) readonly buffer X { float x[]; };
    layout(binding = 2) readonly buffer B { float b[]; };
    layout(binding = 3) readonly buffer C { float c[]; };
    layout(binding = 4) readonly buffer Maps { vec2 maps[]; }; // combined maps of all chunks before
    layout(binding = 5) writeonly buffer Y { float y[]; };
    shared float weight[CHUNK * (CHUNK + 1) / 2];
    void main() {
        const uint first = gl_WorkGroupID.x * CHUNK, count = min(steps - first, CHUNK);
        find_decay(first);
        for (uint i = weir_invocation(); i < CHUNK * CHUNK; i += 128) {
            const uint t = i / CHUNK, s = i % CHUNK;
            if (s <= t && t < count) {
                float product = 0.0;
                for (uint n = 0; n < states; ++n) {
                    product += c[(first + t) * states + n] * b[(first + s) * states + n];
                }
                weight[t * (t + 1) / 2 + s] = product * exp(decay[t] - decay[s]);
            }
        }
        barrier();
        const uint p = weir_invocation() % WIDTH, row = weir_invocation() / WIDTH;
        float sums[ITEMS];
        for (uint i = 0; i < ITEMS; ++i) {
            sums[i] = 0.0;
        }
        for (uint n = 0; n < states; ++n) {
            const float before = maps[(gl_WorkGroupID.x * states + n) * WIDTH + p].y;
            for (uint i = 0; i < ITEMS; ++i) {
                sums[i] += c[(first + min(row + i * ROWS, count - 1)) * states + n] * before;
            }
        }
        for (uint i = 0; i < ITEMS; ++i) {
            const uint t = row + i * ROWS;
            if (t < count) {
                float sum = exp(decay[t]) * sums[i];
                for (uint s = 0; s <= t; ++s) {
                    sum += weight[t * (t + 1) / 2 + s] * x[(first + s) * WIDTH + p];
                }
                y[(first + t) * WIDTH + p] = sum;
            }
        }
    })";
// [/kernels]

// The plain recurrence: a workgroup per number of x, which goes through all steps. An invocation has every 128th state.
const std::string recurrence_glsl = R"(#version 460
    layout(local_size_x = 128) in;
    #include <weir/weir_workgroup_scan.glsl>
    float add(float a, float b) { return a + b; }
    WEIR_WORKGROUP_REDUCE(sum, float, add, 0.0)

    layout(push_constant) uniform Push { uint steps, states; };
    layout(binding = 0) readonly buffer LogA { float log_a[]; };
    layout(binding = 1) readonly buffer X { float x[]; };
    layout(binding = 2) readonly buffer B { float b[]; };
    layout(binding = 3) readonly buffer C { float c[]; };
    layout(binding = 4) writeonly buffer Y { float y[]; };
    const uint WIDTH = 64, ITEMS = 2; // up to 256 states
    void main() {
        const uint p = gl_WorkGroupID.x;
        float state[ITEMS] = float[ITEMS](0.0, 0.0);
        for (uint t = 0; t < steps; ++t) {
            float part = 0.0;
            for (uint i = 0; i < ITEMS; ++i) {
                const uint n = weir_invocation() + i * 128;
                if (n < states) {
                    state[i] = exp(log_a[t]) * state[i] + b[t * states + n] * x[t * WIDTH + p];
                    part += c[t * states + n] * state[i];
                }
            }
            const float all = sum_reduce(part);
            if (weir_invocation() == 0) {
                y[t * WIDTH + p] = all;
            }
            barrier();
        }
    })";

weir::Pass pass_of(const char* name, const std::string& glsl, std::vector<weir::Binding> bindings, std::uint32_t groups,
                   std::uint32_t steps, std::uint32_t states) {
    weir::Pass pass;
    pass.name = name;
    pass.shader = weir::ShaderSource::glsl(glsl);
    pass.bindings = std::move(bindings);
    pass.dispatch = weir::Dispatch::groups(groups);
    pass.push = {steps, states};
    return pass;
}

/// Runs the program twice, and prints the time per token of the second run. Returns true if the outputs are right.
bool check(const weir::Context& gpu, weir::Program& program, weir::BufferRef<float> y,
           const std::vector<double>& expected, const char* name, std::uint32_t states) {
    weir::check(program.run()); // warms up
    const double time = weir::check(program.profile()).total_us();
    const auto found = weir::check(gpu.download<float>(program.view(y), expected.size()));
    double error = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        error = std::max(error, std::abs(found[i] - expected[i]));
    }
    std::printf("%-10s  %3u states  %8.4f us per token  error %.1e\n", name, states,
                time * width / static_cast<double>(expected.size()), error);
    return error < 1e-4;
}

bool run(const weir::Context& gpu, std::uint32_t steps, std::uint32_t states) {
    const std::uint32_t chunks = (steps + chunk - 1) / chunk;
    weir::Graph graph(gpu), plain(gpu);
    std::array<weir::BufferRef<float>, 4> in[2];
    const char* names[] = {"log a", "x", "B", "C"};
    const std::uint32_t sizes[] = {steps, steps * width, steps * states, steps * states};
    for (std::size_t i = 0; i < 4; ++i) {
        in[0][i] = graph.import_buffer<float>(names[i], sizes[i]);
        in[1][i] = plain.import_buffer<float>(names[i], sizes[i]);
    }
    const auto& [log_a, x, b, c] = in[0];
    auto y = graph.transient_buffer<float>("y", steps * width),
         plain_y = plain.transient_buffer<float>("y", steps * width);
    // [passes]
    using Map = std::array<float, 2>;
    auto maps = graph.transient_buffer<Map>("states of chunks", chunks * states * width);
    graph.add_pass(
        pass_of("chunk states", state_glsl, {read(log_a), read(x), read(b), write(maps)}, chunks, steps, states));
    // A chunk is a row. The exclusive scan along columns is the state before each chunk.
    weir::scan_columns(graph, maps, {.rows = chunks, .columns = states * width},
                       {.kind = weir::ScanKind::exclusive,
                        .op = weir::Monoid{.name = "chunk_scan",
                                           .fields = {"float a", "float b"},
                                           .identity = "T(1.0, 0.0)",
                                           .combine = "return T(right.a * left.a, right.a * left.b + right.b);"},
                        .output = maps});
    graph.add_pass(pass_of("outputs", output_glsl, {read(log_a), read(x), read(b), read(c), read(maps), write(y)},
                           chunks, steps, states));
    // [/passes]
    graph.export_buffer(y);
    plain.add_pass(pass_of("recurrence", recurrence_glsl,
                           {read(in[1][0]), read(in[1][1]), read(in[1][2]), read(in[1][3]), write(plain_y)}, width,
                           steps, states));
    plain.export_buffer(plain_y);
    auto program = weir::check(weir::compile(gpu, graph)), recurrence = weir::check(weir::compile(gpu, plain));

    const Model model = made_up(steps, states);
    const std::vector<float>* data[] = {&model.log_a, &model.x, &model.b, &model.c};
    std::vector<weir::Buffer> memory;
    for (std::size_t i = 0; i < 4; ++i) {
        memory.push_back(buffer_of(gpu, *data[i]));
        weir::check(program.bind(in[0][i], memory.back()));
        weir::check(recurrence.bind(in[1][i], memory.back()));
    }
    const auto expected = outputs_of(model, states);
    return check(gpu, program, y, expected, "chunked", states) &&
           check(gpu, recurrence, plain_y, expected, "recurrence", states);
}

int main(int argc, char** argv) {
    const auto gpu = weir::check(weir::Context::create());
    const std::uint32_t steps = argc > 1 ? static_cast<std::uint32_t>(std::stoul(argv[1])) : 1000;
    for (const std::uint32_t states : {64U, 100U, 128U, 256U}) {
        if (!run(gpu, steps, states)) {
            std::printf("outputs differ from those of the reference\n");
            return 1;
        }
    }
}
