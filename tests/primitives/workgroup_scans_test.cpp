// Scans of one value per invocation, with every WorkgroupScan.

#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/monoid.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/kernel.hpp"

namespace weir::tests::workgroup_scans_test {
namespace {

/// A kernel as an application would write it: each workgroup scans its values, and then scans the results.
constexpr const char* kernel_text = R"(
layout(constant_id = 0) const uint WORKGROUP = 64;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint ALGORITHM = 0;
layout(constant_id = 3) const bool SHUFFLE_BARRIERS = false;
layout(local_size_x_id = 0) in;
#define WEIR_WORKGROUP WORKGROUP
#define WEIR_SUBGROUP SUBGROUP
#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#define WEIR_SCAN_ALGORITHM ALGORITHM
#include <weir/workgroup_scans.glsl>

layout(set = 0, binding = 0) readonly buffer In { uint in_words[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint out_words[]; };
layout(set = 0, binding = 2) writeonly buffer Totals { uint total_words[]; };

void main() {
    const uint first = (gl_WorkGroupID.x * WORKGROUP + weir_invocation()) * WEIR_T_WORDS;
    uint words[WEIR_T_WORDS];
    for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        words[w] = in_words[first + w];
    }
    WEIR_T value = weir_from_words(words);
    WEIR_T total;
    [[dont_unroll]] for (uint scan = 0; scan < 2; ++scan) {
        value = weir_workgroup_inclusive_scan(value, total);
        barrier();
    }
    weir_to_words(value, words);
    for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        out_words[first + w] = words[w];
    }
    weir_to_words(total, words);
    for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        total_words[first + w] = words[w];
    }
}
)";

constexpr std::uint32_t groups = 3;

struct Sum {
    using T = std::uint32_t;
    static std::string glsl() { return {}; }
    static std::vector<T> input(std::uint32_t n) { return random_words(n, n); }
    static T of(T left, T right) { return left + right; }
};

struct Brackets {
    using T = Bicyclic;
    static std::string glsl() { return monoid_glsl(bicyclic, {}); }
    static std::vector<T> input(std::uint32_t n) {
        std::vector<T> items;
        for (const std::uint32_t word : random_words(n, n)) {
            items.push_back({word % 3, word / 3 % 3});
        }
        return items;
    }
    static T of(T left, T right) { return combine(left, right); }
};

/// Expected outputs of the kernel for `items`.
template <class M>
struct Expected {
    Words scanned, totals;

    Expected(std::vector<typename M::T> items, std::uint32_t workgroup) {
        auto all = items;
        for (std::size_t first = 0; first < items.size(); first += workgroup) {
            for (int scan = 0; scan < 2; ++scan) {
                for (std::size_t i = first + 1; i < first + workgroup; ++i) {
                    items[i] = M::of(items[i - 1], items[i]);
                }
            }
            std::fill_n(&all[first], workgroup, items[first + workgroup - 1]);
        }
        scanned = words_of(items);
        totals = words_of(all);
    }
};

/// Returns the subgroup sizes that pipelines can have: unknown to the kernel, and each size that it can be specialized
/// for.
std::vector<SubgroupChoice> subgroup_choices() {
    const Capabilities& device = test_context().capabilities();
    std::vector<SubgroupChoice> choices{{0, 0, device.subgroup_size_max}};
    if (device.subgroup_size_min == device.subgroup_size_max) {
        choices.push_back({0, device.subgroup_size, device.subgroup_size});
    } else if (device.subgroup_size_selectable) {
        for (std::uint32_t size = device.subgroup_size_min; size <= device.subgroup_size_max; size *= 2) {
            choices.push_back({size, size, size});
        }
    }
    return choices;
}

/// Checks workgroups of every size with subgroups of every size. A short run checks one case in eight.
template <class M>
void check(WorkgroupScan scan) {
    const auto algorithm = static_cast<std::uint32_t>(scan);
    static const auto spirv = ok(compile_shader(ShaderSource::glsl(glsl_version() + M::glsl() + kernel_text)));
    const Capabilities& device = test_context().capabilities();
    std::uint32_t number = algorithm + sizeof(typename M::T);
    for (const SubgroupChoice& subgroup : subgroup_choices()) {
        const std::uint32_t most = weir::max_workgroup(device, subgroup);
        for (std::uint32_t workgroup = subgroup.least; workgroup <= most; workgroup *= 2) {
            if (!is_turn(number++, 8)) {
                continue;
            }
            SCOPED_TRACE(std::string("workgroups of ") + std::to_string(workgroup) + ", subgroups of " +
                         std::to_string(subgroup.known));
            const auto input = M::input(groups * workgroup);
            const Expected<M> expected(input, workgroup);
            const std::size_t words = expected.scanned.size();
            const Buffer in = buffer_of(input), out = poisoned_buffer(words), totals = poisoned_buffer(words);
            const BufferView views[] = {in, out, totals};
            run_kernel({.source = ShaderSource::spirv(spirv, "workgroup scan"),
                        .constants = {workgroup, subgroup.known, algorithm, device.shuffles_need_barriers() ? 1U : 0U},
                        .subgroup_size = subgroup.required,
                        .full_subgroups = true},
                       views, {groups, 1, 1});
            expect_equal(contents(out, words), expected.scanned, "scan");
            expect_equal(contents(totals, words), expected.totals, "totals");
        }
    }
}

class WorkgroupScans : public testing::TestWithParam<WorkgroupScan> {};
std::vector<WorkgroupScan> all_scans() {
    std::vector<WorkgroupScan> scans;
    for (std::uint32_t scan = 0; scan < workgroup_scans; ++scan) {
        scans.push_back(WorkgroupScan{scan});
    }
    return scans;
}
std::string name_of(const testing::TestParamInfo<WorkgroupScan>& info) {
    return to_string(info.param);
}
INSTANTIATE_TEST_SUITE_P(Scan, WorkgroupScans, testing::ValuesIn(all_scans()), name_of);

TEST_P(WorkgroupScans, Words) {
    check<Sum>(GetParam());
}

TEST_P(WorkgroupScans, NonCommutativeMonoid) {
    check<Brackets>(GetParam());
}

} // namespace
} // namespace weir::tests::workgroup_scans_test
