// Workgroup operations on a tile of items in custom kernels: exchanges, compactions, runs, histograms and merges.

#include "tests/primitives/layers.hpp"

namespace weir::tests::layers_tile_test {
namespace {

TEST(Layers, ExchangesItems) {
    const std::string kernel = R"(
#include <weir/weir_exchange.glsl>
layout(constant_id = 1) const uint WAY = 0;
struct Item { uint number; vec2 rest; };
WEIR_EXCHANGE(words, uint, 5)
WEIR_EXCHANGE(structs, Item, 2)
layout(binding = 0) readonly buffer In { uint from[]; };
layout(binding = 1) readonly buffer Places { uint places[]; };
layout(binding = 2) writeonly buffer Out { uint to[]; };
uint place_of(uint arrangement, uint i, uint items) {
    return arrangement == 0 ? weir_blocked(i, items) : arrangement == 1 ? weir_striped(i, items) : weir_subgroup_striped(i, items);
}
void main() {
    const uint before = WAY == 1 ? 1 : WAY == 3 ? 2 : 0, after = WAY < 4 ? (before == 0 ? 1 + WAY / 2 : 0) : WAY - 4;
    uint items[5], targets[5];
    for (uint i = 0; i < 5; ++i) {
        items[i] = from[place_of(before, i, 5)];
        targets[i] = places[place_of(before, i, 5)];
    }
    Item pair[2];
    for (uint i = 0; i < 2; ++i) {
        const uint item = from[place_of(before, i, 2)];
        pair[i] = Item(item, vec2(item & 0xFF, 1));
    }
    switch (WAY) {
    case 0: words_blocked_to_striped(items); structs_blocked_to_striped(pair); break;
    case 1: words_striped_to_blocked(items); structs_striped_to_blocked(pair); break;
    case 2: words_blocked_to_subgroup_striped(items); structs_blocked_to_subgroup_striped(pair); break;
    case 3: words_subgroup_striped_to_blocked(items); structs_subgroup_striped_to_blocked(pair); break;
    case 4: words_scatter_to_blocked(items, targets); break;
    case 5: words_scatter_to_striped(items, targets); break;
    case 6: words_scatter_to_subgroup_striped(items, targets); break;
    }
    const uint tile = 5 * gl_WorkGroupSize.x;
    for (uint i = 0; i < 5; ++i) {
        to[place_of(after, i, 5)] = items[i];
    }
    for (uint i = 0; i < 2 && WAY < 4; ++i) {
        to[tile + place_of(after, i, 2)] = pair[i].number + uint(pair[i].rest.x) + uint(pair[i].rest.y);
    }
}
)";
    for (const LayerShape& shape : layer_shapes(0, 6)) {
        const std::uint32_t tile = 5 * shape.workgroup;
        const Words input = random_words(tile, tile);
        Words places = ascending(tile);
        std::shuffle(places.begin(), places.end(), Random(tile).engine());
        Words same = input, scattered(tile);
        for (std::uint32_t i = 0; i < 2 * shape.workgroup; ++i) {
            same.push_back(input[i] + (input[i] & 0xFFU) + 1);
        }
        for (std::uint32_t i = 0; i < tile; ++i) {
            scattered[places[i]] = input[i];
        }
        for (std::uint32_t way = 0; way < 7; ++way) {
            if (!is_turn(way + shape.workgroup, 2)) {
                continue;
            }
            SCOPED_TRACE("way " + std::to_string(way));
            check_layers(kernel, shape, 1, {input, places}, {way < 4 ? same : scattered}, {way});
        }
    }
}

// Compacts structs and encodes runs of words in one shader. One tile keeps all items, and one keeps none.
TEST(Layers, CompactsItemsAndRuns) {
    const std::string kernel = R"(
#include <weir/weir_compact.glsl>
struct Item { uint number; uint place; };
bool same(uint a, uint b) { return a == b; }
WEIR_COMPACT(few, Item, 3)
WEIR_RUNS(equal, uint, 3, same)
layout(binding = 0) readonly buffer In { uint from[]; };
layout(binding = 1) writeonly buffer Items { Item kept_items[]; };
layout(binding = 2) writeonly buffer Runs { uvec2 runs[]; };
layout(binding = 3) writeonly buffer Counts { uvec2 counts[]; };
void main() {
    const uint tile = 3 * gl_WorkGroupSize.x, first = gl_WorkGroupID.x * tile;
    Item items[3];
    bool kept[3];
    uint words[3], lengths[3];
    for (uint i = 0; i < 3; ++i) {
        const uint place = first + weir_blocked(i, 3);
        words[i] = from[place] & 0xF;
        items[i] = Item(from[place], place);
        kept[i] = words[i] < 5;
    }
    const uint count = few_compact(items, kept);
    const uint run_count = equal_runs(words, lengths, tile - gl_WorkGroupID.x);
    for (uint i = 0; i < 3; ++i) {
        if (weir_striped(i, 3) < count) {
            kept_items[first + weir_striped(i, 3)] = items[i];
        }
        if (weir_striped(i, 3) < run_count) {
            runs[first + weir_striped(i, 3)] = uvec2(words[i], lengths[i]);
        }
    }
    counts[gl_WorkGroupID.x] = uvec2(count, run_count);
}
)";
    constexpr std::uint32_t groups = 4;
    for (const LayerShape& shape : layer_shapes(2, 6)) {
        const std::uint32_t tile = 3 * shape.workgroup, n = groups * tile;
        Words input = random_words(n, n);
        for (std::uint32_t i = 1; i < n; ++i) { // makes runs
            input[i] = input[i] % 3 != 0 && i % tile != 0 ? input[i - 1] : input[i];
        }
        std::fill_n(&input[2 * std::size_t{tile}], tile, 4);
        std::fill_n(&input[3 * std::size_t{tile}], tile, 5);
        Words items = poisoned(2 * std::size_t{n}), runs = poisoned(2 * std::size_t{n}), counts;
        for (std::uint32_t group = 0; group < groups; ++group) {
            const std::uint32_t first = group * tile;
            std::uint32_t kept = 0, run = 0;
            for (std::uint32_t i = first; i < first + tile; ++i) {
                if ((input[i] & 0xFU) < 5) {
                    items[2 * (first + kept)] = input[i];
                    items[2 * (first + kept++) + 1] = i;
                }
                if (i >= first + tile - group) {
                    continue;
                }
                if (i == first || (input[i] & 0xFU) != (input[i - 1] & 0xFU)) {
                    runs[2 * (first + run)] = input[i] & 0xFU;
                    runs[2 * (first + run++) + 1] = 0;
                }
                ++runs[2 * (first + run - 1) + 1];
            }
            counts.insert(counts.end(), {kept, run});
        }
        check_layers(kernel, shape, groups, {input}, {items, runs, counts});
    }
}

TEST(Layers, CountsBins) {
    const std::string kernel = R"(
#include <weir/weir_histogram.glsl>
WEIR_HISTOGRAM(low, 37, 4)
WEIR_HISTOGRAM(high, 300, 1)
layout(binding = 0) readonly buffer In { uint from[]; };
layout(binding = 1) writeonly buffer Out { uint counts[]; };
void main() {
    low_clear();
    high_clear();
    barrier();
    for (uint i = 0; i < 7; ++i) {
        const uint word = from[i * gl_WorkGroupSize.x + weir_invocation()];
        low_count(word & 0x3F); // some are beyond the last bin
        high_count(word >> 16 & 0xFF);
    }
    barrier();
    for (uint bin = weir_invocation(); bin < 37; bin += gl_WorkGroupSize.x) {
        counts[bin] = low_total(bin);
    }
    for (uint bin = weir_invocation(); bin < 300; bin += gl_WorkGroupSize.x) {
        counts[37 + bin] = high_total(bin);
    }
}
)";
    for (const LayerShape& shape : layer_shapes(3, 6)) {
        const Words input = random_words(7 * std::size_t{shape.workgroup}, shape.workgroup);
        Words expected(37 + 300);
        for (const std::uint32_t word : input) {
            if ((word & 0x3FU) < 37) {
                ++expected[word & 0x3FU];
            }
            ++expected[37 + (word >> 16U & 0xFFU)];
        }
        check_layers(kernel, shape, 1, {input}, {expected});
    }
}

// Merges pairs that are sorted by their first word; the second word distinguishes equal ones. The merge path of
// inverted words in descending order must have the same splits.
TEST(Layers, MergesSortedLists) {
    const std::string kernel = R"(
#include <weir/weir_subgroup.glsl>
#include <weir/weir_merge_path.glsl>
layout(binding = 0) readonly buffer In { uvec2 lists[]; };
layout(binding = 1) writeonly buffer Out { uvec2 merged[]; };
layout(binding = 2) writeonly buffer Splits { uint splits[]; };
layout(constant_id = 1) const uint FIRSTS = 0;
layout(constant_id = 2) const uint SECONDS = 0;
uvec2 first_of(uint i) { return lists[i]; }
uvec2 second_of(uint i) { return lists[FIRSTS + i]; }
bool precedes(uvec2 a, uvec2 b) { return a.x < b.x; }
uint negative_first(uint i) { return ~lists[i].x; }
uint negative_second(uint i) { return ~lists[FIRSTS + i].x; }
bool exceeds(uint a, uint b) { return a > b; }
WEIR_MERGE(pairs, uvec2, 3, first_of, second_of, precedes)
WEIR_MERGE_PATH(words, uint, negative_first, negative_second, exceeds)
void main() {
    const uint place = (gl_WorkGroupID.x * gl_WorkGroupSize.x + weir_invocation()) * 3;
    uvec2 items[3];
    pairs_merge(place, FIRSTS, SECONDS, items);
    for (uint i = 0; i < 3; ++i) {
        if (place + i < FIRSTS + SECONDS) {
            merged[place + i] = items[i];
        }
    }
    if (place <= FIRSTS + SECONDS) {
        splits[place / 3] = words_split(place, FIRSTS, SECONDS);
    }
}
)";
    struct Pair {
        std::uint32_t key, number;
    };
    const std::uint32_t counts[][2] = {{0, 0}, {0, 40}, {40, 0}, {1, 100}, {97, 3}, {64, 64}};
    const LayerShape shape = layer_shapes(0, 1).front();
    for (const auto& [firsts, seconds] : counts) {
        SCOPED_TRACE(std::to_string(firsts) + " and " + std::to_string(seconds));
        std::vector<Pair> lists;
        for (std::uint32_t i = 0; i < firsts + seconds; ++i) {
            lists.push_back({random_words(1, i)[0] % 20, i});
        }
        const auto by_key = [](const Pair& a, const Pair& b) { return a.key < b.key; };
        std::stable_sort(lists.begin(), lists.begin() + firsts, by_key);
        std::stable_sort(lists.begin() + firsts, lists.end(), by_key);
        const std::vector<Pair> input = lists;
        std::inplace_merge(lists.begin(), lists.begin() + firsts, lists.end(), by_key);
        Words splits;
        for (std::uint32_t place = 0; place <= firsts + seconds; place += 3) {
            std::uint32_t split = 0;
            for (std::uint32_t i = 0; i < place; ++i) {
                split += std::any_of(
                             input.begin(), input.begin() + firsts,
                             [&](const Pair& one) { return one.key == lists[i].key && one.number == lists[i].number; })
                             ? 1
                             : 0;
            }
            splits.push_back(split);
        }
        check_layers(kernel, shape, (firsts + seconds) / (3 * shape.workgroup) + 1, {words_of(input)},
                     {words_of(lists), splits}, {firsts, seconds});
    }
}

} // namespace
} // namespace weir::tests::layers_tile_test
