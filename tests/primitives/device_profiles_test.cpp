// Devices that are created as other applications do, without some or all of the features that Weir can use.

#include "tests/primitives/instrument.hpp"
#include "tests/primitives/other_device.hpp"
#include "tests/support/device_profile.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::device_profiles_test {
namespace {

const OnEveryDriver on_every_driver{"*DeviceProfiles.*"};
const Sweeps sweeps{"*DeviceProfiles.Sorts/*"};

class DeviceProfiles : public testing::TestWithParam<DeviceProfile> {
protected:
    const ProfiledHost host_{GetParam()};
    const Context gpu_ = ok(Context::adopt(host_.adopted()));
    const std::uint32_t number_ =
        static_cast<std::uint32_t>(std::ranges::find(device_profiles, std::string(GetParam().name),
                                                     [](const DeviceProfile& one) { return std::string(one.name); }) -
                                   device_profiles);
};

TEST_P(DeviceProfiles, CapabilitiesMatchProfile) {
    const DeviceProfile& profile = GetParam();
    const Capabilities& can = gpu_.capabilities();
    EXPECT_EQ(can.synchronization2, profile.synchronization2);
    EXPECT_EQ(can.maintenance4, profile.maintenance4);
    EXPECT_EQ(can.full_subgroups, profile.full_subgroups);
    EXPECT_EQ(can.memory_model, profile.memory_model);
    EXPECT_EQ(can.memory_model_device_scope, profile.device_scope);
    EXPECT_FALSE(can.subgroup_size_selectable);
    EXPECT_EQ(can.subgroup_size_max, can.subgroup_size * (profile.sizes_vary ? 2 : 1));
    EXPECT_EQ(can.api_version, profile.api_version);
}

TEST_P(DeviceProfiles, Primitives) {
    constexpr std::uint32_t n = 5003, length = 100;
    OtherDevice other(gpu_, n);
    Graph& graph = other.graph;
    other.expect_sums(scan(graph, other.in, {.tuning = {.chunks = 1}}));
    other.expect_multiples_of_three(select_if(graph, other.in, "x % 3u == 0u"));
    other.expect("total", reduce(graph, other.in), {std::accumulate(other.input.begin(), other.input.end(), 0U)});
    const auto encoded = run_length_encode(graph, other.keys);
    Words values = other.runs;
    values.erase(std::unique(values.begin(), values.end()), values.end());
    Words lengths(values.size(), 7);
    lengths.back() = n % 7 != 0 ? n % 7 : 7;
    other.expect("runs", encoded.count, {count_of(values)});
    other.expect("values of runs", encoded.values, values);
    other.expect("lengths of runs", encoded.lengths, lengths);
    // The segmented sort exchanges data through buffers. It takes the longest to compile; therefore a short run on a
    // driver has it in one of four profiles.
    if (is_turn(number_, 4)) {
        Words sorted = other.input;
        for (std::uint32_t begin = 0; begin < n; begin += length) {
            std::sort(sorted.begin() + begin, sorted.begin() + std::min(begin + length, n));
        }
        other.expect("sorted segments", segmented_sort(graph, other.in, Segments::of_length(length)).keys, sorted);
    }
    other.check(2);
}

TEST_P(DeviceProfiles, Sorts) {
    OtherDevice other(gpu_, 5003);
    const auto sorted = radix_sort(other.graph, other.in,
                                   {.want_indices = true, .tuning = {.workgroup = 64, .keys_per_invocation = 4}});
    other.expect_sorted(sorted.keys, sorted.values);
    other.check();
}

// Flagged states: a workgroup stores its value before the flag that other workgroups poll.
TEST_P(DeviceProfiles, FlaggedTileStates) {
    if (gpu_.capabilities().ordered_atomics_are_barriers) {
        GTEST_SKIP() << "flagged tile states are not available";
    }
    if (GetParam().memory_model != (number_ == 3) || !is_turn(number_, 2)) {
        GTEST_SKIP() << "it is the turn of another profile or driver";
    }
    OtherDevice other(gpu_, 5003);
    const auto scope =
        weir::testing::instrument(other.graph, {.scan_variant = studies::scan_variant({.flagged_states = true})});
    other.expect_sums(scan(other.graph, other.in, {.tuning = {.workgroup = 64, .chunks = 1}}));
    other.check();
}

// Barriers for buffers and images, semaphores between queues, timestamps, and memory that images and buffers share.
TEST_P(DeviceProfiles, Graphs) {
    Graph graph(gpu_);
    const auto pixels = graph.transient_buffer<std::uint32_t>("pixels", 16);
    const auto once = graph.transient_buffer<std::uint32_t>("once", 16);
    const auto twice = graph.transient_buffer<std::uint32_t>("twice", 16);
    const ImageId image = graph.transient_image("image", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {4, 4, 1}});
    graph.add_clear("clear", image, {.color = {{1, 0, 0.2F, 1}}});
    graph.add_copy("read", image, pixels);
    const auto halve = [&](const Ref& from, const Ref& to) {
        Pass pass;
        pass.name = "halve";
        pass.shader = ShaderSource::glsl(R"(#version 460
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint halves[]; };
void main() {
    if (gl_LocalInvocationIndex < 16) {
        halves[gl_LocalInvocationIndex] = values[gl_LocalInvocationIndex] / 2 + gl_WorkGroupSize.x;
    }
})",
                                         "halve");
        pass.constants = {64};
        pass.bindings = {read(from), write(to)};
        pass.dispatch = Dispatch::groups(1);
        graph.add_pass(pass);
    };
    halve(pixels, once);
    {
        const auto scope = graph.on_queue(QueueKind::compute);
        halve(once, twice);
    }
    graph.export_buffer(twice);
    Program program = ok(compile(gpu_, graph));
    for (int run = 0; run < 2; ++run) {
        ok(program.run());
        EXPECT_THAT(ok(gpu_.download<std::uint32_t>(program.view(twice), 16)),
                    testing::Each((0xFF3300FFU / 2 + 64) / 2 + 64));
    }
    if (gpu_.capabilities().timestamp_bits != 0) {
        const Profile profile = ok(program.profile());
        EXPECT_EQ(profile.passes.size(), 4U);
        EXPECT_GT(profile.total_us(), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceProfiles, testing::ValuesIn(device_profiles),
                         [](const testing::TestParamInfo<DeviceProfile>& info) {
                             std::string name = info.param.name;
                             std::erase_if(name, [](char c) { return c == ' ' || c == ','; });
                             return name;
                         });

} // namespace
} // namespace weir::tests::device_profiles_test
