// Contents that passes find in resources and leave in them, in plans. Device tests are in contents_test.cpp.

#include <algorithm>

#include "graph/plan/contents.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::contents_plan_test {
namespace {

using testing::Contains;

/// Returns "first", "needed", "first, needed" or "" for the use of a resource by a pass, if the passes named in `off`
/// are off.
std::string contents(const Plan& plan, const std::string& pass, ResourceId resource,
                     const std::vector<std::string>& off = {}) {
    const auto& passes = plan.graph->passes;
    const auto node = std::find_if(passes.begin(), passes.end(), [&](const auto& one) { return one.name == pass; });
    bool is_first = true, is_needed = false;
    for (const auto& use : node->accesses()) {
        if (use.named() == resource.index) {
            is_first = is_first && starts_empty(plan.graph->resources[use.resource]) &&
                       !is_written_before(*plan.graph, use, [&](std::uint32_t writer) {
                           return std::find(off.begin(), off.end(), passes[writer].name) == off.end();
                       });
            is_needed = is_needed || use.needed_after;
        }
    }
    return is_first ? is_needed ? "first, needed" : "first" : is_needed ? "needed" : "";
}

TEST(ContentsPlan, FirstAndLastUseOfTransient) {
    SomeGraph graph;
    const ImageId depth = graph.image("depth", some_depth()), color = graph.image("color");
    graph.add_command_pass(command_pass("prepass", {{depth, Access::depth_write}}));
    graph.add_command_pass(command_pass("draw", {{depth, Access::depth_read_write}, {color, Access::color_write}}));
    graph.export_image(color, Access::fragment_shader_read);
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(contents(plan, "prepass", depth), "first, needed");
    EXPECT_EQ(contents(plan, "draw", depth), "");
    EXPECT_EQ(contents(plan, "draw", color), "first, needed");
    EXPECT_THAT(plan.text(), HasSubstr("'depth' depth write, first write\n"));
    EXPECT_THAT(plan.text(), HasSubstr("'depth' depth read and write, not needed after\n"));
    EXPECT_THAT(plan.json(), HasSubstr(R"("needed_after": false)"));
}

TEST(ContentsPlan, SwitchedOffWriterIsNotTheFirst) {
    SomeGraph graph;
    const ImageId color = graph.image("color");
    const auto draw_if = [&](const char* name, Access access) {
        const auto scope = graph.only_if(graph.add_switch(name));
        graph.add_command_pass(command_pass(name, {{color, access}}));
    };
    draw_if("sky", Access::color_write);
    draw_if("terrain", Access::color_read_write);
    graph.add_command_pass(command_pass("trees", {{color, Access::color_read_write}}));
    graph.export_image(color, Access::fragment_shader_read);
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(contents(plan, "terrain", color), "needed");
    EXPECT_EQ(contents(plan, "terrain", color, {"sky"}), "first, needed");
    EXPECT_EQ(contents(plan, "trees", color, {"terrain"}), "needed");
    EXPECT_EQ(contents(plan, "trees", color, {"sky", "terrain"}), "first, needed");
}

TEST(ContentsPlan, ImportsAndStatesLast) {
    SomeGraph graph;
    const ImageId fresh = graph.import_image("fresh", some_image(), Access::none),
                  kept = graph.import_image("kept", some_image(), Access::color_write);
    const WordRef state = graph.state("state"), import = graph.import("import");
    const auto history = graph.history_buffer<std::uint32_t>("history", 64);
    graph.add_command_pass(command_pass("draw", {{fresh, Access::color_write}, {kept, Access::color_write}}));
    graph.add_pass(pass("compute", {read_write(state), write(import), read(history.previous), write(history.current)}));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(contents(plan, "draw", fresh), "first, needed");
    EXPECT_EQ(contents(plan, "draw", kept), "needed");
    EXPECT_EQ(contents(plan, "compute", state), "needed");
    EXPECT_EQ(contents(plan, "compute", import), "needed");
    EXPECT_EQ(contents(plan, "compute", history.previous), "needed");
    EXPECT_EQ(contents(plan, "compute", history.current), "first, needed");
}

TEST(ContentsPlan, PiecesOfAnImage) {
    SomeGraph graph;
    const ImageId image =
        graph.image("image", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {64, 64, 1}, .layers = 2});
    const ImageId first = graph.part(image, {.layer = 0, .layers = 1});
    graph.add_command_pass(command_pass("layer 0", {{first, Access::color_write}}));
    graph.add_command_pass(command_pass("both", {{image, Access::color_write}}));
    graph.add_command_pass(kept_pass("read", {{first, Access::fragment_shader_read}}));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(contents(plan, "layer 0", first), "first, needed");
    EXPECT_EQ(contents(plan, "both", image), "needed"); // one layer of it
    EXPECT_THAT(plan.text(), HasSubstr("'image layer 1' color write, first write, not needed after\n"));
}

/// Without its flags right, the judge reports a plan.
TEST(ContentsPlan, JudgeFindsLostContents) {
    SomeGraph graph;
    const WordRef a = graph.transient("a"), out = graph.import("out");
    graph.add_pass(pass("first", {write(a)}));
    graph.add_pass(pass("second", {read_write(a)}));
    graph.add_pass(pass("third", {read(a), write(out)}));
    Plan plan = sound_plan(graph);
    const auto with = [&](const auto& change) {
        auto changed = std::make_shared<GraphDescription>(*plan.graph);
        change(changed->passes);
        Plan broken = plan;
        broken.graph = changed;
        return find_hazards(graph.description(), broken);
    };
    EXPECT_THAT(with([](auto& passes) { passes[0].uses[0].needed_after = false; }),
                Contains(HasSubstr("'a' has been discarded before 'second'")));
    EXPECT_THAT(with([](auto& passes) { passes[1].uses[0].written_by = ResourceId::none; }),
                Contains(HasSubstr("'a' is cleared by 'second'")));
    EXPECT_THAT(with([](auto& passes) { passes[0].uses[0].written_by = 1; }),
                Contains(HasSubstr("'a' has no contents, unlike the plan says, for 'first'")));
    EXPECT_THAT(with([](auto& passes) { passes[2].uses[1].needed_after = false; }),
                Contains(HasSubstr("'out' has been discarded before the host")));
}

} // namespace
} // namespace weir::tests::contents_plan_test
