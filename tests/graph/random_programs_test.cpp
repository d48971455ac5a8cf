// Random graphs on a device, compared with an interpreter that runs their passes one after another, in the order in
// which they were added.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include <weir/graph/arguments.hpp>
#include <weir/graph/command_pass.hpp>
#include <weir/graph/commands.hpp>

#include "examples/replayer.hpp"
#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/data.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/own_set.hpp"

#include "engine/base/strings.hpp"
#include "engine/device/device.hpp"

namespace weir::tests::random_programs_test {
namespace {

constexpr std::uint32_t items = 64, side = 8, group_size = 16; // per resource; texels per row; per workgroup

using Contents = std::array<std::uint32_t, items>;

/// Use of a binding by a pass.
enum class Way : std::uint8_t { read, sample, uniform, write, read_write };
bool reads(Way way) {
    return way != Way::write;
}
bool writes(Way way) {
    return way == Way::write || way == Way::read_write;
}

struct Used {
    std::uint32_t resource = 0;
    Way way = Way::read;
    bool is_image = false;
    bool in_set = false; ///< through set 1 of the application; binding = resource
};

/// One step of the interpreter.
struct Step {
    enum class Kind : std::uint8_t { dispatch, fill, copy };
    Kind kind = Kind::dispatch;
    std::vector<Used> uses;                  ///< copies: source, then destination
    std::uint32_t seed = 0;                  ///< fills: the value
    bool is_whole = false;                   ///< true: writes all items; false: two thirds
    std::optional<std::uint32_t> counted_by; ///< resource whose first word is the number of items
    std::vector<std::uint32_t> scopes;       ///< scopes that must be on
};

/// An `only_if` scope: a switch, or the first word of a resource at the begin of the scope.
struct Scope {
    std::optional<std::uint32_t> counted_by;
    Switch by_host;
    std::size_t begin = 0; ///< index of the first step in the scope
};

std::uint32_t mix(std::uint32_t hash, std::uint32_t word) {
    hash = (hash ^ word) * 0x9E3779B1U + 1;
    return hash ^ hash >> 15U;
}

/// Returns a kernel for the device that does a dispatch step with these uses.
std::string kernel(const std::vector<Used>& uses) {
    std::string text = "#version 460\n#extension GL_EXT_samplerless_texture_functions : require\n"
                       "layout(local_size_x = 16) in;\n"
                       "layout(push_constant) uniform Push { uint seed; uint is_whole; };\n"
                       "uint mix_in(uint hash, uint word) {\n"
                       "    hash = (hash ^ word) * 0x9E3779B1u + 1;\n"
                       "    return hash ^ hash >> 15;\n"
                       "}\n"
                       "ivec2 texel(uint i) { return ivec2(i % 8, i / 8); }\n";
    std::string read_all, write_all;
    std::size_t next = 0; // binding of set 0
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const Used& use = uses[i];
        const std::string at = use.in_set ? concat("layout(set = 1, binding = ", use.resource)
                                          : concat("layout(set = 0, binding = ", next++);
        // Bindings that are also written are read at item i only: other invocations write the other items.
        const std::string item = use.way == Way::read_write ? "i" : concat("(i * 7 + seed + ", i, ") % 64");
        if (use.way == Way::uniform) {
            text += concat(at, ") uniform Uniform", i, " { uvec4 words", i, "[16]; };\n");
        } else if (!use.is_image) {
            text += concat(at, ") buffer WordRef", i, " { uint words", i, "[]; };\n");
        } else if (use.way == Way::sample) {
            text += concat(at, ") uniform utexture2D image", i, ";\n");
        } else {
            text += concat(at, ", r32ui) uniform uimage2D image", i, ";\n");
        }
        if (reads(use.way)) {
            const std::string value = use.way == Way::uniform ? concat("words", i, "[", item, " / 4][", item, " % 4]")
                                      : !use.is_image         ? concat("words", i, "[", item, "]")
                                      : use.way == Way::sample
                                          ? concat("texelFetch(image", i, ", texel(", item, "), 0).x")
                                          : concat("imageLoad(image", i, ", texel(", item, ")).x");
            read_all += concat("    hash = mix_in(hash, ", value, ");\n");
        }
        if (writes(use.way)) {
            const std::string value = concat("i == 0 ? (hash + ", i, ") % 3 : hash + ", i);
            write_all += concat("    if (is_whole != 0 || (i + seed + ", i, ") % 3 != 0) {\n        ",
                                use.is_image ? concat("imageStore(image", i, ", texel(i), uvec4(", value, "))")
                                             : concat("words", i, "[i] = ", value),
                                ";\n    }\n");
        }
    }
    return concat(text,
                  "void main() {\n    const uint i = gl_GlobalInvocationID.x;\n    if (i >= 64) {\n        return;\n"
                  "    }\n    uint hash = mix_in(seed, i);\n",
                  read_all, write_all, "}\n");
}

/// A random graph and its steps.
class RandomProgram {
public:
    RandomProgram(Random& random, bool has_set) : random_(random), graph(test_context()) {
        make_resources();
        if (has_set) {
            make_set();
        }
        const int passes = random_.uniform(1, 25);
        for (int i = 0; i < passes; ++i) {
            change_scopes();
            const int kind = random_.uniform(0, 9);
            // Fills and copies under a count on the GPU run as kernels, which the transfer queue cannot.
            const int queues = kind < 3 && !is_counted() ? 3 : 2;
            const auto queue = graph.on_queue(chance(2) ? QueueKind::main : QueueKind(random_.uniform(0, queues - 1)));
            if (kind == 0) {
                make_fill();
            } else if (kind < 3) {
                make_copy();
            } else {
                make_pass();
            }
        }
        while (!open_.empty()) {
            open_.pop_back();
        }
        for (std::uint32_t i = 0; i < resources.size(); ++i) {
            if (!resources[i].is_image && !resources[i].is_state && !resources[i].is_import &&
                resources[i].is_written && chance(3)) {
                graph.export_buffer(buffer(i), Access::any, {.per_frame = chance(2)});
                resources[i].is_exported = true;
            }
        }
    }

    struct Resource {
        ResourceId id;
        bool is_image = false, is_import = false, is_state = false, is_exported = false;
        bool is_written = false; ///< all items have been written
    };

    [[nodiscard]] BufferRef<std::uint32_t> buffer(std::uint32_t index) const {
        BufferRef<std::uint32_t> ref;
        ref.id = BufferId{resources[index].id};
        ref.capacity = items;
        ref.count = items;
        return ref;
    }

    /// Runs all steps once, also those that the compiler culls. Culling must not change results, in this or later runs.
    void interpret(std::vector<Contents>& contents, const std::vector<bool>& switches) const {
        std::vector<bool> on(scopes.size(), false);
        for (std::size_t at = 0; at <= steps.size(); ++at) {
            for (std::size_t scope = 0; scope < scopes.size(); ++scope) {
                if (scopes[scope].begin == at) {
                    const auto& counted = scopes[scope].counted_by;
                    on[scope] = counted ? contents[*counted][0] != 0 : switches[scopes[scope].by_host.index];
                }
            }
            if (at < steps.size() && std::all_of(steps[at].scopes.begin(), steps[at].scopes.end(),
                                                 [&](std::uint32_t scope) { return on[scope]; })) {
                take(steps[at], contents);
            }
        }
    }

private:
    Random& random_;

public:
    WordGraph graph;
    std::vector<Resource> resources;
    std::vector<Step> steps;
    std::vector<Scope> scopes;
    std::vector<Switch> switches;
    std::unique_ptr<OwnSet> own_set; ///< contains the imports; may be null
    DescriptorSetId set;
    std::size_t in_set = 0; ///< number of uses through the set

private:
    bool chance(int one_in) { return random_.uniform(1, one_in) == 1; }
    std::uint32_t pick() { return random_.uniform<std::uint32_t>(0, static_cast<std::uint32_t>(resources.size()) - 1); }

    static void take(const Step& step, std::vector<Contents>& contents) {
        if (step.kind == Step::Kind::fill) {
            contents[step.uses[0].resource].fill(step.seed);
            return;
        }
        if (step.kind == Step::Kind::copy) {
            contents[step.uses[1].resource] = contents[step.uses[0].resource];
            return;
        }
        std::uint32_t count = items;
        if (step.counted_by) {
            const std::uint32_t counted = std::min(contents[*step.counted_by][0], items);
            count = (counted + group_size - 1) / group_size * group_size;
        }
        const std::vector<Contents> before = contents;
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t hash = mix(step.seed, i);
            for (std::uint32_t use = 0; use < step.uses.size(); ++use) {
                const Used& used = step.uses[use];
                const std::uint32_t at = used.way == Way::read_write ? i : (i * 7 + step.seed + use) % items;
                hash = reads(used.way) ? mix(hash, before[used.resource][at]) : hash;
            }
            for (std::uint32_t use = 0; use < step.uses.size(); ++use) {
                const Used& used = step.uses[use];
                if (writes(used.way) && (step.is_whole || (i + step.seed + use) % 3 != 0)) {
                    contents[used.resource][i] = i == 0 ? (hash + use) % 3 : hash + use;
                }
            }
        }
    }

    void make_resources() {
        const auto count = random_.uniform<std::uint32_t>(3, 12);
        ImageId whole;
        for (std::uint32_t i = 0; i < count; ++i) {
            Resource made;
            const std::string name = concat("resource ", i);
            const int kind = i == 0 ? 0 : random_.uniform(0, 9);
            made.is_import = kind < 3;
            made.is_state = kind == 3;
            made.is_image = kind >= 4 && kind <= 6;
            made.is_written = made.is_import || made.is_state;
            if (made.is_image && chance(2)) { // a part of one shared image
                if (!whole.valid()) {
                    whole = graph.transient_image(
                        "whole",
                        {.format = VK_FORMAT_R32_UINT, .extent = {2 * side, 2 * side, 1}, .mips = 2, .layers = 12});
                }
                made.id = graph.part(whole, {.mip = 1, .layer = i, .layers = 1});
            } else if (made.is_image) {
                made.id = graph.transient_image(name, {.format = VK_FORMAT_R32_UINT, .extent = {side, side, 1}});
            } else {
                made.id = made.is_import  ? graph.import(name, items).id
                          : made.is_state ? graph.state(name, items).id
                                          : graph.transient(name, items).id;
            }
            resources.push_back(made);
        }
    }

    void make_set() {
        std::vector<VkDescriptorSetLayoutBinding> bindings;
        for (std::uint32_t i = 0; i < resources.size(); ++i) {
            if (resources[i].is_import) {
                bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
            }
        }
        own_set = std::make_unique<OwnSet>(bindings);
        set = graph.import_set("set", own_set->layout());
    }

    void change_scopes() {
        if (!open_.empty() && chance(3)) {
            open_.pop_back();
            open_scopes_.pop_back();
        }
        const std::uint32_t counted = pick();
        if (!chance(6)) {
            return;
        }
        Scope scope;
        scope.begin = steps.size();
        if (chance(2)) {
            scope.by_host = graph.add_switch("switch");
            switches.push_back(scope.by_host);
            open_.push_back(std::unique_ptr<OnlyIf>(new OnlyIf(graph.only_if(scope.by_host))));
        } else if (!resources[counted].is_image && resources[counted].is_written) {
            scope.counted_by = counted;
            open_.push_back(
                std::unique_ptr<OnlyIf>(new OnlyIf(graph.only_if(graph.count_in(buffer(counted), 0, items)))));
        } else {
            return;
        }
        open_scopes_.push_back(static_cast<std::uint32_t>(scopes.size()));
        scopes.push_back(scope);
    }
    [[nodiscard]] bool is_counted() const {
        return std::any_of(open_scopes_.begin(), open_scopes_.end(),
                           [&](std::uint32_t scope) { return scopes[scope].counted_by.has_value(); });
    }

    void make_fill() {
        const std::uint32_t to = pick();
        if (resources[to].is_image || (!resources[to].is_written && !open_.empty())) {
            return;
        }
        const auto value = random_.uniform<std::uint32_t>(0, 3);
        graph.add_fill("fill", buffer(to), value);
        add({.kind = Step::Kind::fill, .uses = {{to, Way::write}}, .seed = value});
    }

    void make_copy() {
        const std::uint32_t from = pick(), to = pick();
        const bool has_image = resources[from].is_image || resources[to].is_image;
        if (from == to || !resources[from].is_written || (!resources[to].is_written && !open_.empty()) ||
            (resources[from].is_image && resources[to].is_image) || (has_image && is_counted())) {
            return;
        }
        if (has_image) {
            make_host_copy(from, to);
        } else {
            graph.add_copy("copy", buffer(from), buffer(to), items * 4);
        }
        add({.kind = Step::Kind::copy, .uses = {{from, Way::read}, {to, Way::write}}});
    }

    void make_host_copy(std::uint32_t from, std::uint32_t to) {
        const bool to_image = resources[to].is_image;
        const ImageId image{resources[to_image ? to : from].id};
        const BufferId words{resources[to_image ? from : to].id};
        graph.add_command_pass(
            {.name = "host copy",
             .uses = {{resources[from].id, Access::transfer_read}, {resources[to].id, Access::transfer_write}},
             .record = [=](VkCommandBuffer commands, const CommandPassContext& context) {
                 const BoundImage used = context.image(image);
                 const BufferView view = context.buffer(words);
                 VkBufferImageCopy region{};
                 region.bufferOffset = view.offset;
                 region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, used.range.mip, used.range.layer, 1};
                 region.imageExtent = {side, side, 1};
                 if (to_image) {
                     vk().vkCmdCopyBufferToImage(commands, view.buffer, used.image, used.layout, 1, &region);
                 } else {
                     vk().vkCmdCopyImageToBuffer(commands, used.image, used.layout, view.buffer, 1, &region);
                 }
             }});
    }

    void make_pass() {
        Step step;
        step.seed = random_.uniform<std::uint32_t>(0, 1000);
        step.is_whole = chance(2);
        Pass pass;
        pass.name = concat("pass ", steps.size());
        for (int uses = random_.uniform(1, 4); uses > 0; --uses) {
            const std::uint32_t index = pick();
            const Resource& resource = resources[index];
            if (std::any_of(step.uses.begin(), step.uses.end(),
                            [&](const Used& used) { return used.resource == index; })) {
                continue;
            }
            const int kind = resource.is_written ? random_.uniform(0, 3) : 2;
            if (!resource.is_written && (!open_.empty() || !step.is_whole)) {
                continue;
            }
            const Way way = kind == 0 && resource.is_image ? Way::sample
                            : kind == 0                    ? Way::uniform
                            : kind < 2                     ? Way::read
                            : kind == 2                    ? Way::write
                                                           : Way::read_write;
            step.uses.push_back({index, way, resource.is_image,
                                 own_set != nullptr && resource.is_import && way != Way::uniform && chance(2)});
            const Binding binding = way == Way::sample    ? sampled(ImageId{resource.id})
                                    : way == Way::uniform ? uniform(BufferId{resource.id})
                                    : way == Way::read    ? read(resource.id)
                                    : way == Way::write   ? write(resource.id)
                                                          : read_write(resource.id);
            if (step.uses.back().in_set) {
                pass.sets = {set};
                pass.uses.push_back({resource.id, binding.access});
                ++in_set;
            } else {
                pass.bindings.push_back(binding);
            }
        }
        const std::uint32_t counted = pick();
        const bool needs_all = std::any_of(step.uses.begin(), step.uses.end(),
                                           [&](const Used& used) { return !resources[used.resource].is_written; });
        pass.dispatch = Dispatch::elements(items, group_size);
        if (!needs_all && !resources[counted].is_image && resources[counted].is_written && chance(4)) {
            step.counted_by = counted;
            pass.dispatch = Dispatch::elements(graph.count_in(buffer(counted), 0, items), group_size);
            if (chance(3)) {
                pass.dispatch = Dispatch::indirect(write_arguments(graph, {pass.dispatch}));
            }
        }
        if (step.uses.empty()) {
            return;
        }
        pass.shader = ShaderSource::glsl(kernel(step.uses), "random.comp");
        pass.push = {step.seed, step.is_whole ? 1U : 0U};
        graph.add_pass(std::move(pass));
        add(std::move(step));
    }

    void add(Step step) {
        step.scopes = open_scopes_;
        for (const Used& used : step.uses) {
            resources[used.resource].is_written = resources[used.resource].is_written || writes(used.way);
        }
        steps.push_back(std::move(step));
    }

    std::vector<std::unique_ptr<OnlyIf>> open_;
    std::vector<std::uint32_t> open_scopes_;
};

/// Checks that the barriers of a list are those of the plan, which other tests check for hazards.
void expect_barriers_of_plan(const Plan& plan, const CommandList& list) {
    std::vector<const CommandList::Barrier*> barriers(plan.groups.size(), nullptr);
    std::vector<std::vector<std::uint32_t>> passes(plan.groups.size());
    for (const CommandList::Command& command : list.commands) {
        if (const auto* barrier = std::get_if<CommandList::Barrier>(&command.work)) {
            EXPECT_TRUE(barriers[command.group] == nullptr && passes[command.group].empty());
            EXPECT_TRUE(command.is_on);
            barriers[command.group] = barrier;
        } else {
            passes[command.group].push_back(command.pass);
        }
    }
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        const PlanGroup& group = plan.groups[g];
        const CommandList::Barrier none, &found = barriers[g] != nullptr ? *barriers[g] : none;
        EXPECT_EQ(passes[g], group.passes);
        ASSERT_EQ(found.memory.size(), group.barriers.size());
        for (std::size_t i = 0; i < found.memory.size(); ++i) {
            const VkMemoryBarrier2 &a = found.memory[i], &b = group.barriers[i];
            EXPECT_EQ(std::tie(a.srcStageMask, a.srcAccessMask, a.dstStageMask, a.dstAccessMask),
                      std::tie(b.srcStageMask, b.srcAccessMask, b.dstStageMask, b.dstAccessMask));
        }
        ASSERT_EQ(found.transitions.size(), group.image_barriers.size());
        for (std::size_t i = 0; i < found.transitions.size(); ++i) {
            const CommandList::ImageTransition& a = found.transitions[i];
            const ImageBarrier& b = group.image_barriers[i];
            EXPECT_EQ(std::tie(a.source, a.destination, a.old_layout, a.new_layout),
                      std::tie(b.source, b.destination, b.old_layout, b.new_layout));
        }
    }
}

/// Records the commands of programs instead of Weir.
class CommandReplay {
public:
    explicit CommandReplay(const Program& program) : program_(program) {
        const CommandList list = ok(program.commands());
        expect_barriers_of_plan(program.plan(), list);
        VkPhysicalDeviceMemoryProperties types{};
        ContextAccess::device(test_context())
            ->instance_functions()
            .vkGetPhysicalDeviceMemoryProperties(test_context().physical_device(), &types);
        replayer_ = std::make_unique<Replayer>(test_context().device(), vk(), types, list,
                                               [](VkResult status) { ASSERT_EQ(status, VK_SUCCESS); });
        recorder_.run([&](VkCommandBuffer commands) { replayer_->clear(commands); });
    }
    void submit() {
        CommandList list = ok(program_.commands());
        replayer_->set_values(list);
        recorder_.submit(recorder_.record([&](VkCommandBuffer commands) {
            replayer_->record(commands, [&](VkCommandBuffer, const CommandList::Command& command) {
                host_copy(commands, list, std::get<CommandList::CommandPassWork>(command.work));
            });
        }));
    }
    void wait() { recorder_.wait(); }
    [[nodiscard]] BufferView view(std::uint32_t resource) const { return replayer_->buffer(resource); }

private:
    /// The commands of RandomProgram::make_host_copy.
    void host_copy(VkCommandBuffer commands, const CommandList& list, const CommandList::CommandPassWork& work) {
        const bool to_image = list.resources[work.uses[1].resource].image.has_value();
        const auto &image = work.uses[to_image ? 1 : 0], &buffer = work.uses[to_image ? 0 : 1];
        const ImagePart part = list.resources[image.resource].part;
        VkBufferImageCopy region{};
        region.bufferOffset = view(buffer.resource).offset;
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, part.mip, part.layer, 1};
        region.imageExtent = {side, side, 1};
        if (to_image) {
            vk().vkCmdCopyBufferToImage(commands, view(buffer.resource).buffer, replayer_->image(image.resource),
                                        image.layout, 1, &region);
        } else {
            vk().vkCmdCopyImageToBuffer(commands, replayer_->image(image.resource), image.layout,
                                        view(buffer.resource).buffer, 1, &region);
        }
    }

    const Program& program_;
    std::unique_ptr<Replayer> replayer_;
    Recorder recorder_;
};

TEST(RandomPrograms, ResultsMatchInterpreter) {
    Random random;
    const auto modes = descriptor_modes(test_context().capabilities());
    std::size_t steps = 0, images = 0, uniforms = 0, off = 0, on_several = 0, in_set = 0, parts = 0, replayed = 0;
    const int graphs = long_tests() ? 1000 : 12;
    for (int i = 0; i < graphs && !HasFailure(); ++i) {
        SCOPED_TRACE(concat("graph ", i));
        const RandomProgram made(random, i % 2 == 0);
        const MemoryPool pool(test_context());
        const bool is_pooled = i % 7 == 3, is_replayed = i % 4 == 2;
        Program program = ok(compile(test_context(), made.graph,
                                     {.share_memory = i % 5 != 4,
                                      .pool = is_pooled ? std::optional(pool) : std::nullopt,
                                      .descriptors = modes[static_cast<std::size_t>(i) % modes.size()],
                                      .one_queue = is_pooled || i % 3 == 0 || is_replayed}));
        on_several += program.plan().batches.size() > 1 ? 1 : 0;
        std::vector<Contents> contents(made.resources.size(), Contents{});
        std::map<std::uint32_t, Buffer> buffers;
        for (std::uint32_t r = 0; r < made.resources.size(); ++r) {
            if (made.resources[r].is_import) {
                const Values input = random.vector(items);
                std::copy(input.begin(), input.end(), contents[r].begin());
                contents[r][0] %= 3;
                buffers[r] = ok(test_context().create_buffer(sizeof input[0] * items,
                                                             {.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT}));
                ok(test_context().upload(buffers[r], Values(contents[r].begin(), contents[r].end())));
                ok(program.bind(made.buffer(r), buffers[r]));
                if (made.own_set != nullptr) {
                    made.own_set->write(r, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers[r]);
                }
            }
            images += made.resources[r].is_image ? 1 : 0;
        }
        if (made.own_set != nullptr) {
            ok(program.bind(made.set, made.own_set->set()));
        }
        steps += made.steps.size();
        in_set += made.in_set;
        for (const Step& step : made.steps) {
            uniforms += static_cast<std::size_t>(std::count_if(
                step.uses.begin(), step.uses.end(), [](const Used& used) { return used.way == Way::uniform; }));
        }
        std::optional<CommandReplay> replay;
        if (is_replayed) {
            replay.emplace(program);
        }
        for (int run = 0; run < 3; ++run) {
            std::vector<bool> on;
            for (const Switch& one : made.switches) {
                on.push_back(random.uniform(0, 2) != 0);
                off += on.back() ? 0 : 1;
                ok(program.set(one, on.back()));
            }
            if (i % 4 == 1) { // the same results, whoever records
                parts += PartRecorder(program, i % 8 == 5).run(1U << static_cast<unsigned>(run));
            } else if (is_replayed) {
                replay->submit();
                ++replayed;
            } else {
                ok(program.submit());
            }
            made.interpret(contents, on);
            if (i % 2 == 0 && run < 2) {
                continue; // the next run is submitted while this one may be pending
            }
            ok(program.wait());
            if (is_replayed) {
                replay->wait();
            }
            for (std::uint32_t r = 0; r < made.resources.size(); ++r) {
                const auto& resource = made.resources[r];
                if (resource.is_import || resource.is_exported) {
                    const BufferId buffer{resource.id};
                    const BufferView view = is_replayed ? replay->view(buffer.index) : program.view(buffer);
                    const Values found = weir::tests::contents(view, items);
                    ASSERT_EQ(found, Values(contents[r].begin(), contents[r].end()))
                        << "resource " << r << " in run " << run << "\n"
                        << program.plan().text();
                }
            }
        }
    }
    // The graphs cover enough.
    EXPECT_GT(steps, static_cast<std::size_t>(graphs) * 5);
    EXPECT_GT(images, static_cast<std::size_t>(graphs) / 2);
    EXPECT_GT(uniforms, static_cast<std::size_t>(graphs));
    EXPECT_GT(off, static_cast<std::size_t>(graphs) / 5);
    EXPECT_GT(in_set, static_cast<std::size_t>(graphs) / 2);
    EXPECT_GT(parts, static_cast<std::size_t>(graphs));
    EXPECT_GT(replayed, static_cast<std::size_t>(graphs) / 2);
    EXPECT_GT(on_several, static_cast<std::size_t>(graphs) / 4);
}

} // namespace
} // namespace weir::tests::random_programs_test
