// Programs with transients in one memory pool, and contexts with a memory limit.

#include <array>
#include <optional>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

#include "graph/program/memory_pool.hpp"

namespace weir::tests::memory_pool_test {
namespace {

const OnOneDriver on_one_driver{"MemoryPool.*", "MemoryLimit.*"};

using testing::AllOf;
using testing::HasSubstr;

/// in -> `count` transients in a chain -> out. Each pass of the chain adds one. Two transients are alive at a time.
struct Steps {
    Steps(const Context& context, std::uint32_t capacity, std::uint32_t count, const CompileOptions& options)
        : steps(count) {
        WordGraph graph(context);
        in = graph.import("in", capacity);
        out = graph.import("out", capacity);
        WordRef from = in;
        for (std::uint32_t i = 0; i < count; ++i) {
            const WordRef to = graph.transient(std::to_string(i), capacity);
            graph.add_pass(add_pass(from, to, capacity, 1));
            from = to;
        }
        graph.add_copy("leave", from, out, capacity * 4ULL);
        program.emplace(compile(context, graph, options));
    }

    std::uint32_t steps;
    WordRef in, out;
    std::optional<Result<Program>> program;
};

TEST(MemoryPool, HasSizeOfLargestProgram) {
    const Context& context = test_context();
    const std::uint64_t before = context.memory_in_use();
    const MemoryPool pool(context);
    EXPECT_EQ(pool.bytes(), 0U);
    {
        const Steps large(context, 10000, 3, {.pool = pool}), small(context, 1000, 5, {.pool = pool});
        ASSERT_TRUE(*large.program) << large.program->error().message;
        EXPECT_EQ(pool.bytes(), (*large.program)->plan().memory.bytes());
        EXPECT_EQ((*large.program)->memory(), pool.bytes());
        EXPECT_EQ((*small.program)->memory(), (*small.program)->plan().memory.bytes());
        EXPECT_EQ(context.memory_in_use(), before + pool.bytes());
        // A larger program gets larger memory. Earlier programs keep their memory.
        const std::uint64_t was = pool.bytes();
        const Steps larger(context, 20000, 3, {.pool = pool});
        EXPECT_GT(pool.bytes(), was);
        EXPECT_EQ(context.memory_in_use(), before + was + pool.bytes());
    }
    EXPECT_EQ(context.memory_in_use(), before + pool.bytes());
}

/// Programs request no blocks that contain their images, so the pool may lack earlier blocks.
TEST(MemoryPool, BlocksAreCreatedInAnyOrder) {
    const MemoryPool pool(test_context());
    EXPECT_EQ(ok(MemoryPoolAccess::blocks(pool).block(1, 512, "second"))->size(), 512U);
    EXPECT_EQ(pool.bytes(), 512U);
    EXPECT_EQ(ok(MemoryPoolAccess::blocks(pool).block(0, 256, "first"))->size(), 256U);
    EXPECT_EQ(pool.bytes(), 768U);
    EXPECT_EQ(ok(MemoryPoolAccess::blocks(pool).block(1, 512, "second")),
              ok(MemoryPoolAccess::blocks(pool).block(1, 100, "second")));
}

TEST(MemoryPool, ProgramsUsePoolInTurn) {
    const Context& context = test_context();
    const MemoryPool pool(context);
    Steps programs[] = {{context, 5000, 4, {.pool = pool}}, {context, 3000, 7, {.pool = pool}}};
    const Values input = Random().vector(5000);
    const Buffer from = buffer_of(input);
    std::vector<Buffer> results;
    Recorder host(context);
    for (std::uint32_t i = 0; i < 2; ++i) {
        ASSERT_TRUE(*programs[i].program) << programs[i].program->error().message;
        results.push_back(poisoned_buffer(5000));
        ok((*programs[i].program)->bind(programs[i].in, from));
        ok((*programs[i].program)->bind(programs[i].out, results[i]));
    }
    for (int turn = 0; turn < 20; ++turn) { // the programs alternate, within a command buffer and between submissions
        host.submit(host.record([&](VkCommandBuffer commands) {
            for (Steps& steps : programs) {
                ok((*steps.program)->record(commands));
            }
        }));
    }
    host.wait();
    EXPECT_EQ(contents(results[0], 5000), plus(input, 4));
    EXPECT_EQ(contents(results[1], 3000), plus(Values(input.begin(), input.begin() + 3000), 7));
}

/// Programs of any size are compiled, run and destroyed in random order. Later programs reuse their memory.
TEST(MemoryPool, ProgramsComeAndGo) {
    const Context context = ok(Context::create(validated()));
    const auto of_heaps = [&] { // includes free memory within blocks
        std::uint64_t bytes = 0;
        for (const MemoryHeap& heap : context.memory_budget().heaps) {
            bytes += heap.weir;
        }
        return bytes;
    };
    constexpr std::uint32_t most = 200'000;
    const int compiles = long_tests() ? 10'000 : 150;
    Random random;
    const Buffer in = ok(context.create_buffer(most * 4ULL)), result = ok(context.create_buffer(most * 4ULL));
    const Values input = random.vector(most);
    ok(context.upload(in, input));
    const std::uint64_t before = context.memory_in_use();
    std::uint64_t early = 0, late = 0; // maximum bytes of heaps in each half of the run
    {
        const MemoryPool pool(context);
        struct Live {
            Steps steps;
            std::uint32_t capacity;
            bool is_pooled;
        };
        std::array<std::optional<Live>, 12> programs;
        for (int i = 0; i < compiles && !HasFailure(); ++i) {
            SCOPED_TRACE("program " + std::to_string(i));
            std::optional<Live>& place = programs.at(random.uniform<std::size_t>(0, programs.size() - 1));
            place.reset();
            const std::uint32_t capacity = random.uniform(1U, most >> random.uniform(0U, 12U)),
                                steps = random.uniform(1U, 6U);
            const bool is_pooled = random.uniform(0, 2) == 0;
            CompileOptions options;
            options.share_memory = random.uniform(0, 4) != 0;
            if (is_pooled) {
                options.pool = pool;
            }
            place.emplace(Live{Steps(context, capacity, steps, options), capacity, is_pooled});
            Result<Program>& made = *place->steps.program;
            ASSERT_TRUE(made) << made.error().message;
            Program& program = *made;
            run_with(program, {{place->steps.in, in}, {place->steps.out, result}});
            EXPECT_EQ(ok(context.download<std::uint32_t>(result, capacity)),
                      plus(Values(input.begin(), input.begin() + capacity), steps));
            // A program in the pool may hold the memory that the pool had before it grew.
            std::uint64_t least = before, largest = before + pool.bytes();
            for (const std::optional<Live>& live : programs) {
                const std::uint64_t own = live && !live->is_pooled ? (*live->steps.program)->memory() : 0;
                least += own;
                largest += live && live->is_pooled ? pool.bytes() : own;
            }
            EXPECT_GE(context.memory_in_use(), least);
            EXPECT_LE(context.memory_in_use(), largest);
            (i < compiles / 2 ? early : late) = std::max(i < compiles / 2 ? early : late, of_heaps());
        }
        programs = {};
        EXPECT_EQ(context.memory_in_use(), before + pool.bytes());
    }
    EXPECT_EQ(context.memory_in_use(), before);
    EXPECT_LE(late, early + early / 4);
    RecordProperty("bytes of heaps", std::to_string(early) + ", then " + std::to_string(late));
}

TEST(MemoryPool, PoolOfAnotherContextIsRejected) {
    const MemoryPool pool(ok(Context::create(validated())));
    const Steps steps(test_context(), 100, 2, {.pool = pool});
    expect_error(*steps.program, ErrorCode::invalid_argument, HasSubstr("of another context"));
}

TEST(MemoryLimit, CoversAllDeviceMemoryOfContext) {
    ContextOptions options = validated();
    options.memory_limit = 100'000;
    const Context context = ok(Context::create(options));
    EXPECT_EQ(context.memory_in_use(), 0U);
    const Buffer buffer = ok(context.create_buffer(60'000));
    EXPECT_EQ(context.memory_in_use(), 60'000U);
    const Buffer staging = ok(context.create_buffer(60'000, MemoryKind::upload)); // not device memory
    EXPECT_EQ(context.memory_in_use(), 60'000U);
    expect_error(context.create_buffer(40'001), ErrorCode::out_of_memory,
                 AllOf(HasSubstr("40001 bytes"), HasSubstr("60000 of 100000 bytes are in use")));
    {
        const Steps fits(context, 4096, 4, {});
        EXPECT_TRUE(*fits.program) << fits.program->error().message;
        const Steps too_large(context, 4096, 4, {});
        expect_error(*too_large.program, ErrorCode::out_of_memory, HasSubstr("memory_limit"));
        EXPECT_EQ(context.memory_in_use(), 60'000 + (*fits.program)->memory());
    }
    EXPECT_EQ(context.memory_in_use(), 60'000U);
    EXPECT_TRUE(context.create_buffer(40'000));
}

} // namespace
} // namespace weir::tests::memory_pool_test
