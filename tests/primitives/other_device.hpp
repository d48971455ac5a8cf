#pragma once

#include <utility>

#include "tests/primitives/harness.hpp"

namespace weir::tests {

/// Primitives on random words and on runs of equal keys, on a device that is not the test device, and their expected
/// results.
class OtherDevice {
public:
    OtherDevice(const Context& gpu, std::uint32_t n)
        : graph(gpu), input(random_words(n, 1)), runs(tabulated(n, [](std::uint32_t i) { return i / 7 * 3; })),
          gpu_(gpu) {
        in = input_of(input);
        keys = input_of(runs);
    }

    /// Adds what is expected of the first words of a result.
    void expect(const char* name, BufferId result, const Words& words) {
        graph.export_buffer(result);
        expected_.push_back({name, result, words});
    }

    /// Adds the sums of the input.
    void expect_sums(BufferId result) {
        Words sums(input.size());
        std::partial_sum(input.begin(), input.end(), sums.begin());
        expect("sums", result, sums);
    }

    /// Adds the multiples of three, which select_if keeps.
    void expect_multiples_of_three(const SelectResult<std::uint32_t>& kept) {
        Words multiples = input;
        std::erase_if(multiples, [](std::uint32_t x) { return x % 3 != 0; });
        expect("kept", kept.items, multiples);
        expect("kept count", kept.count, {count_of(multiples)});
    }

    /// Adds the sorted input and its indices.
    void expect_sorted(BufferId sorted_keys, BufferId indices) {
        const Words order =
            stable_order(count_of(input), [this](std::uint32_t a, std::uint32_t b) { return input[a] < input[b]; });
        expect("sorted keys", sorted_keys, at_indices(input, order));
        expect("sorted indices", indices, order);
    }

    /// Compiles and runs the graph `times` times, and checks the results. Each run has the next epoch.
    void check(int times = 1) {
        Program program = ok(compile(gpu_, graph));
        std::vector<Buffer> buffers;
        for (const auto& [import, words] : imports_) {
            buffers.push_back(ok(gpu_.create_buffer(words.size() * 4)));
            ok(gpu_.upload(buffers.back(), words));
            ok(program.bind(import, buffers.back()));
        }
        for (int run = 0; run < times; ++run) {
            ok(program.run());
        }
        for (const auto& [name, result, words] : expected_) {
            expect_equal(ok(gpu_.download<std::uint32_t>(program.view(result), words.size())), words, name);
        }
    }

    /// Returns an import that holds `items`.
    template <class T>
    BufferRef<T> input_of(const std::vector<T>& items) {
        const auto import = imported<T>(graph, count_of(items));
        imports_.emplace_back(import, words_of(items));
        return import;
    }

    Graph graph;
    Words input, runs; ///< contents of `in` and `keys`
    Ref in, keys;

private:
    struct Expected {
        const char* name;
        BufferId result;
        Words words;
    };

    const Context& gpu_;
    std::vector<std::pair<BufferId, Words>> imports_;
    std::vector<Expected> expected_;
};

} // namespace weir::tests
