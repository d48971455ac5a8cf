// Descriptor sets of the application in graphs, and the uses that passes declare for them.

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::pass_uses_test {
namespace {

using testing::ElementsAre;

/// A fake layout, never accessed.
int some_layout = 0;
const auto layout = reinterpret_cast<VkDescriptorSetLayout>(&some_layout);

Pass through_set(const std::string& name, DescriptorSetId set, std::vector<Use> uses,
                 std::vector<Binding> bindings = {}) {
    Pass made = pass(name, std::move(bindings));
    made.sets = {set};
    made.uses = std::move(uses);
    return made;
}

TEST(PassUses, OrderedLikeBindings) {
    SomeGraph graph;
    const DescriptorSetId set = graph.import_set("set", layout);
    const WordRef words = graph.import("words"), out = graph.import("out");
    graph.add_fill("fill", words, 0);
    graph.add_pass(through_set("writer", set, {{words, Access::shader_write}}));
    graph.add_pass(through_set("reader", set, {{words, Access::shader_read}}, {write(out)}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("fill"), ElementsAre("writer"), ElementsAre("reader")));
    Plan plan = sound_plan(graph);
    ASSERT_EQ(plan.groups[2].barriers.size(), 1U);
    EXPECT_EQ(plan.groups[2].barriers[0].srcAccessMask, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    plan.groups[2].barriers.clear();
    EXPECT_THAT(find_hazards(graph.description(), plan), testing::Contains(HasSubstr("'reader'")));
}

TEST(PassUses, WritingUseKeepsPass) {
    SomeGraph graph;
    const DescriptorSetId set = graph.import_set("set", layout);
    const WordRef words = graph.import("words");
    graph.add_pass(through_set("writer", set, {{words, Access::shader_write}}));
    graph.add_pass(through_set("reader", set, {{words, Access::shader_read}}));
    EXPECT_THAT(graph.culled(), ElementsAre("reader"));
}

/// The application has written the descriptors, so the plan cannot choose their layout. A pass that needs another
/// layout goes into another group. With bindings, both passes use GENERAL in one group.
TEST(PassUses, HaveDeclaredLayout) {
    for (const bool through : {true, false}) {
        SomeGraph graph;
        const DescriptorSetId set = graph.import_set("set", layout);
        const ImageId image = graph.import_image("image", some_image(), Access::transfer_write);
        graph.add_pass(pass("load", {read(image), write(graph.import("a"))}));
        Pass sample = through ? through_set("sample", set, {{image, Access::sampled_read}}, {write(graph.import("b"))})
                              : pass("sample", {sampled(image), write(graph.import("b"))});
        graph.add_pass(sample);
        graph.add_pass(pass("sample too", {sampled(image), write(graph.import("c"))}));
        const Plan plan = sound_plan(graph);
        if (!through) {
            EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("load", "sample", "sample too")));
            continue;
        }
        EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("load", "sample too"), ElementsAre("sample")));
        EXPECT_EQ(plan.groups[0].layout(image.index), general);
        EXPECT_EQ(plan.groups[1].layout(image.index), for_sampling);
    }
    SomeGraph graph; // an image that is both bound and used gets a layout for both
    const DescriptorSetId set = graph.import_set("set", layout);
    const ImageId image = graph.import_image("image", some_image(), Access::transfer_write);
    graph.add_pass(pass("sample", {sampled(image), write(graph.import("a"))}));
    graph.add_pass(through_set("both", set, {{image, Access::sampled_read}}, {read(image), write(graph.import("b"))}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("sample"), ElementsAre("both")));
    EXPECT_EQ(graph.plan().groups[1].layout(image.index), general);
}

TEST(PassUses, Mistakes) {
    const auto expect = [](const char* message, const auto& change) {
        expect_mistake(message, [&](SomeGraph& graph) {
            const DescriptorSetId set = graph.import_set("set", layout);
            Pass made = through_set("pass", set, {{graph.import("words"), Access::shader_write}});
            change(made);
            graph.add_pass(made);
        });
    };
    expect("no mistake", [](Pass&) {});
    expect("pass 'pass' binds a null descriptor set as set 2", [](Pass& made) { made.sets.emplace_back(); });
    expect("pass 'pass' binds a descriptor set of another graph as set 1", [](Pass& made) {
        SomeGraph other;
        made.sets = {other.import_set("set", layout)};
    });
    expect("pass 'pass' has 4 descriptor sets in addition to set 0; the device binds at most 4 in total "
           "(maxBoundDescriptorSets)",
           [](Pass& made) { made.sets.resize(4, made.sets[0]); });
    expect("pass 'pass' uses a null buffer or image; results that are not requested are null",
           [](Pass& made) { made.uses[0].resource = {}; });
    expect("pass 'pass' uses buffer 'words' for indirect read, which is not an access of compute shaders",
           [](Pass& made) { made.uses[0].access = Access::indirect_read; });
    expect("pass 'pass' uses buffer 'words' for sampled read, which requires an image",
           [](Pass& made) { made.uses[0].access = Access::sampled_read; });
    expect("pass 'pass' uses buffer 'words' for no use, which is not an access of compute shaders",
           [](Pass& made) { made.uses[0].access = Access::none; });
    expect("pass 'pass' declares buffer 'words' twice: as use 0 for shader read and as use 1 for shader write",
           [](Pass& made) { made.bindings = {read(made.uses[0].resource)}; });
    expect_mistake("descriptor set 'table' has a null layout",
                   [](SomeGraph& graph) { graph.import_set("table", VK_NULL_HANDLE); });
}

TEST(PassUses, NestedGraph) {
    SomeGraph inner;
    const DescriptorSetId set = inner.import_set("set", layout);
    const WordRef words = inner.import("words");
    inner.add_pass(through_set("writer", set, {{words, Access::shader_write}}));
    SomeGraph graph;
    graph.import_set("first", layout);
    const WordRef data = graph.import("data");
    const Subgraph added = graph.add_graph(inner, {{words, data}}, "inner");
    graph.add_pass(pass("reader", {read(data), write(graph.import("out"))}));
    const auto& description = graph.description();
    ASSERT_EQ(description.sets.size(), 2U);
    EXPECT_EQ(description.sets[1].name, "inner/set");
    EXPECT_EQ(description.sets[1].layout, layout);
    EXPECT_EQ(description.passes[0].compute_pass()->sets[0], added.set(set));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("inner/writer"), ElementsAre("reader")));
    sound_plan(graph);
}

} // namespace
} // namespace weir::tests::pass_uses_test
