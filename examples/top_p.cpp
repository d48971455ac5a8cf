// Top-p (nucleus) sampling, by which language models draw their next word: from the most probable words whose
// probabilities add up to p. Everything runs on the GPU; only the drawn words are read back.

#include <algorithm>
#include <numeric>

#include "show.hpp"

constexpr std::uint32_t words = 1 << 15;
constexpr float p = 0.75F;

/// Returns the probability of each word, not sorted. They are multiples of 2^-20, so sums of floats are exact.
std::vector<float> made_up_probabilities() {
    std::vector<float> probabilities(words);
    std::uint32_t rest = 1 << 20;
    for (std::uint32_t rank = words; rank-- > 0;) {
        const std::uint32_t part = rank == 0 ? rest : (1 << 20) / (12 * (rank + 1));
        probabilities[rank * 12345 % words] = static_cast<float>(part) / (1 << 20);
        rest -= part;
    }
    return probabilities;
}

/// Reference on the CPU. Returns the number of words to draw from, then the drawn word for each random number.
std::vector<std::uint32_t> drawn(const std::vector<float>& probabilities, const std::vector<float>& random) {
    std::vector<std::uint32_t> order(words);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return probabilities[a] > probabilities[b]; });
    std::uint32_t size = 0;
    float mass = 0;
    while (mass < p) {
        mass += probabilities[order[size++]];
    }
    std::vector<std::uint32_t> result{size};
    for (const float number : random) {
        std::uint32_t place = 0;
        for (float sum = probabilities[order[0]]; sum <= number * mass; sum += probabilities[order[place]]) {
            ++place;
        }
        result.push_back(order[place]);
    }
    return result;
}

int main() {
    const std::vector<float> random = {0, 0.25F, 0.5F, 0.75F, 0.96875F}; // in [0, 1), from the application
    const auto draws = static_cast<std::uint32_t>(random.size());

    auto gpu = weir::check(weir::Context::create());
    weir::Graph graph(gpu);
    auto probabilities = graph.import_buffer<float>("probabilities", words);
    auto numbers = graph.import_buffer<float>("random numbers", draws);
    // [top_p]
    auto ranked = weir::radix_sort(graph, probabilities, {.want_indices = true, .descending = true});
    auto sums = weir::scan(graph, ranked.keys);
    auto last = weir::partition_point(graph, sums, weir::Predicate::compare(weir::Comparison::less, p));
    auto wanted = graph.transient_buffer<float>("wanted sums", draws);
    graph.add_pass({.name = "wanted sums",
                    .shader = weir::ShaderSource::glsl(R"(
                        #include <weir/dispatch.glsl>
                        layout(local_size_x = 64) in;
                        layout(binding = 0) readonly buffer Numbers { float numbers[]; };
                        layout(binding = 1) readonly buffer Sums { float sums[]; };
                        layout(binding = 2) readonly buffer Last { uint last; };
                        layout(binding = 3) writeonly buffer Wanted { float wanted[]; };
                        layout(push_constant) uniform Push { uint draws, words; };
                        void main() {
                            const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
                            if (i < draws) {
                                wanted[i] = numbers[i] * sums[min(last, words - 1)];
                            }
                        })"),
                    .bindings = {read(numbers), read(sums), read(last), write(wanted)},
                    .push = {draws, words},
                    .dispatch = weir::Dispatch::elements(draws, 64)});
    auto tokens = weir::gather(graph, ranked.values, weir::upper_bound(graph, sums, wanted));
    // [/top_p]
    graph.export_buffer(last);
    graph.export_buffer(tokens);
    auto program = weir::check(weir::compile(gpu, graph));

    const auto input = made_up_probabilities();
    const auto probability_memory = buffer_of(gpu, input), number_memory = buffer_of(gpu, random);
    weir::check(program.bind(probabilities, probability_memory));
    weir::check(program.bind(numbers, number_memory));
    weir::check(program.run());
    auto found = weir::check(gpu.download<std::uint32_t>(program.view(tokens), draws));
    found.insert(found.begin(), weir::check(gpu.download<std::uint32_t>(program.view(last), 1))[0] + 1);
    for (const std::uint32_t number : found) { // the number of words to draw from, then the drawn words
        std::printf("%u ", number);
    }
    std::printf("\n");
    return found == drawn(input, random) ? 0 : 1;
}
