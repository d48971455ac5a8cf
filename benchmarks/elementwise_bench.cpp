#include <algorithm>

#include "operations.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t seed = 7;

std::uint32_t hash(std::uint32_t x) {
    x = (x ^ x >> 16) * 0x7FEB352D;
    x = (x ^ x >> 15) * 0x846CA68B;
    return x ^ x >> 16;
}

/// Returns the index of element i in a shuffle of n elements, as computed by shaders/elementwise/shuffle.comp.
std::uint32_t shuffled_place(std::uint32_t i, std::uint32_t n) {
    std::uint32_t bits = 2;
    while (bits < 32 && n > 1ULL << bits) {
        ++bits;
    }
    const std::uint32_t low_bits = bits / 2, low_mask = (1U << low_bits) - 1, high_mask = (1U << (bits - low_bits)) - 1;
    do {
        std::uint32_t high = i >> low_bits, low = i & low_mask;
        for (std::uint32_t round = 0; round < 12; ++round) {
            const std::uint32_t key = hash(seed + (round + 1) * 0x9E3779B9);
            if (round % 2 == 0) {
                high ^= hash(low ^ key) & high_mask;
            } else {
                low ^= hash(high ^ key) & low_mask;
            }
        }
        i = high << low_bits | low;
    } while (i >= n);
    return i;
}

Operation shuffle_operation() {
    return {.op = "shuffle",
            .type = "u32",
            .bytes_per_item = 8,
            .memory_per_item = 8,
            .expected =
                [](std::uint32_t n) {
                    const auto words = Data::words(Input::words, n);
                    std::vector<std::uint32_t> shuffled(n);
                    for (std::uint32_t i = 0; i < n; ++i) {
                        shuffled[i] = words[shuffled_place(i, n)];
                    }
                    return Arrays{shuffled};
                },
            .variants = {{"weir", [](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto input = graph.import_buffer<std::uint32_t>("input", n);
                              const auto output = graph.import_buffer<std::uint32_t>("output", n);
                              shuffle(graph, input, seed, {.output = output});
                              return make_program(data.context(), graph,
                                                  {{input, data.input(Input::words, n)}, {output, data.output(0, n)}});
                          }}}};
}

/// Copies ranges of 64 elements to their own positions. They begin at random positions about 64 apart, so some overlap
/// and others leave gaps.
Operation copy_ranges_operation() {
    constexpr std::uint32_t length = 64;
    const auto number = [](std::uint32_t n) { return std::max(1U, n / length); };
    return {.op = "copy_ranges of_64",
            .type = "u32",
            .bytes_per_item = 8,
            .memory_per_item = 8 + 1,
            .expected =
                [=](std::uint32_t n) {
                    const auto words = Data::words(Input::words, n), begins = Data::words(Input::offsets_64, number(n));
                    std::vector<std::uint32_t> copied(n, Data::poison_word);
                    for (std::uint32_t r = 0; r < begins.size(); ++r) {
                        const std::uint32_t begin = std::min(begins[r], n);
                        std::copy(words.begin() + begin, words.begin() + std::min(begin + length, n),
                                  copied.begin() + begin);
                    }
                    return Arrays{copied};
                },
            .variants = {{"weir", [=](Data& data, std::uint32_t n) {
                              Graph graph(data.context());
                              const auto input = graph.import_buffer<std::uint32_t>("input", n);
                              const auto begins = graph.import_buffer<std::uint32_t>("begins", number(n));
                              const auto output = graph.import_buffer<std::uint32_t>("output", n);
                              const auto sizes =
                                  fill(graph, graph.transient_buffer<std::uint32_t>("sizes", number(n)), length);
                              copy_ranges(graph, input, output,
                                          {.sizes = sizes, .source_offsets = begins, .destination_offsets = begins});
                              return make_program(data.context(), graph,
                                                  {{input, data.input(Input::words, n)},
                                                   {begins, data.input(Input::offsets_64, number(n))},
                                                   {output, data.output(0, n)}});
                          }}}};
}

} // namespace

std::vector<Operation> elementwise_operations() {
    return {shuffle_operation(), copy_ranges_operation()};
}

} // namespace weir::bench
