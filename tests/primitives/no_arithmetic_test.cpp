// A device that reports ballots and shuffles of subgroups, but no arithmetic. Weir replaces reductions and scans by
// shuffles.

#include <bit>
#include <limits>

#include "engine/device/device.hpp"
#include "engine/shader/compiled_shader.hpp"
#include "engine/spirv/subgroup_arithmetic.hpp"
#include "tests/primitives/other_device.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/replaced_functions.hpp"
#include "tests/support/turns.hpp"
#include "weir_shaders.hpp"

namespace weir::tests::no_arithmetic_test {
namespace {

const OnEveryDriver on_every_driver{"NoSubgroupArithmetic.*"};
const OnOneDriver on_one_driver{"NoSubgroupArithmetic.ScansCompactionsAndSorts"};

PFN_vkGetPhysicalDeviceProperties2 real_properties = nullptr;
PFN_vkCreateShaderModule real_create_module = nullptr;
int modules = 0, with_arithmetic = 0;

void VKAPI_CALL properties(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
    real_properties(device, out);
    for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) {
            reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(next)->subgroupSupportedOperations =
                VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
                VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
        }
    }
}

VkResult VKAPI_CALL create_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                  const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
    constexpr std::uint32_t capability = 2U << 16U | 17, arithmetic = 63;
    ++modules;
    for (std::size_t at = 5; at < info->codeSize / 4; at += info->pCode[at] >> 16U) {
        with_arithmetic += info->pCode[at] == capability && info->pCode[at + 1] == arithmetic ? 1 : 0;
    }
    return real_create_module(device, info, callbacks, module);
}

PFN_vkVoidFunction replaced(std::string_view name, PFN_vkVoidFunction real) {
    return name == "vkGetPhysicalDeviceProperties2" ? ReplacedFunctions::take(real, real_properties, properties)
           : name == "vkCreateShaderModule"         ? ReplacedFunctions::take(real, real_create_module, create_module)
                                                    : real;
}

TEST(NoSubgroupArithmetic, ScansCompactionsAndSorts) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions functions(adopted, replaced);
    const Context gpu = ok(Context::adopt(adopted));
    ASSERT_FALSE(gpu.capabilities().subgroup_arithmetic);
    ASSERT_TRUE(test_context().capabilities().subgroup_arithmetic);

    constexpr std::uint32_t n = 20011;
    OtherDevice other(gpu, n);
    Graph& graph = other.graph;
    other.expect_sums(scan(graph, other.in));
    other.expect_multiples_of_three(select_if(graph, other.in, "x % 3u == 0u"));
    other.expect("total", reduce(graph, other.in), {std::accumulate(other.input.begin(), other.input.end(), 0U)});
    const auto sorted = radix_sort(graph, other.in, {.want_indices = true});
    other.expect_sorted(sorted.keys, sorted.values);
    std::uint32_t most = 0;
    other.expect("exclusive maxima", scan(graph, other.in, {.kind = ScanKind::exclusive, .op = Operator::max}),
                 tabulated(n, [&](std::uint32_t i) { return std::exchange(most, std::max(most, other.input[i])); }));
    std::vector<std::uint64_t> pairs(n / 2);
    std::memcpy(pairs.data(), other.input.data(), pairs.size() * 8);
    const auto wide = other.input_of(pairs);
    std::partial_sum(pairs.begin(), pairs.end(), pairs.begin());
    other.expect("sums of 64 bits", scan(graph, wide), words_of(pairs));
    const auto heads = unique(graph, other.keys);
    Words runs = other.runs;
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
    other.expect("unique", heads.items, runs);
    other.expect("unique count", heads.count, {count_of(runs)});
    modules = with_arithmetic = 0;
    other.check();
    EXPECT_GT(modules, 0);
    EXPECT_EQ(with_arithmetic, 0);
}

// An application's shader with operations that no kernel of Weir uses, and with operations that Weir does not replace.
TEST(NoSubgroupArithmetic, ApplicationShaders) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions functions(adopted, replaced);
    const Context gpu = ok(Context::adopt(adopted));
    const std::uint32_t size = gpu.capabilities().subgroup_size;
    const auto compiled = [&](const std::string& statement, Graph& graph, Ref out, bool full_subgroups = true) {
        Pass pass{.name = "own",
                  .shader = ShaderSource::glsl("layout(local_size_x_id = 0) in;\n"
                                               "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                                               "#extension GL_KHR_shader_subgroup_clustered : require\n"
                                               "layout(binding = 0) buffer Out { uint o[]; };\n"
                                               "void main() { const uint lane = gl_SubgroupInvocationID;\n"
                                               "const float number = lane % 3 == 1 ? uintBitsToFloat(0x7FC00000u) : "
                                               "float(lane * 5 % 7);\n" +
                                               statement + " }"),
                  .bindings = {write(out)},
                  .constants = {size},
                  .dispatch = Dispatch::groups(1),
                  .subgroup_size = gpu.capabilities().subgroup_size_selectable ? size : 0,
                  .full_subgroups = full_subgroups};
        graph.add_pass(pass);
        graph.export_buffer(out);
        return compile(gpu, graph);
    };
    constexpr std::uint32_t rows = 12;
    Graph graph(gpu);
    const auto out = graph.transient_buffer<std::uint32_t>("out", rows * size);
    Program program = ok(compiled("o[lane] = uint(subgroupInclusiveMin(int(lane * 7 % 5) - 2) + 2);\n"
                                  "o[lane + gl_SubgroupSize] = uint(subgroupExclusiveMul(vec2(2, 1)).x);\n"
                                  "o[lane + 2 * gl_SubgroupSize] = subgroupXor(1u << lane % 3);\n"
                                  "o[lane + 3 * gl_SubgroupSize] = uint(subgroupMax(float(lane * 5 % 7)));\n"
                                  "o[lane + 4 * gl_SubgroupSize] = uint(subgroupExclusiveAnd(lane < 2));\n"
                                  "o[lane + 5 * gl_SubgroupSize] = subgroupExclusiveMin(uvec3(9 - lane % 4)).y;\n"
                                  "o[lane + 6 * gl_SubgroupSize] = uint(subgroupExclusiveMin(int(lane * 7 % 5) - 2));\n"
                                  "o[lane + 7 * gl_SubgroupSize] = uint(subgroupExclusiveMax(int(lane * 7 % 5) - 9));\n"
                                  "o[lane + 8 * gl_SubgroupSize] =\n"
                                  "    floatBitsToUint(subgroupExclusiveMax(float(lane * 5 % 7) - 9.0));\n"
                                  "o[lane + 9 * gl_SubgroupSize] = floatBitsToUint(subgroupMin(vec2(number)).y);\n"
                                  "o[lane + 10 * gl_SubgroupSize] = floatBitsToUint(subgroupInclusiveMax(number));\n"
                                  "o[lane + 11 * gl_SubgroupSize] = floatBitsToUint(subgroupExclusiveMin(number));",
                                  graph, out));
    ok(program.run());
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Words expected(rows * size);
    int least = 3, least_before = std::numeric_limits<int>::max(), most_before = std::numeric_limits<int>::min();
    float highest_before = -infinity, highest_number = -infinity, lowest_number = infinity; // NaNs are skipped
    std::uint32_t bits = 0, most = 0, smallest = ~0U;
    float power = 1;
    for (std::uint32_t i = 0; i < size; ++i) {
        least = std::min(least, static_cast<int>(i * 7 % 5) - 2);
        expected[i] = static_cast<std::uint32_t>(least + 2);
        expected[i + size] = static_cast<std::uint32_t>(power);
        power *= 2;
        bits ^= 1U << i % 3;
        most = std::max(most, i * 5 % 7);
        expected[i + 4 * size] = i < 3 ? 1 : 0;
        expected[i + 5 * size] = smallest;
        smallest = std::min(smallest, 9 - i % 4);
        expected[i + 6 * size] = static_cast<std::uint32_t>(least_before);
        least_before = least;
        expected[i + 7 * size] = static_cast<std::uint32_t>(most_before);
        most_before = std::max(most_before, static_cast<int>(i * 7 % 5) - 9);
        expected[i + 8 * size] = std::bit_cast<std::uint32_t>(highest_before);
        highest_before = std::max(highest_before, static_cast<float>(i * 5 % 7) - 9);
        expected[i + 11 * size] = std::bit_cast<std::uint32_t>(lowest_number);
        if (i % 3 != 1) {
            highest_number = std::max(highest_number, static_cast<float>(i * 5 % 7));
            lowest_number = std::min(lowest_number, static_cast<float>(i * 5 % 7));
        }
        expected[i + 10 * size] = std::bit_cast<std::uint32_t>(highest_number);
    }
    std::fill_n(expected.begin() + 9 * size, size, std::bit_cast<std::uint32_t>(lowest_number));
    std::fill_n(expected.begin() + 2 * size, size, bits);
    std::fill_n(expected.begin() + 3 * size, size, most);
    expect_equal(ok(gpu.download<std::uint32_t>(program.view(out), rows * size)), expected, "operations");

    Graph clustered(gpu);
    const auto failed = compiled("o[lane] = subgroupClusteredAdd(lane, 2);", clustered,
                                 clustered.transient_buffer<std::uint32_t>("out", size));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::unsupported);
    EXPECT_THAT(failed.error().message, HasSubstr("clustered subgroup operation"));

    Graph any(gpu);
    const auto refused =
        compiled("o[lane] = subgroupAdd(lane);", any, any.transient_buffer<std::uint32_t>("out", size), false);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_THAT(refused.error().message, HasSubstr("only if Pass::full_subgroups is set"));
    Graph without(gpu);
    EXPECT_TRUE(compiled("o[lane] = lane;", without, without.transient_buffer<std::uint32_t>("out", size), false));
}

std::ptrdiff_t instructions_in(std::span<const std::uint32_t> words, std::initializer_list<std::uint32_t> instruction) {
    std::ptrdiff_t found = 0;
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16U) {
        // Compares the opcode, and of decorations also the last word.
        const std::uint32_t op = words[at] & 0xFFFFU, last = words[at + (words[at] >> 16U) - 1];
        found += std::ranges::find(instruction, op == 71 ? op << 16U | last : op) != instruction.end() ? 1 : 0;
    }
    return found;
}

TEST(NoSubgroupArithmetic, FloatSumsAreNotContracted) {
    const auto shader = ok(ContextAccess::device(test_context())
                               ->shader(ShaderSource::glsl(
                                   "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                                   "layout(local_size_x = 32) in;\n"
                                   "layout(binding = 0) buffer Data { vec2 x[]; };\n"
                                   "void main() { x[gl_LocalInvocationID.x] = subgroupAdd(x[gl_LocalInvocationID.x]) + "
                                   "subgroupExclusiveMul(x[0].y); }")));
    const auto before = shader->words();
    const auto after = ok(without_subgroup_arithmetic(before, 32, false));
    constexpr std::uint32_t op_f_add = 129, op_f_mul = 133, no_contraction = 71U << 16U | 42;
    const auto added = instructions_in(after, {op_f_add, op_f_mul}) - instructions_in(before, {op_f_add, op_f_mul});
    EXPECT_EQ(added, 10);
    EXPECT_EQ(instructions_in(after, {no_contraction}) - instructions_in(before, {no_contraction}), added);
}

TEST(NoSubgroupArithmetic, RejectsExclusiveScansOfNarrowNumbers) {
    const auto without = [](const std::string& expression) {
        const auto shader =
            ok(ContextAccess::device(test_context())
                   ->shader(ShaderSource::glsl("#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                                               "#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require\n"
                                               "#extension GL_EXT_shader_subgroup_extended_types_int16 : require\n"
                                               "layout(local_size_x = 32) in;\n"
                                               "layout(binding = 0) buffer Data { uint x[]; };\n"
                                               "void main() { const uint i = gl_LocalInvocationID.x; x[i] = uint(" +
                                               expression + "); }")));
        EXPECT_TRUE(has_subgroup_arithmetic(shader->words()));
        return without_subgroup_arithmetic(shader->words(), 32, false);
    };
    for (const char* refused : {"subgroupExclusiveAdd(uint16_t(x[i]))", "subgroupExclusiveMax(u16vec2(x[i])).y"}) {
        const auto after = without(refused);
        ASSERT_FALSE(after) << refused;
        EXPECT_EQ(after.error().code, ErrorCode::unsupported);
        EXPECT_THAT(after.error().message, HasSubstr("an exclusive subgroup scan of 8-bit or 16-bit numbers"));
    }
    for (const char* other : {"subgroupInclusiveAdd(uint16_t(x[i]))", "subgroupAdd(u16vec2(x[i])).y",
                              "subgroupExclusiveAdd(uvec2(x[i])).y"}) {
        const auto after = without(other);
        ASSERT_TRUE(after) << other;
        EXPECT_FALSE(has_subgroup_arithmetic(*after)) << other;
    }
}

// CPU drivers need no barriers before shuffles, so no other test generates them.
TEST(NoSubgroupArithmetic, BarriersBeforeShuffles) {
    const std::shared_ptr<Device>& device = ContextAccess::device(test_context());
    const auto shader = ok(device->shader(ShaderSource::packed(shaders::scan_u32, "scan")));
    ASSERT_TRUE(has_subgroup_arithmetic(shader->words()));
    const auto after = ok(without_subgroup_arithmetic(shader->words(), 32, true));
    EXPECT_FALSE(has_subgroup_arithmetic(after));

    constexpr std::uint32_t op_control_barrier = 224, op_shuffle = 345;
    struct Shuffles {
        int all = 0, after_barriers = 0;
    };
    const auto shuffles = [](std::span<const std::uint32_t> words) {
        Shuffles found;
        std::uint32_t last = 0;
        for (std::size_t at = 5; at < words.size(); at += words[at] >> 16U) {
            const std::uint32_t op = words[at] & 0xFFFFU;
            found.all += op == op_shuffle ? 1 : 0;
            found.after_barriers += op == op_shuffle && last == op_control_barrier ? 1 : 0;
            last = op;
        }
        return found;
    };
    const Shuffles own = shuffles(shader->words()), all = shuffles(after);
    EXPECT_GE(all.all - own.all, 5);
    EXPECT_EQ(all.after_barriers - own.after_barriers, all.all - own.all);

    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = after.size() * 4;
    info.pCode = after.data();
    VkShaderModule module = VK_NULL_HANDLE; // checked by the validation layer
    ASSERT_EQ(device->vk().vkCreateShaderModule(device->handle(), &info, nullptr, &module), VK_SUCCESS);
    device->vk().vkDestroyShaderModule(device->handle(), module, nullptr);
}

} // namespace
} // namespace weir::tests::no_arithmetic_test
