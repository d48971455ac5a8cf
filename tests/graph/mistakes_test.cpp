// Mistakes in graphs. Each error names the pass and the buffer.

#include <weir/primitives/scan.hpp>

#include "engine/base/strings.hpp"
#include "tests/graph/graphs.hpp"

namespace weir::tests::mistakes_test {
namespace {

using testing::AllOf;

/// Matches a sentence that contains all of these words.
template <class... WordRef>
auto names(const WordRef&... words) {
    return AllOf(HasSubstr(words)...);
}

/// Returns the end of a message about a line of this file.
std::string place(std::uint32_t line) {
    return concat(" (mistakes_test.cpp:", line, ")");
}

/// Checks that the graph's error ends with the line after `before`.
void expect_next_line(const SomeGraph& graph, std::uint32_t before) {
    EXPECT_THAT(graph.whole_mistake(), testing::EndsWith(place(before + 1)));
}

/// The error names the line of the call.
TEST(GraphMistakes, NameLineOfCall) {
    const BufferId none;
    const auto expect_line = [](auto add, SourceLocation where = SourceLocation::current()) {
        SomeGraph graph;
        add(graph);
        EXPECT_THAT(graph.whole_mistake(), testing::EndsWith(place(where.line)));
    };
    expect_line([](Graph& graph) { graph.import_buffer<std::uint32_t>("empty", 0); });
    expect_line([](Graph& graph) { graph.transient_buffer<std::uint32_t>("empty", 0); });
    expect_line([](Graph& graph) { graph.state_buffer<std::uint32_t>("empty", 0); });
    expect_line([](Graph& graph) { graph.count_in({}, 0, 1); });
    expect_line([&](Graph& graph) { graph.add_pass(pass("pass", {read(none)})); });
    expect_line([&](Graph& graph) { graph.add_fill("fill", none, 0); });
    expect_line([&](Graph& graph) { graph.add_copy("copy", none, none, 4); });
    expect_line([&](Graph& graph) { graph.export_buffer(none); });
}

TEST(GraphMistakes, NameLineOfPassOrBuffer) {
    SomeGraph reads;
    const WordRef nothing = reads.transient("nothing");
    const std::uint32_t before = SourceLocation::current().line;
    reads.add_copy("copy", nothing, reads.import("out"), 4);
    expect_next_line(reads, before);

    SomeGraph exports;
    const std::uint32_t before_buffer = SourceLocation::current().line;
    const WordRef empty = exports.transient("empty");
    exports.export_buffer(empty);
    expect_next_line(exports, before_buffer);
}

/// Adds a pass to a graph, as primitives do.
void add_reader(const GraphCall& graph, const WordRef& buffer) {
    graph->add_pass(pass("reader", {read(buffer), write(graph->import_buffer<std::uint32_t>("out", 64))}));
}
void add_two_readers(const GraphCall& graph, const WordRef& buffer) {
    add_reader(graph, buffer);
    add_reader(graph, buffer);
}

TEST(GraphMistakes, NameLineThatCallsPrimitive) {
    SomeGraph graph;
    const WordRef nothing = graph.transient("nothing");
    const std::uint32_t before = SourceLocation::current().line;
    add_two_readers(graph, nothing);
    graph.add_pass(pass("later", {write(graph.import("more"))}));
    EXPECT_EQ(graph.whole_mistake(), "pass 'reader' reads buffer 'nothing', which no pass writes" + place(before + 1));
    EXPECT_EQ(graph.description().passes.back().where.line, before + 2);

    Capabilities device = some_device();
    device.subgroup_size = device.subgroup_size_min = device.subgroup_size_max = 32;
    device.max_workgroup_invocations = 1024;
    device.max_workgroup_subgroups = 32;
    device.max_workgroup_memory = 32768;
    SomeGraph scans(device);
    const std::uint32_t before_scan = SourceLocation::current().line;
    const auto sums = scan(scans, scans.transient("numbers"));
    scans.export_buffer(sums);
    expect_next_line(scans, before_scan); // the pass is one of the library
    EXPECT_THAT(scans.whole_mistake(), names("'numbers'", "no pass writes"));

    SomeGraph refused(device);
    const std::uint32_t before_refused = SourceLocation::current().line;
    scan(refused, WordRef{});
    ASSERT_TRUE(refused.error());
    EXPECT_EQ(refused.error()->message, "scan: the input is null" + place(before_refused + 1));
}

TEST(GraphMistakes, Cycle) {
    SomeGraph graph;
    const WordRef a = graph.transient("a"), b = graph.transient("b"), c = graph.transient("c");
    graph.add_pass(pass("innocent", {write(graph.import("out"))}));
    const std::uint32_t line = SourceLocation::current().line;
    graph.add_pass(pass("one", {read(a), write(b)}));
    graph.add_pass(pass("two", {read(b), write(c)}));
    graph.add_pass(pass("three", {read(c), write(a)}));
    graph.add_pass(pass("behind it", {read(c), write(graph.import("more"))}));
    EXPECT_EQ(graph.whole_mistake(), concat("passes depend on each other in a cycle: 'two'", place(line + 2),
                                            " -> 'three'", place(line + 3), " -> 'one'", place(line + 1), " -> 'two'"));
}

TEST(GraphMistakes, ReadsOfUnwrittenBuffers) {
    const std::string no_writer = "reads buffer 'nothing', which no pass writes";
    expect_mistake("pass 'reader' " + no_writer, [](SomeGraph& graph) {
        graph.add_pass(pass("reader", {read(graph.transient("nothing")), write(graph.import("out"))}));
    });
    expect_mistake("pass 'indirect' " + no_writer, [](SomeGraph& graph) {
        graph.add_pass(pass("indirect", {write(graph.import("out"))}, Dispatch::indirect(graph.transient("nothing"))));
    });
    expect_mistake(names("dispatch arguments of nothing", "no pass writes"), [](SomeGraph& graph) {
        const Count count = graph.count_in(graph.transient("nothing"), 0, 100);
        graph.add_pass(pass("counted", {write(graph.import("out"))}, Dispatch::elements(count, 64)));
    });
    expect_mistake("buffer 'nothing' is exported, but no pass writes it",
                   [](SomeGraph& graph) { graph.export_buffer(graph.transient("nothing")); });
    expect_mistake(names("'adds'", "'sum'", "no pass has written before it"), [](SomeGraph& graph) {
        graph.add_pass(pass("adds", {read_write(graph.transient("sum")), write(graph.import("out"))}));
    });
    expect_mistake(names("'reader'", "'a'", "before all of its writers"), [](SomeGraph& graph) {
        const WordRef a = graph.transient("a");
        graph.add_pass(pass("reader", {read(a), write(graph.import("out"))}));
        graph.add_pass(pass("one", {write(a)}));
        graph.add_pass(pass("two", {write(a)}));
    });
}

TEST(GraphMistakes, DescriptorSetIndexOutOfRange) {
    SomeGraph graph;
    int layout = 0; // never accessed
    DescriptorSetId set = graph.import_set("set", reinterpret_cast<VkDescriptorSetLayout>(&layout));
    Pass draw = pass("draw", {write(graph.import("out"))});
    draw.sets = {set};
    graph.add_pass(draw);
    EXPECT_EQ(graph.mistake(), "no mistake");
    ++set.index;
    draw.sets = {set};
    graph.add_pass(draw);
    EXPECT_THAT(graph.mistake(), names("'draw'", "set 1", "of another graph"));
}

TEST(GraphMistakes, ConflictingDeclarations) {
    for (const auto& [first, second, words] :
         {std::tuple{Access::shader_read, Access::shader_write, "use 0 for shader read and as use 1 for shader write"},
          std::tuple{Access::shader_write, Access::shader_write, "use 0 for shader write and as use 1"},
          std::tuple{Access::shader_read_write, Access::shader_read, "use 0 for shader read and write"}}) {
        expect_mistake(names("'twice'", "'a'", "twice", words), [first = first, second = second](SomeGraph& graph) {
            const WordRef a = graph.import("a");
            graph.add_pass(pass("twice", {{a, first}, {a, second}}));
        });
    }
    expect_mistake("no mistake", [](SomeGraph& graph) {
        const WordRef a = graph.import("a");
        graph.add_pass(pass("twice", {read(a), read(a), unused(a), write(graph.import("out"))}));
    });
    expect_mistake(names("'bites its tail'", "'arguments'", "indirect read"), [](SomeGraph& graph) {
        const WordRef arguments = graph.import("arguments");
        graph.add_pass(pass("bites its tail", {write(arguments)}, Dispatch::indirect(arguments)));
    });
    expect_mistake(names("'strange'", "'a'", "vertex read"), [](SomeGraph& graph) {
        graph.add_pass(pass("strange", {{graph.import("a"), Access::vertex_read}}));
    });
    expect_mistake(names("'copy'", "'a'", "twice"), [](SomeGraph& graph) {
        const WordRef a = graph.import("a");
        graph.add_copy("copy", a, a, 4);
    });
}

TEST(GraphMistakes, Exports) {
    expect_mistake(names("'secret'", "exported"), [](SomeGraph& graph) { graph.export_buffer(graph.state("secret")); });
    SomeGraph graph;
    const WordRef out = graph.import("out");
    graph.export_buffer(out, Access::vertex_read);
    graph.export_buffer(out, Access::vertex_read);
    EXPECT_EQ(graph.mistake(), "no mistake");
    graph.export_buffer(out, Access::index_read);
    EXPECT_EQ(graph.mistake(),
              "buffer 'out' is exported twice, for vertex read and for index read; export it once with all accesses");
}

TEST(GraphMistakes, BuffersOfNoGraph) {
    const BufferId none;
    expect_mistake("pass 'pass' uses a null buffer or image; results that are not requested are null",
                   [&](SomeGraph& graph) { graph.add_pass(pass("pass", {read(none)})); });
    expect_mistake(names("'fill'", "null buffer"), [&](SomeGraph& graph) { graph.add_fill("fill", none, 0); });
    expect_mistake(names("'copy'"), [&](SomeGraph& graph) { graph.add_copy("copy", graph.import("fine"), none, 4); });
    expect_mistake(names("'copy'"), [&](SomeGraph& graph) { graph.add_copy("copy", none, graph.import("fine"), 4); });
    expect_mistake(names("export_buffer"), [&](SomeGraph& graph) { graph.export_buffer(none); });
    expect_mistake(names("'pass'"),
                   [&](SomeGraph& graph) { graph.add_pass(pass("pass", {}, Dispatch::indirect(none))); });
    expect_mistake(names("count_in"), [](SomeGraph& graph) { graph.count_in({}, 0, 1); });
}

TEST(GraphMistakes, BuffersOfAnotherGraph) {
    SomeGraph other;
    const WordRef foreign = other.import("foreign");
    const Count count = other.count_in(foreign, 0, 1);
    const Count parameter = other.parameter("n", 10);
    const auto expect = [](const char* message, auto add) {
        expect_mistake(message, [&](SomeGraph& graph) {
            graph.import("mine");
            graph.parameter("n", 10);
            add(graph);
        });
    };
    const char* const bound = "pass 'pass' uses a buffer or image of another graph";
    expect(bound, [&](Graph& graph) { graph.add_pass(pass("pass", {read(foreign)})); });
    expect(bound, [&](Graph& graph) { graph.add_pass(pass("pass", {unused(foreign)})); });
    const char* const used = "pass 'pass' uses a buffer of another graph";
    expect(used, [&](Graph& graph) { graph.add_fill("pass", foreign, 0); });
    expect(used, [&](Graph& graph) { graph.add_pass(pass("pass", {}, Dispatch::indirect(foreign))); });
    expect(used, [&](Graph& graph) { graph.add_pass(pass("pass", {}, Dispatch::elements(count, 1))); });
    const char* const pushed = "pass 'pass' uses a parameter of another graph";
    expect(pushed, [&](Graph& graph) { graph.add_pass(pass("pass", {}, Dispatch::elements(parameter, 1))); });
    expect(pushed, [&](Graph& graph) {
        Pass pushes = pass("pass", {});
        pushes.push = {parameter};
        graph.add_pass(std::move(pushes));
    });
}

TEST(GraphMistakes, Sizes) {
    const char* const empty = "buffer 'empty' has a capacity of 0";
    expect_mistake(empty, [](Graph& graph) { graph.import_buffer<std::uint32_t>("empty", 0); });
    expect_mistake(empty, [](Graph& graph) { graph.transient_buffer<std::uint64_t>("empty", 0); });
    expect_mistake(empty, [](Graph& graph) { graph.state_buffer<std::uint32_t>("empty", 0); });
    for (const std::uint64_t bytes : {0, 3, 260}) {
        expect_mistake(names("'copy'", "'from'", "copies " + std::to_string(bytes) + " bytes"), [&](SomeGraph& graph) {
            graph.add_copy("copy", graph.import("from"), graph.import("to"), bytes);
        });
    }
    expect_mistake(names("'copy'", "'small' has 32", "36"), [](SomeGraph& graph) {
        graph.add_copy("copy", graph.import("from"), graph.import_buffer<std::uint32_t>("small", 8), 36);
    });
}

TEST(GraphMistakes, Counts) {
    expect_mistake(names("'pushes'", "'counts'", "pushes a GPU count"), [](SomeGraph& graph) {
        Pass pushes = pass("pushes", {write(graph.import("out"))});
        pushes.push = {1U, graph.count_in(graph.import("counts"), 0, 10)};
        graph.add_pass(std::move(pushes));
    });
    expect_mistake("no mistake", [](SomeGraph& graph) { graph.count_in(graph.import("counts"), 63, 10); });
    expect_mistake("count_in: the count is word 64 of buffer 'more counts', which has 64 words",
                   [](SomeGraph& graph) { graph.count_in(graph.import("more counts"), 64, 10); });
}

/// Counts are plain structs, so their members may be changed after `count_in` and `parameter`.
TEST(GraphMistakes, CountsWithInvalidMembers) {
    const auto expect = [](const char* message, auto change) {
        Count count;
        expect_mistake(message, [&](SomeGraph& graph) {
            count = graph.count_in(graph.import("counts"), 3, 10);
            change(count);
            const auto scope = graph.only_if(count);
        });
        expect_mistake(HasSubstr("pass 'pass' uses a "), [&](SomeGraph& graph) {
            count.buffer = graph.import("counts");
            graph.add_pass(pass("pass", {}, Dispatch::elements(count, 1)));
        });
    };
    expect("pass 'only_if' uses a count that is word 64 of buffer 'counts', which has 64 words",
           [](Count& count) { count.word = 64; });
    expect("pass 'only_if' uses a count that is word 4294967295 of buffer 'counts', which has 64 words",
           [](Count& count) { count.word = ~0U; });
    expect("pass 'only_if' uses a parameter of another graph",
           [](Count& count) { count.kind = Count::Kind::parameter; });
    expect("pass 'only_if' uses a count of kind 200, which does not exist",
           [](Count& count) { count.kind = Count::Kind(200); });
}

TEST(GraphMistakes, InvalidEnumValues) {
    constexpr auto access = Access(200);
    expect_mistake("command pass 'pass' uses buffer 'a' for access 200, which does not exist", [](SomeGraph& graph) {
        graph.add_command_pass(command_pass("pass", {{graph.import("a"), access}}));
    });
    expect_mistake("command pass 'pass' uses image 'a' for access 200, which does not exist", [](SomeGraph& graph) {
        graph.add_command_pass(command_pass("pass", {{graph.image("a"), access}}));
    });
    expect_mistake("pass 'pass' binds buffer 'a' for access 200, which does not exist", [](SomeGraph& graph) {
        graph.add_pass(pass("pass", {{graph.import("a"), access}}));
    });
    expect_mistake("buffer 'a' arrives for access 200, which does not exist",
                   [](SomeGraph& graph) { graph.import("a", access); });
    expect_mistake("buffer 'a' leaves for access 200, which does not exist",
                   [](SomeGraph& graph) { graph.export_buffer(graph.import("a"), access); });
    expect_mistake("on_queue: queue kind 200 does not exist", [](SomeGraph& graph) {
        const auto scope = graph.on_queue(QueueKind(200));
        graph.add_pass(pass("pass", {write(graph.import("a"))}));
    });
    expect_mistake("set_queues: queue kind 3 does not exist",
                   [](SomeGraph& graph) { graph.set_queues(graph.import("a"), {.leaves = QueueKind(3)}); });
    expect_mistake("pass 'pass' has a dispatch of kind 200, which does not exist",
                   [](SomeGraph& graph) { graph.add_pass(pass("pass", {}, {.kind = Dispatch::Kind(200)})); });
}

TEST(GraphMistakes, AddressWithoutBufferDeviceAddress) {
    for (const bool has_addresses : {false, true}) {
        Capabilities device = some_device();
        device.buffer_address = has_addresses;
        SomeGraph graph(device);
        Pass follows = pass("follows", {write(graph.import("out"))});
        follows.addressed = {read(graph.import("list"))};
        graph.add_pass(follows);
        ASSERT_EQ(!graph.error(), has_addresses);
        if (!has_addresses) {
            EXPECT_EQ(graph.error()->code, ErrorCode::unsupported);
            EXPECT_THAT(graph.error()->message,
                        names("pass 'follows' takes addresses", "require the feature bufferDeviceAddress"));
        }
    }
}

TEST(GraphMistakes, Dispatches) {
    expect_mistake("pass 'forgotten' has no dispatch; set it, for example to Dispatch::groups(1)",
                   [](SomeGraph& graph) { graph.add_pass(pass("forgotten", {write(graph.import("out"))}, {})); });
    expect_mistake(names("pass 'five' has no dispatch"),
                   [](SomeGraph& graph) { graph.add_pass(pass("five", {write(graph.import("out"))}, {.x = 5})); });
    expect_mistake(names("'divides by zero'", "per_group is 0"),
                   [](SomeGraph& graph) { graph.add_pass(pass("divides by zero", {}, Dispatch::elements(10, 0))); });
    expect_mistake("no mistake", [](SomeGraph& graph) {
        graph.add_pass(pass("last", {}, Dispatch::indirect(graph.import("arguments"), 61)));
    });
    expect_mistake(names("'past'", "'arguments'", "word 62", "has 64 words"), [](SomeGraph& graph) {
        graph.add_pass(pass("past", {}, Dispatch::indirect(graph.import("arguments"), 62)));
    });
}

TEST(GraphMistakes, FirstMistakeIsReported) {
    SomeGraph graph;
    graph.fail({ErrorCode::invalid_graph, "first"});
    graph.fail({ErrorCode::invalid_graph, "second"});
    graph.add_fill("third", {}, 0);
    EXPECT_EQ(graph.whole_mistake(), "first");
    ASSERT_TRUE(graph.error());
    EXPECT_EQ(graph.error()->message, "first");
}

} // namespace
} // namespace weir::tests::mistakes_test
