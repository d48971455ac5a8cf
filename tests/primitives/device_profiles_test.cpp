// Devices that are created as other applications do, without some or all of the features that Weir can use.

#include <algorithm>
#include <numeric>
#include <string>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"
#include "tests/support/device_profile.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::device_profiles_test {
namespace {

using Words = std::vector<std::uint32_t>;
using WordsRef = BufferRef<std::uint32_t>;

const OnEveryDriver on_every_driver{"*DeviceProfiles.*"};
const Sweeps sweeps{"*DeviceProfiles.Sorts/*"};

class DeviceProfiles : public testing::TestWithParam<DeviceProfile> {
protected:
    Words words_of_program(const Program& program, BufferId buffer, std::size_t count) const {
        return ok(gpu_.download<std::uint32_t>(program.view(buffer), count));
    }

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
    const Words input = random_words(n, 1);
    Words runs(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        runs[i] = i / 7 * 3;
    }
    Graph graph(gpu_);
    const WordsRef in = graph.import_buffer<std::uint32_t>("in", n);
    const WordsRef keys = graph.import_buffer<std::uint32_t>("keys", n);
    const WordsRef sums = scan(graph, in, {.tuning = {.chunks = 1}});
    const auto kept = select_if(graph, in, "x % 3u == 0u");
    const WordsRef total = reduce(graph, in);
    const auto encoded = run_length_encode(graph, keys);
    for (const WordsRef& buffer :
         {sums, kept.items, kept.count, total, encoded.values, encoded.lengths, encoded.count}) {
        graph.export_buffer(buffer);
    }
    // The segmented sort exchanges data through buffers. It takes the longest to compile; therefore a short run on a
    // driver has it in one of four profiles.
    const bool sorts = is_turn(number_, 4);
    const WordsRef sorted = sorts ? segmented_sort(graph, in, Segments::of_length(length)).keys : WordsRef{};
    if (sorts) {
        graph.export_buffer(sorted);
    }
    Program program = ok(compile(gpu_, graph));
    const Buffer in_buffer = ok(gpu_.create_buffer(n * 4)), key_buffer = ok(gpu_.create_buffer(n * 4));
    ok(gpu_.upload(in_buffer, input));
    ok(gpu_.upload(key_buffer, runs));
    ok(program.bind(in, in_buffer));
    ok(program.bind(keys, key_buffer));
    for (int run = 0; run < 2; ++run) { // the second run has the next epoch
        ok(program.run());
    }
    Words expected(n);
    std::partial_sum(input.begin(), input.end(), expected.begin());
    expect_equal(words_of_program(program, sums, n), expected, "sums");
    expect_equal(words_of_program(program, total, 1), {expected.back()}, "total");
    expected.clear();
    std::copy_if(input.begin(), input.end(), std::back_inserter(expected), [](auto x) { return x % 3 == 0; });
    expect_equal(words_of_program(program, kept.count, 1), {static_cast<std::uint32_t>(expected.size())}, "kept count");
    expect_equal(words_of_program(program, kept.items, expected.size()), expected, "kept");
    Words values = runs;
    values.erase(std::unique(values.begin(), values.end()), values.end());
    expect_equal(words_of_program(program, encoded.count, 1), {static_cast<std::uint32_t>(values.size())}, "runs");
    expect_equal(words_of_program(program, encoded.values, values.size()), values, "values of runs");
    Words lengths(values.size(), 7);
    lengths.back() = n % 7 != 0 ? n % 7 : 7;
    expect_equal(words_of_program(program, encoded.lengths, values.size()), lengths, "lengths of runs");
    if (sorts) {
        expected = input;
        for (std::uint32_t begin = 0; begin < n; begin += length) {
            std::sort(expected.begin() + begin, expected.begin() + std::min(begin + length, n));
        }
        expect_equal(words_of_program(program, sorted, n), expected, "sorted segments");
    }
}

TEST_P(DeviceProfiles, Sorts) {
    const std::uint32_t n = 5003;
    Words input = random_words(n, 2);
    Graph graph(gpu_);
    const WordsRef in = graph.import_buffer<std::uint32_t>("in", n);
    const auto sorted =
        radix_sort(graph, in, {.want_indices = true, .tuning = {.workgroup = 64, .keys_per_invocation = 4}});
    graph.export_buffer(sorted.keys);
    graph.export_buffer(sorted.values);
    Program program = ok(compile(gpu_, graph));
    const Buffer in_buffer = ok(gpu_.create_buffer(n * 4));
    ok(gpu_.upload(in_buffer, input));
    ok(program.bind(in, in_buffer));
    ok(program.run());
    Words order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return input[a] < input[b]; });
    expect_equal(words_of_program(program, sorted.values, n), order, "sorted indices");
    std::sort(input.begin(), input.end());
    expect_equal(words_of_program(program, sorted.keys, n), input, "sorted keys");
}

// Flagged states: a workgroup stores its value before the flag that other workgroups poll.
TEST_P(DeviceProfiles, FlaggedTileStates) {
    if (gpu_.capabilities().ordered_atomics_are_barriers) {
        GTEST_SKIP() << "flagged tile states are not available";
    }
    if (GetParam().memory_model != (number_ == 3) || !is_turn(number_, 2)) {
        GTEST_SKIP() << "it is the turn of another profile or driver";
    }
    constexpr std::uint32_t n = 5003;
    const Words input = random_words(n, 3);
    Graph graph(gpu_);
    const WordsRef in = graph.import_buffer<std::uint32_t>("in", n);
    const auto scope = weir::testing::instrument(graph, {.tile_states = TileStates::flagged});
    const WordsRef sums = scan(graph, in, {.tuning = {.workgroup = 64, .chunks = 1}});
    graph.export_buffer(sums);
    Program program = ok(compile(gpu_, graph));
    const Buffer in_buffer = ok(gpu_.create_buffer(n * 4));
    ok(gpu_.upload(in_buffer, input));
    ok(program.bind(in, in_buffer));
    ok(program.run());
    Words expected(n);
    std::partial_sum(input.begin(), input.end(), expected.begin());
    expect_equal(words_of_program(program, sums, n), expected, "sums");
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
    const auto halve = [&](const WordsRef& from, const WordsRef& to) {
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
        EXPECT_THAT(words_of_program(program, twice, 16), testing::Each((0xFF3300FFU / 2 + 64) / 2 + 64));
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
