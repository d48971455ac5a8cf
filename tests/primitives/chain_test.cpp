// Chains of primitives and a custom pass. The count of each one is a GPU result of the one before.

#include "tests/primitives/harness.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/turns.hpp"

#include "engine/device/device.hpp"

namespace weir::tests::chain_test {
namespace {

const OnOneDriver on_one_driver{"Chain.*"};

/// Writes totals[i] = values[i] * lengths[i] for each run.
const char* const total_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Values { uint values[]; };
layout(set = 0, binding = 1) readonly buffer Lengths { uint lengths[]; };
layout(set = 0, binding = 2) readonly buffer Count { uint runs; };
layout(set = 0, binding = 3) writeonly buffer Totals { uint totals[]; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < runs) {
        totals[i] = values[i] * lengths[i];
    }
})";

void run_chain(DescriptorMode mode) {
    constexpr std::uint32_t most = 20000;
    constexpr std::uint32_t threshold = 700;
    Graph graph(test_context());
    const auto count = graph.import_buffer<std::uint32_t>("count", 1);
    const auto input = graph.import_buffer<std::uint32_t>("input", most, graph.count_in(count, 0, most));
    const auto totals = graph.import_buffer<std::uint32_t>("totals", most);
    const auto run_count = graph.import_buffer<std::uint32_t>("run count", 1);
    const auto kept = select_if(graph, input, Predicate::compare(Comparison::less, threshold));
    const auto sorted = radix_sort(graph, kept.items, {.end_bit = 10});
    const auto runs = run_length_encode(graph, sorted.keys, {.output_count = run_count});
    Pass own;
    own.name = "totals";
    own.shader = ShaderSource::glsl(total_source, "totals.comp");
    own.bindings = {read(runs.values), read(runs.lengths), read(runs.count), write(totals)};
    own.dispatch = Dispatch::elements(runs.values.count, 64);
    graph.add_pass(own);
    Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
    EXPECT_EQ(program.descriptors(), mode);

    const Buffer counts = poisoned_buffer(1), items = poisoned_buffer(most), out = poisoned_buffer(most),
                 found_runs = poisoned_buffer(1);
    ok(program.bind(count, counts));
    ok(program.bind(input, items));
    ok(program.bind(totals, out));
    ok(program.bind(run_count, found_runs));
    const Context& context = test_context();
    Commands host(ContextAccess::device(context)->vk(), context.device(), context.queue(), context.queue_family());
    const VkCommandBuffer commands = host.begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    ok(program.record(commands));
    host.end(commands);

    Random random(4);
    for (std::uint32_t submission = 0; submission < 100 && !testing::Test::HasFailure(); ++submission) {
        const std::uint32_t n = submission % 10 == 0 ? 0 : submission % 10 == 1 ? most : random.uniform(1U, most);
        const std::uint32_t distinct = submission % 3 == 0 ? 1000 : submission % 3 == 1 ? 3 : threshold + 1;
        Words words = random.vector<std::uint32_t>(most);
        for (std::uint32_t& word : words) {
            word = word % distinct + (submission % 7 == 2 ? threshold : 0); // in some submissions no word is kept
        }
        ok(context.upload(items, words));
        ok(context.upload(counts, Words{n}));
        ok(context.upload(out, poisoned(most)));
        host.submit(commands);
        host.wait();

        Words tally(threshold);
        for (std::uint32_t i = 0; i < n; ++i) {
            if (words[i] < threshold) {
                ++tally[words[i]];
            }
        }
        Words expected;
        for (std::uint32_t value = 0; value < threshold; ++value) {
            if (tally[value] != 0) {
                expected.push_back(value * tally[value]);
            }
        }
        const auto how_many = count_of(expected);
        expected.resize(most, poisoned(1).front());
        expect_equal(contents(found_runs, 1), {how_many}, "runs of submission " + std::to_string(submission));
        expect_equal(contents(out, most), expected, "totals of submission " + std::to_string(submission));
    }
}

TEST(Chain, RecordedOnceMatchesReferenceForEveryCount) {
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        SCOPED_TRACE(to_string(mode));
        run_chain(mode);
    }
}

// One program of many primitives over one input. Its results are bit-identical with every descriptor mode.
TEST(Chain, DescriptorModesGiveEqualResults) {
    constexpr std::uint32_t n = 30000;
    const Words input = Random(11).vector<std::uint32_t>(n);
    const Buffer items = buffer_of(input);
    std::vector<Words> first;
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        SCOPED_TRACE(to_string(mode));
        Graph graph(test_context());
        const auto in = graph.import_buffer<std::uint32_t>("in", n);
        std::vector<std::pair<BufferId, std::uint32_t>> out; // with the number of words to compare
        const auto keep = [&](BufferId buffer, std::uint32_t words) {
            graph.export_buffer(buffer);
            out.emplace_back(buffer, words);
        };
        const auto sorted = radix_sort(graph, in, {});
        keep(sorted.keys, n);
        keep(scan(graph, in), n);
        const auto few = radix_sort(graph, in, {.end_bit = 4});
        const auto runs = run_length_encode(graph, few.keys);
        keep(runs.count, 1);
        const auto kept = select_if(graph, in, Predicate::compare(Comparison::less, 1U << 31U));
        keep(kept.count, 1);
        keep(reduce(graph, kept.items), 1);
        keep(histogram(graph, in, Bins::digit(0, 8)), 256);
        Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
        ok(program.bind(in, items));
        ok(program.run());
        std::vector<Words> found;
        for (const auto& [buffer, words] : out) {
            found.push_back(contents(program.view(buffer), words));
        }
        if (first.empty()) {
            first = found;
            Words expected = input;
            std::sort(expected.begin(), expected.end());
            expect_equal(found[0], expected, "sorted");
            std::partial_sum(input.begin(), input.end(), expected.begin());
            expect_equal(found[1], expected, "sums");
        }
        EXPECT_EQ(found, first);
    }
}

} // namespace
} // namespace weir::tests::chain_test
