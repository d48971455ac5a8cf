// Arguments of indirect commands that are written from counts, compared with a reference on the CPU.

#include <array>
#include <functional>

#include <weir/graph/arguments.hpp>

#include "engine/base/strings.hpp"
#include "graph/describe/dispatch.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/descriptor_modes.hpp"

namespace weir::tests::arguments_test {
namespace {

constexpr std::uint32_t words = 5, buffers = 4; // words per buffer of counts, and number of these buffers

using ValueOf = std::function<std::uint32_t(const Count&)>;

void append(Values& out, const Argument& argument, const ValueOf& value) {
    const std::uint64_t all = std::uint64_t{value(argument.count)} * argument.factor;
    out.push_back(static_cast<std::uint32_t>(all / argument.per + (all % argument.per != 0 ? 1 : 0)));
}

/// Returns the argument words of the commands for counts with these values.
Values reference(const std::vector<IndirectCommand>& commands, const ValueOf& value, std::uint32_t max_groups_x) {
    Values out;
    for (const IndirectCommand& command : commands) {
        if (const auto* draw = std::get_if<DrawArguments>(&command)) {
            for (const auto& one : {draw->vertices, draw->instances, draw->first_vertex, draw->first_instance}) {
                append(out, one, value);
            }
        } else if (const auto* indexed = std::get_if<DrawIndexedArguments>(&command)) {
            for (const auto& one : {indexed->indices, indexed->instances, indexed->first_index}) {
                append(out, one, value);
            }
            out.push_back(static_cast<std::uint32_t>(indexed->vertex_offset));
            append(out, indexed->first_instance, value);
        } else if (const auto* tasks = std::get_if<DrawMeshTasksArguments>(&command)) {
            for (const auto& one : {tasks->x, tasks->y, tasks->z}) {
                append(out, one, value);
            }
        } else {
            const Dispatch& dispatch = std::get<Dispatch>(command);
            const GroupCount groups = dispatch.kind == Dispatch::Kind::groups
                                          ? GroupCount{dispatch.x, dispatch.y, dispatch.z}
                                          : group_count(value(dispatch.count), dispatch, max_groups_x);
            out.insert(out.end(), {groups.x, groups.y, groups.z});
        }
    }
    return out;
}

class RandomCommands {
public:
    explicit RandomCommands(Random& random)
        : random_(random), device_(device()), graph(device_), parameter(graph.parameter("number", most)) {
        for (std::uint32_t i = 0; i < buffers; ++i) {
            sources.push_back(graph.import(concat("source ", i), words));
        }
        for (int i = random_.uniform(1, 12); i > 0; --i) {
            commands.push_back(some_command());
        }
    }

    static constexpr std::uint32_t most = 1000;

    /// Returns the device with a maximum of 7 workgroups in x, so that dispatches have several rows.
    static Capabilities device() {
        Capabilities made = test_context().capabilities();
        made.max_workgroup_count_x = 7;
        return made;
    }

private:
    Random& random_;
    Capabilities device_;

public:
    WordGraph graph;
    Count parameter;
    std::vector<WordRef> sources;
    std::vector<IndirectCommand> commands;

private:
    Count some_count() {
        const int kind = random_.uniform(0, 3);
        if (kind < 2) { // one command uses at most 3 of the buffers
            const std::uint32_t source = (first_source_ + random_.uniform(0U, 2U)) % buffers;
            const std::uint32_t greatest = random_.uniform(0, 4) == 0 ? 0 : random_.uniform(1U, most);
            const Count count = graph.count_in(sources[source], random_.uniform(0U, words - 1), greatest);
            return random_.uniform(0, 3) == 0 ? count.direct() : count;
        }
        return kind == 2 ? parameter : Count(random_.uniform(0U, most));
    }
    Argument some_argument() {
        const Count count = some_count();
        return random_.uniform(0, 1) == 0 ? count : Argument(count, random_.uniform(0U, 5U), random_.uniform(1U, 70U));
    }
    IndirectCommand some_command() {
        first_source_ = random_.uniform(0U, buffers - 1);
        switch (random_.uniform(0, 4)) {
        case 0: return Dispatch::groups(random_.uniform(0U, 7U), random_.uniform(0U, 9U), random_.uniform(0U, 9U));
        case 1: return Dispatch::elements(some_count(), random_.uniform(1U, 64U), random_.uniform(0U, 30U));
        case 2:
            return DrawArguments{.vertices = some_argument(),
                                 .instances = some_argument(),
                                 .first_vertex = some_argument(),
                                 .first_instance = some_argument()};
        case 3:
            return DrawIndexedArguments{.indices = some_argument(),
                                        .instances = some_argument(),
                                        .first_index = some_argument(),
                                        .vertex_offset = random_.uniform(-100, 100),
                                        .first_instance = some_argument()};
        default: return DrawMeshTasksArguments{.x = some_argument(), .y = some_argument(), .z = some_argument()};
        }
    }
    std::uint32_t first_source_ = 0;
};

TEST(Arguments, RandomCommandsMatchReference) {
    Random random;
    const auto modes = descriptor_modes(test_context().capabilities());
    std::size_t past_the_most = 0, zeros = 0, several_passes = 0;
    for (std::size_t i = 0; i < 12; ++i) {
        RandomCommands made(random);
        const auto end = static_cast<std::uint32_t>(reference(
                                                        made.commands, [](const Count&) { return 0; }, 1)
                                                        .size());
        constexpr std::uint32_t before = 3, after = 2; // words that must not be written
        const WordRef out = made.graph.import("out", before + end + after);
        ASSERT_EQ(write_arguments(made.graph, made.commands, {.output = out, .word = before}).id, out.id);
        made.graph.export_buffer(out);
        several_passes += made.graph.description().passes.size() > 1 ? 1 : 0;
        Program program = ok(compile(test_context(), made.graph, {.descriptors = modes[i % modes.size()]}));
        for (int run = 0; run < 4; ++run) {
            std::vector<Values> counts(buffers, Values(words));
            std::vector<Buffer> bound;
            for (std::uint32_t source = 0; source < buffers; ++source) {
                for (std::uint32_t& count : counts[source]) {
                    constexpr std::array<std::uint32_t, 4> special{0, 1, RandomCommands::most, ~0U};
                    const bool is_special = random.uniform(0, 2) == 0;
                    count = is_special ? special.at(random.uniform<std::size_t>(0, 3)) : random.uniform(0U, 1500U);
                }
                bound.push_back(buffer_of(counts[source]));
                ok(program.bind(made.sources[source], bound.back()));
            }
            const auto number = random.uniform(0U, RandomCommands::most);
            ok(program.set(made.parameter, number));
            const Buffer written = poisoned_buffer(before + end + after);
            run_with(program, {{out, written}});
            const auto value = [&](const Count& count) {
                if (count.kind != Count::Kind::gpu) {
                    return count.kind == Count::Kind::parameter ? number : count.max;
                }
                const auto source = std::find_if(made.sources.begin(), made.sources.end(),
                                                 [&](const WordRef& ref) { return ref.id == count.buffer; });
                const std::uint32_t found = counts[static_cast<std::size_t>(source - made.sources.begin())][count.word];
                past_the_most += found > count.max ? 1 : 0;
                zeros += found == 0 ? 1 : 0;
                return std::min(found, count.max);
            };
            const Values all = poisoned(before + end + after);
            Values expected = reference(made.commands, value, 7);
            expected.insert(expected.begin(), all.begin(), all.begin() + before);
            expected.insert(expected.end(), all.end() - after, all.end());
            EXPECT_EQ(contents(written, expected.size()), expected) << "graph " << i << ", run " << run;
        }
    }
    EXPECT_GT(past_the_most, 20U);
    EXPECT_GT(zeros, 20U);
    EXPECT_GT(several_passes, 3U);
}

/// Adds 1 to a word for each workgroup.
const char* const count_groups = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Groups { uint groups; };
void main() { atomicAdd(groups, 1); })";

/// If the count on the GPU is 0, no arguments are written and the dispatch that reads them is skipped.
TEST(Arguments, DispatchUnderCondition) {
    WordGraph graph;
    const WordRef counts = graph.import("counts", 2), out = graph.import("out", 4), groups = graph.import("groups", 1);
    {
        const auto scope = graph.only_if(graph.count_in(counts, 1, 1));
        const Count count = graph.count_in(counts, 0, 1000);
        write_arguments(graph, {Dispatch::elements(count, 10)}, {.output = out, .word = 1});
        Pass pass = simple_pass("count groups", count_groups, {read_write(groups)});
        pass.dispatch = Dispatch::indirect(out, 1);
        graph.add_pass(pass);
    }
    graph.export_buffer(out);
    graph.export_buffer(groups);
    Program program = ok(compile(test_context(), graph));
    for (const std::uint32_t is_on : {0U, 1U}) {
        const Buffer in = buffer_of(Values{123, is_on}), written = buffer_of(Values{7, 6, 5, 4}),
                     counted = buffer_of(Values{100});
        run_with(program, {{counts, in}, {out, written}, {groups, counted}});
        EXPECT_EQ(contents(written, 4), is_on != 0 ? (Values{7, 13, 1, 1}) : (Values{7, 6, 5, 4}));
        EXPECT_EQ(contents(counted, 1), Values{is_on != 0 ? 113U : 100U});
    }
}

/// The inner graph's counts come from the outer graph.
TEST(Arguments, NestedGraph) {
    WordGraph inner;
    const Count vertices = inner.parameter("vertices", 100);
    const WordRef number = inner.import("number", 1);
    const WordRef draw = write_arguments(
        inner, {DrawArguments{.vertices = Argument(vertices, 2), .instances = inner.count_in(number, 0, 50)}});
    inner.export_buffer(draw, Access::indirect_read);
    WordGraph graph;
    graph.parameter("another", 1);
    const WordRef outer = graph.import("outer", 1);
    const Subgraph added = graph.add_graph(inner, {{number, outer}}, "inner");
    const WordRef out = added.buffer(draw);
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer in = buffer_of(Values{51});
    ok(program.bind(outer, in));
    ok(program.set(added.count(vertices), 30));
    ok(program.run());
    EXPECT_EQ(contents(program.view(out), 4), (Values{60, 50, 0, 0}));
}

} // namespace
} // namespace weir::tests::arguments_test
