// Radix ranks and radix sorts of a workgroup in custom kernels.

#include <limits>

#include "tests/primitives/layers.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::layers_sort_test {
namespace {

const Sweeps sweeps{"Layers.SortsTiles"};

// Ranks digits of two sizes in one shader. Ranks are distinct, and equal digits have ranks in the order of their
// places.
TEST(Layers, RanksDigits) {
    const std::string kernel = R"(
#include <weir/weir_radix_sort.glsl>
WEIR_RADIX_RANK(narrow, 5, 1)
WEIR_RADIX_RANK(wide, 2, 6)
layout(binding = 0) readonly buffer In { uint from[]; };
layout(binding = 1) writeonly buffer Out { uint to[]; };
void main() {
    uint digits[5], ranks[5], wide_digits[2], wide_ranks[2];
    for (uint i = 0; i < 5; ++i) {
        digits[i] = from[weir_subgroup_striped(i, 5)] & 1;
    }
    for (uint i = 0; i < 2; ++i) {
        wide_digits[i] = from[weir_subgroup_striped(i, 2)] >> 8 & 0x3F;
    }
    narrow_rank(digits, ranks);
    wide_rank(wide_digits, wide_ranks);
    for (uint i = 0; i < 5; ++i) {
        to[weir_subgroup_striped(i, 5)] = ranks[i];
    }
    for (uint i = 0; i < 2; ++i) {
        to[5 * gl_WorkGroupSize.x + weir_subgroup_striped(i, 2)] = wide_ranks[i];
    }
}
)";
    for (const LayerShape& shape : layer_shapes(0, 6, 256)) {
        const Words input = random_words(5 * std::size_t{shape.workgroup}, shape.workgroup);
        Words expected;
        const auto add_ranks = [&](std::uint32_t count, std::uint32_t shift, std::uint32_t mask) {
            const auto digit = [&](std::uint32_t i) { return input[i] >> shift & mask; };
            Words ranks(count);
            const Words order =
                stable_order(count, [&](std::uint32_t a, std::uint32_t b) { return digit(a) < digit(b); });
            for (std::uint32_t i = 0; i < count; ++i) {
                ranks[order[i]] = i;
            }
            expected.insert(expected.end(), ranks.begin(), ranks.end());
        };
        add_ranks(5 * shape.workgroup, 0, 1);
        add_ranks(2 * shape.workgroup, 8, 0x3F);
        check_layers(kernel, shape, 1, {input}, {expected});
    }
}

// Sorts floats by all bits, and structs stably by some bits of a key. The last tile of floats is not full.
TEST(Layers, SortsTiles) {
    const std::string kernel = R"(
#include <weir/weir_radix_sort.glsl>
layout(constant_id = 1) const uint COUNT = 0;
struct Item { uint number; vec2 rest; };
WEIR_RADIX_SORT(floats, 3, 4)
WEIR_RADIX_SORT_PAIRS(items, 2, 5, Item)
layout(binding = 0) readonly buffer In { uint from[]; };
layout(binding = 1) writeonly buffer Floats { float sorted[]; };
layout(binding = 2) writeonly buffer Items { uvec2 sorted_items[]; };
void main() {
    const uint first = gl_WorkGroupID.x * 3 * gl_WorkGroupSize.x;
    uint keys[3], few[2];
    Item values[2];
    for (uint i = 0; i < 3; ++i) {
        const uint place = first + weir_subgroup_striped(i, 3);
        keys[i] = ~0u;
        if (place < COUNT) {
            keys[i] = weir_key(uintBitsToFloat(from[place]));
        }
    }
    floats_sort(keys, 0, 32);
    for (uint i = 0; i < 3; ++i) {
        const uint place = first + weir_subgroup_striped(i, 3);
        if (place < COUNT) {
            sorted[place] = weir_float_of_key(keys[i]);
        }
    }
    for (uint i = 0; i < 2; ++i) {
        const uint place = weir_subgroup_striped(i, 2);
        few[i] = weir_key(int(from[place]));
        values[i] = Item(place, vec2(from[place] & 0xFF, 1));
    }
    items_sort(few, values, 20, 29);
    if (gl_WorkGroupID.x == 0) {
        for (uint i = 0; i < 2; ++i) {
            sorted_items[weir_subgroup_striped(i, 2)] = uvec2(weir_int_of_key(few[i]), values[i].number + uint(values[i].rest.x));
        }
    }
}
)";
    constexpr std::uint32_t groups = 2;
    for (const LayerShape& shape : layer_shapes(1, 6, 256)) {
        const std::uint32_t tile = 3 * shape.workgroup, count = groups * tile - 5;
        Words input = random_words(count, count);
        for (std::uint32_t i = 0; i < count; ++i) { // numbers of both signs
            const float number = static_cast<float>(static_cast<std::int32_t>(input[i])) / 1000.0F;
            std::memcpy(&input[i], &number, 4);
        }
        input[0] = 0x80000000U; // minus zero comes before zero
        input[1] = 0;
        input[2] = 0x7F800000U;
        input[3] = 0xFF800000U;
        const auto key_of_float = [](std::uint32_t bits) { return bits >> 31U != 0 ? ~bits : bits | 0x80000000U; };
        Words floats = input;
        for (std::uint32_t first = 0; first < count; first += tile) {
            std::sort(floats.begin() + first, floats.begin() + std::min(first + tile, count),
                      [&](std::uint32_t a, std::uint32_t b) { return key_of_float(a) < key_of_float(b); });
        }
        const Words order = stable_order(2 * shape.workgroup, [&](std::uint32_t a, std::uint32_t b) {
            return (input[a] >> 20U & 0x1FFU) < (input[b] >> 20U & 0x1FFU); // the last digit has fewer bits than others
        });
        Words items;
        for (const std::uint32_t place : order) {
            items.insert(items.end(), {input[place], place + (input[place] & 0xFFU)});
        }
        check_layers(kernel, shape, groups, {input}, {floats, items}, {count});
    }
}

} // namespace
} // namespace weir::tests::layers_sort_test
