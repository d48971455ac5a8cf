// The graph of the sample word_count, replayed from Program::commands.

#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "examples/replayer.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/turns.hpp"
#include "word_count/text.hpp"
#include "word_count/word_graph.hpp"

namespace weir::tests::word_graph_test {
namespace {

const Sweeps sweeps{"WordGraph.*"};

/// Returns words of one to three of four letters, as the words of a buffer.
std::vector<std::uint32_t> random_text(std::uint32_t bytes) {
    std::mt19937 random(7);
    std::string text(bytes, ' ');
    for (std::uint32_t i = 0; i + samples::text_unit < bytes; ++i) {
        text[i] = i % 4 == 3 || random() % 4 == 0 ? ' ' : static_cast<char>('a' + random() % 4);
    }
    std::vector<std::uint32_t> words(bytes / 4);
    std::memcpy(words.data(), text.data(), bytes);
    return words;
}

TEST(WordGraph, ReplayedCountsMatch) {
    constexpr std::uint32_t bytes = 1 << 14;
    Graph graph(test_context());
    const samples::WordGraph made = samples::add_word_count(graph, bytes, samples::Fingerprints::max_bits);
    Program program = ok(compile(test_context(), graph));
    const Buffer text = buffer_of(random_text(bytes)),
                 fingerprints = buffer_of(std::vector<std::uint32_t>{123456789, 987654321});
    ok(program.bind(made.text, text));
    ok(program.bind(made.fingerprints, fingerprints));
    VkPhysicalDeviceMemoryProperties types{};
    ContextAccess::device(test_context())
        ->instance_functions()
        .vkGetPhysicalDeviceMemoryProperties(test_context().physical_device(), &types);
    Replayer replayer(test_context().device(), vk(), types, ok(program.commands()),
                      [](VkResult status) { ASSERT_EQ(status, VK_SUCCESS); });
    Recorder recorder;
    recorder.run([&](VkCommandBuffer commands) { replayer.clear(commands); });
    for (int run = 0; run < 2; ++run) {
        ok(program.run());
        recorder.run([&](VkCommandBuffer commands) { replayer.record(commands); });
        const std::uint32_t different = contents(program.view(made.different), 1)[0];
        EXPECT_GT(different, 50U);
        for (const auto& [buffer, count] : {std::pair{made.words, 1U}, std::pair{made.different, 1U},
                                            std::pair{made.collisions, 1U}, std::pair{made.counts, different},
                                            std::pair{made.starts, different}, std::pair{made.lengths, different}}) {
            EXPECT_EQ(contents(replayer.buffer(buffer.id.index), count), contents(program.view(buffer), count));
        }
    }
}

} // namespace
} // namespace weir::tests::word_graph_test
