// Parts of buffers on a device: bindings, fills, copies, imports, exports, concurrent writes.

#include "tests/graph/programs.hpp"

namespace weir::tests::buffer_part_programs_test {
namespace {

constexpr std::uint32_t half = 64; // words; a multiple of every offset alignment

/// Returns `first` in the first half and `second` in the second one.
Values halves(std::uint32_t first, std::uint32_t second) {
    Values values(half, first);
    values.resize(2 * half, second);
    return values;
}

TEST(BufferPartPrograms, PartsOfImport) {
    WordGraph graph;
    const WordRef data = graph.import("data", 2 * half);
    const WordRef low = graph.part(data, 0, half), high = graph.part(data, half, half);
    graph.add_pass(increment(low));
    graph.add_pass(word_pass("double", {{"data", read_write(high)}}, "data[i] *= 2;"));
    graph.add_pass(word_pass("whole", {{"data", read_write(data)}}, "data[i] += 10;", 2 * half));
    Program program = ok(compile(test_context(), graph));
    EXPECT_EQ(run_on(program, data, halves(1, 3)), halves(12, 16));
    EXPECT_EQ(run_on(program, data, halves(2, 4)), halves(13, 18)); // another buffer
    const Buffer buffer = buffer_of(halves(0, 0));
    expect_error(program.bind(high, buffer), ErrorCode::invalid_argument,
                 testing::HasSubstr("bind its buffer, 'data'"));
}

TEST(BufferPartPrograms, FillsAndCopiesOfTransient) {
    WordGraph graph;
    const WordRef out = graph.import("out", 2 * half), all = graph.transient("all", 2 * half);
    graph.add_fill("clear", all, 7); // all pieces
    graph.add_fill("fill", graph.part(all, half, half), 9);
    graph.add_copy("swap", graph.part(all, half, half), graph.part(out, 0, half), half * 4);
    graph.add_copy("copy", all, graph.part(out, half, half), half * 4);
    Program program = ok(compile(test_context(), graph));
    EXPECT_EQ(run_on(program, out, halves(0, 0)), halves(9, 7));
}

TEST(BufferPartPrograms, StateAndExportedPart) {
    WordGraph graph;
    const WordRef state = graph.state("state", 2 * half), result = graph.transient("result", 2 * half);
    graph.add_pass(increment(graph.part(state, half, half)));
    const WordRef high = graph.part(result, half, half);
    graph.add_copy("copy", graph.part(state, half, half), high, half * 4);
    graph.export_buffer(high, Access::transfer_read);
    Program program = ok(compile(test_context(), graph));
    for (std::uint32_t run = 1; run <= 3; ++run) {
        ok(program.run());
        EXPECT_EQ(program.view(high).size, half * 4);
        EXPECT_EQ(contents(program.view(high), half), Values(half, run));
    }
}

TEST(BufferPartPrograms, ConcurrentAtomics) {
    WordGraph graph;
    const WordRef bins = graph.import("bins");
    for (int i = 0; i < 3; ++i) {
        graph.add_pass(word_pass("count", {{"bins", concurrent(read_write(bins))}}, "atomicAdd(bins[i / 2], 1);"));
    }
    Program program = ok(compile(test_context(), graph));
    Values expected(64, 0);
    std::fill(expected.begin(), expected.begin() + 32, 6);
    EXPECT_EQ(run_on(program, bins, Values(64, 0)), expected);
}

} // namespace
} // namespace weir::tests::buffer_part_programs_test
