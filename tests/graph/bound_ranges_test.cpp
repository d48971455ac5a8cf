// Imports that are bound to overlapping memory.

#include "tests/graph/programs.hpp"

namespace weir::tests::bound_ranges_test {
namespace {

constexpr std::uint32_t step = 64; // words; a multiple of the alignment of offsets on every device

/// A range of a buffer in steps.
struct Range {
    std::uint32_t begin = 0, end = 0;
    Access access = Access::shader_read;
};

/// Binds an import to each range of one buffer and records a command pass that accesses all of them. The names of the
/// imports are their numbers.
Result<> record(const std::vector<Range>& ranges) {
    const Buffer buffer = poisoned_buffer(std::size_t{64} * step);
    WordGraph graph;
    CommandPass pass;
    pass.name = "pass";
    pass.keep = true;
    std::vector<WordRef> imports;
    for (const Range& range : ranges) {
        imports.push_back(graph.import(std::to_string(imports.size()), (range.end - range.begin) * step));
        pass.uses.push_back({imports.back(), range.access});
    }
    pass.record = [](VkCommandBuffer, const CommandPassContext&) {};
    graph.add_command_pass(std::move(pass));
    Program program = ok(compile(test_context(), graph));
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const std::uint64_t words = ranges[i].end - ranges[i].begin;
        ok(program.bind(imports[i],
                        BufferView{buffer.handle(), std::uint64_t{4} * ranges[i].begin * step, 4 * words * step}));
    }
    return program.run().map([](const RunReport&) {});
}

TEST(BoundRanges, ReadsMayOverlap) {
    ok(record({{0, 16}, {4, 8}, {0, 16}, {6, 20}}));
}

TEST(BoundRanges, RangesThatTouchDoNotOverlap) {
    ok(record({{0, 4}, {4, 8, Access::shader_write}, {8, 12, Access::shader_write}, {12, 16}}));
}

TEST(BoundRanges, WritesMustNotOverlap) {
    const auto refuses = [](const std::vector<Range>& ranges, const std::string& names) {
        expect_error(record(ranges), ErrorCode::invalid_argument,
                     testing::HasSubstr("imports " + names + " are bound to overlapping memory, and one is written"));
    };
    refuses({{0, 4}, {3, 8, Access::shader_write}}, "'0' and '1'");
    refuses({{3, 8, Access::shader_write}, {0, 4}}, "'0' and '1'");
    refuses({{0, 4, Access::shader_write}, {0, 4, Access::shader_write}}, "'0' and '1'");
    // Ranges in between end before the written one begins.
    refuses({{0, 16}, {1, 2}, {2, 3}, {10, 11, Access::shader_write}}, "'0' and '3'");
    refuses({{0, 16, Access::shader_write}, {16, 20}, {20, 30, Access::shader_write}, {10, 11}}, "'0' and '3'");
    // A longer range that is read does not hide the written one.
    refuses({{0, 8, Access::shader_write}, {16, 40}, {20, 24, Access::shader_write}, {22, 23}}, "'1' and '2'");
}

TEST(BoundRanges, ManyImports) {
    std::vector<Range> ranges;
    for (std::uint32_t i = 0; i < 64; ++i) {
        ranges.push_back({i % 8, 8 + i % 8});
    }
    ok(record(ranges));
    ranges.push_back({40, 41, Access::shader_write});
    ok(record(ranges));
    ranges.push_back({14, 15, Access::shader_write});
    EXPECT_FALSE(record(ranges));
}

} // namespace
} // namespace weir::tests::bound_ranges_test
