// Decoupled look-back in a custom kernel.

#include <optional>

#include "tests/primitives/layers.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::layers_look_back_test {
namespace {

const OnEveryDriver on_every_driver{"Layers.LookBack*"};

/// Numbers of unmatched brackets. Combining them is not commutative. Some functions and variables here and in `kernel`
/// have names that Weir's headers use internally: they must not collide.
const std::string brackets = R"(
#define WEIR_TILE_EXACT
#define WEIR_TILE_T Brackets
#define WEIR_TILE_WORDS 2
#define WEIR_TILE_COMBINE combine
#define WEIR_TILE_IDENTITY Brackets(0, 0)
struct Brackets { uint close; int open; };
Brackets combine(Brackets left, Brackets right) {
    const uint matched = min(uint(left.open), right.close);
    return Brackets(left.close + right.close - matched, left.open + right.open - int(matched));
}
#define WORDS(T) WEIR_WORDS_2(T, close, open)
Brackets item(uint word) { return Brackets(word % 3, int(word / 3 % 3)); }
uvec2 words_of(Brackets value) { return uvec2(value.close, value.open); }
)";

/// Floats whose sums round. WEIR_TILE_SPINS 0 must act as 1: a look-back without polls would never end.
const std::string floats = R"(
#define WEIR_TILE_SPINS 0
#define WEIR_TILE_T float
#define WEIR_TILE_WORDS 1
#define WEIR_TILE_COMBINE add
#define WEIR_TILE_IDENTITY -0.0
precise float add(float a, float b) { return a + b; }
#define WORDS(T)
float item(uint word) { return ldexp(float(int(word)), int(word & 0x1F) - 16); }
uvec2 words_of(float value) { return uvec2(floatBitsToUint(value), 0); }
)";

const std::string kernel = R"(
layout(binding = 0) readonly buffer In { uint from[]; };
layout(binding = 2) writeonly buffer Out { uvec2 to[]; };
layout(push_constant) uniform Push {
    uint count;
#ifdef INSTRUMENTED
    uint fault_one_in, fault_kind, fault_seed, tile_order, is_counted;
};
#define INSTRUMENT_BINDING 3
#else
};
#endif
#define WEIR_TILE_STATES 1
#define WEIR_TILE_REDUCE reduce_tile
#include <weir/weir_look_back.glsl>
WORDS(WEIR_TILE_T)
const uint ITEMS = 3;
uint walk, lane, publish;
WEIR_TILE_T loaded(uint i) {
    WEIR_TILE_T value = WEIR_TILE_IDENTITY;
    if (i < count) {
        value = item(from[i]);
    }
    return value;
}
WEIR_TILE_T reduce_tile(uint tile) {
    WEIR_TILE_T sum = WEIR_TILE_IDENTITY;
    for (uint i = 0; i < ITEMS; ++i) {
        sum = WEIR_TILE_COMBINE(sum, loaded((tile * gl_WorkGroupSize.x + weir_invocation()) * ITEMS + i));
    }
    return sum;
}
void main() {
    const uint tile_items = gl_WorkGroupSize.x * ITEMS, tiles = (count + tile_items - 1) / tile_items;
    const uint tile = weir_claim_tile(tiles);
#ifdef SCANS_TILE
    WEIR_TILE_T sum = weir_scan_tile();
    const WEIR_TILE_T all = weir_tile_total();
#else
    const WEIR_TILE_T all = weir_publish_tile(reduce_tile(tile));
    WEIR_TILE_T sum = weir_look_back();
#endif
    for (uint i = 0; i < ITEMS; ++i) {
        const uint at = (tile * gl_WorkGroupSize.x + weir_invocation()) * ITEMS + i;
        if (at < count) {
            sum = WEIR_TILE_COMBINE(sum, loaded(at));
            to[at] = words_of(sum);
        }
    }
    if (tile + 1 == tiles && weir_invocation() == 0) {
        to[count] = words_of(WEIR_TILE_COMBINE(weir_tile_prefix(), all));
    }
}
)";

struct Faults {
    std::uint32_t one_in = 0, kind = 0, seed = 0, order = 0;
};

/// Runs one program repeatedly with different counts, so that look-backs see tile states of earlier runs.
class LookBack {
public:
    LookBack(const std::string& monoid, bool with_faults, std::uint32_t most)
        : workgroup_(std::min(64U, max_workgroup())), graph_(test_context()) {
        in_ = graph_.import_buffer<std::uint32_t>("in", most);
        out_ = graph_.import_buffer<std::uint32_t>("out", 2 * (most + 1));
        count_ = graph_.parameter("count", most);
        faults_ = graph_.host_data("faults", sizeof(Faults));
        const std::uint32_t tile = 3 * workgroup_;
        Pass pass;
        pass.name = "look back";
        pass.shader = layer_shader((with_faults ? "#define INSTRUMENTED\n" : "") + monoid + kernel, true);
        pass.bindings = {read(in_), read_write(tile_states(graph_, (most + tile - 1) / tile, 2)), write(out_)};
        pass.push = {count_};
        if (with_faults) {
            const auto counters = graph_.transient_buffer<std::uint32_t>("counters", 4);
            graph_.add_fill("counters", counters, 0);
            pass.bindings.push_back(read_write(counters));
            pass.push.emplace_back(faults_);
            pass.push.emplace_back(4U);
            graph_.export_buffer(counters);
            counters_ = counters;
        }
        pass.constants = {workgroup_};
        pass.dispatch = Dispatch::elements(count_, tile);
        const Capabilities& device = test_context().capabilities();
        pass.subgroup_size = device.subgroup_size_selectable ? device.subgroup_size : 0;
        graph_.add_pass(pass);
        program_.emplace(ok(compile(test_context(), graph_)));
    }

    Words run(const Words& input, const Faults& faults = {}) {
        const auto count = count_of(input);
        Words whole = input;
        whole.resize(in_.capacity);
        const Buffer in = buffer_of(whole), out = poisoned_buffer(out_.capacity);
        ok(program_->bind(in_, in));
        ok(program_->bind(out_, out));
        ok(program_->set(count_, count));
        if (counters_.valid()) {
            ok(program_->set(faults_, faults));
        }
        ok(program_->run());
        return contents(out, 2 * (std::size_t{count} + 1));
    }
    Words counters() { return contents(program_->view(counters_), 4); }
    [[nodiscard]] std::uint32_t tile() const { return 3 * workgroup_; }

private:
    std::uint32_t workgroup_;
    Graph graph_;
    Ref in_, out_, counters_;
    Count count_;
    HostData faults_;
    std::optional<Program> program_;
};

Words scanned_brackets(const Words& input) {
    Bicyclic sum{0, 0};
    Words expected;
    for (const std::uint32_t word : input) {
        sum = combine(sum, Bicyclic{word % 3, word / 3 % 3});
        expected.insert(expected.end(), {sum.close, sum.open});
    }
    expected.insert(expected.end(), {sum.close, sum.open});
    return expected;
}

const std::string scans_tile = "#define SCANS_TILE\n";

TEST(Layers, LookBackOverTiles) {
    constexpr std::uint32_t most = 40 * 192 + 7;
    LookBack look_back(brackets, false, most), scan_tile(scans_tile + brackets, false, most);
    for (LookBack* scan : {&look_back, &scan_tile}) {
        for (const std::uint32_t count : {most, 1U, scan->tile(), scan->tile() + 1, 17 * scan->tile() - 1, most}) {
            SCOPED_TRACE(std::to_string(count) + " items");
            const Words input = random_words(count, count);
            expect_equal(scan->run(input), scanned_brackets(input), "prefixes");
        }
    }
}

TEST(Layers, LookBackFallsBack) {
    constexpr std::uint32_t most = 40 * 192 + 7;
    LookBack look_back(brackets, true, most), scan_tile(scans_tile + brackets, true, most);
    const Words input = random_words(most, 3);
    const Words expected = scanned_brackets(input);
    for (std::uint32_t kind = 0; kind < 3; ++kind) { // never_post, late_post and torn_post
        for (std::uint32_t order = 0; order < 8; ++order) {
            SCOPED_TRACE("fault " + std::to_string(kind) + ", order " + std::to_string(order));
            LookBack& scan = order < 4 ? look_back : scan_tile;
            expect_equal(scan.run(input, {2, kind, 5 + order, order % 4}), expected, "prefixes");
            if (kind == 0) {
                EXPECT_GT(scan.counters()[2], 0U) << "fallbacks";
            }
        }
    }
}

// Sums that round have the same bits with and without faults.
TEST(Layers, LookBackIsBitIdenticalWithFaults) {
    constexpr std::uint32_t most = 40 * 192 + 7;
    LookBack plain(floats, false, most), faulty(scans_tile + floats, true, most);
    const Words input = random_words(most, 4);
    const Words expected = plain.run(input);
    double sum = 0;
    for (const std::uint32_t word : input) {
        sum += std::ldexp(static_cast<double>(static_cast<std::int32_t>(word)), static_cast<int>(word & 0x1FU) - 16);
    }
    float total = 0;
    std::memcpy(&total, &expected[2 * std::size_t{most}], 4);
    EXPECT_NEAR(total, sum, 1e-3 * std::ldexp(1.0, 47));
    expect_equal(plain.run(input), expected, "again");
    for (const Faults& faults : {Faults{}, {2, 0, 1, 0}, {3, 2, 2, 1}, {2, 0, 3, 3}}) {
        expect_equal(faulty.run(input, faults), expected, "with faults");
    }
}

TEST(Layers, LookBackRejectsTooManyWordsOrTiles) {
    Graph graph(test_context());
    tile_states(graph, 1, 17);
    EXPECT_THAT(plan_error(graph), HasSubstr("tile_states: values of 17 words; 1 to 16 words are supported"));
    Graph large(test_context());
    tile_states(large, 262141, 1);
    EXPECT_THAT(plan_error(large), HasSubstr("tile_states: 262141 tiles; at most 262140 are supported"));
}

} // namespace
} // namespace weir::tests::layers_look_back_test
