// Overwrites inputs, counts and memory of programs, also while they run. Every primitive must end and write nothing
// outside its buffers. If only inputs or counts were overwritten, or transients between runs, the next run with valid
// inputs must be right.

#include <utility>

#include "engine/device/device.hpp"
#include "tests/primitives/hostile.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::hostile_test {
namespace {

const Sweeps sweeps{"All/Hostile.*"};

using Targets = std::vector<std::span<std::uint32_t>>;

constexpr std::uint32_t items = hostile_items;

std::uint32_t rounds() {
    return long_tests() ? 8 : 2; // a round of all primitives takes minutes
}

/// An output. Only its first elements, up to its count, are defined.
struct Output {
    BufferId buffer;
    Count count;
    std::uint32_t words_each = 1;
};

/// Inputs and outputs of a primitive. Each input has a capacity of `items` words, of which a count on the GPU is in
/// use.
struct Arguments {
    Graph& graph;
    bool direct;
    Ref count;
    std::vector<std::pair<Ref, Words>> made = {};
    std::vector<Output> outputs = {};

    Ref add(const char* name, Words words) {
        Count number = graph.count_in(count, 0, items);
        const Ref ref = graph.import_buffer<std::uint32_t>(name, items).with_count(direct ? number.direct() : number);
        made.emplace_back(ref, std::move(words));
        return ref;
    }
    Ref random(const char* name) { return add(name, random_words(items, made.size() + 1)); }
    Ref below(const char* name, std::uint32_t end) {
        Words words = random_words(items, made.size() + 1);
        std::ranges::for_each(words, [end](std::uint32_t& word) { word %= end; });
        return add(name, std::move(words));
    }
    Ref ascending(const char* name, std::uint32_t step = 3) {
        Words words = random_words(items, made.size() + 1);
        std::uint32_t sum = 0;
        for (std::uint32_t& word : words) {
            word = std::exchange(sum, sum + word % step);
        }
        return add(name, std::move(words));
    }

    template <class... Ts>
    void out(const BufferRef<Ts>&... refs) {
        (outputs.push_back({refs, refs.count, sizeof(Ts) / 4}), ...);
    }
};

struct Primitive {
    const char* name;
    void (*add)(Graph& g, Arguments& in);
};

const std::vector<Primitive> primitives{
    {"scan", [](Graph& g, Arguments& in) { in.out(scan(g, in.random("in"))); }},
    {"scan of floats",
     [](Graph& g, Arguments& in) { in.out(scan(g, in.random("in").as<float>(), {.op = Operator::max})); }},
    {"scan by keys",
     [](Graph& g, Arguments& in) {
         in.out(scan(g, in.random("in"), {.segments = Segments::of_keys(in.below("keys", 2))}));
     }},
    {"scan at offsets",
     [](Graph& g, Arguments& in) {
         in.out(scan(g, in.random("in"), {.segments = Segments::at_offsets(in.ascending("offsets"))}));
     }},
    {"exclusive scan by xor",
     [](Graph& g, Arguments& in) {
         in.out(scan<std::uint32_t>(g, in.random("in"), {.kind = ScanKind::exclusive, .op = Operator::bit_xor}));
     }},
    {"reduce", [](Graph& g, Arguments& in) { in.out(reduce(g, in.random("in"))); }},
    {"reduce_by_segment",
     [](Graph& g, Arguments& in) {
         in.out(reduce_by_segment(g, in.random("in"), Segments::at_offsets(in.ascending("offsets"))));
     }},
    {"reduce_by_key",
     [](Graph& g, Arguments& in) {
         const auto made = reduce_by_key(g, in.below("keys", 2), in.random("values"));
         in.out(made.keys, made.values);
     }},
    {"select_if",
     [](Graph& g, Arguments& in) {
         in.out(select_if(g, in.random("in"), Predicate::compare(Comparison::less, 1U << 31)).items);
     }},
    {"select_flagged",
     [](Graph& g, Arguments& in) { in.out(select_flagged(g, in.random("in"), in.below("flags", 2)).items); }},
    {"partition",
     [](Graph& g, Arguments& in) {
         const auto made = partition(g, in.random("in"), {Predicate::compare(Comparison::less, 1U << 30)});
         in.out(made[0].items, made[1].items);
     }},
    {"unique", [](Graph& g, Arguments& in) { in.out(unique(g, in.below("in", 2)).items); }},
    {"run_length_encode",
     [](Graph& g, Arguments& in) {
         const auto made = run_length_encode(g, in.below("in", 2));
         in.out(made.values, made.lengths);
     }},
    {"run_length_decode",
     [](Graph& g, Arguments& in) {
         in.out(run_length_decode(g, in.random("values"), in.below("lengths", 3), {.capacity = items}).items);
     }},
    {"expand",
     [](Graph& g, Arguments& in) { in.out(expand(g, in.below("counts", 3), {.capacity = 2 * items}).sources); }},
    {"radix_sort", [](Graph& g, Arguments& in) { in.out(radix_sort(g, in.random("keys")).keys); }},
    {"radix_sort of pairs",
     [](Graph& g, Arguments& in) {
         const auto made = radix_sort(g, in.random("keys"), {.values = in.random("values")});
         in.out(made.keys, made.values);
     }},
    {"segmented_sort",
     [](Graph& g, Arguments& in) {
         in.out(segmented_sort(g, in.random("keys"), Segments::at_offsets(in.ascending("offsets"))).keys);
     }},
    {"segmented_top_k",
     [](Graph& g, Arguments& in) { in.out(segmented_top_k(g, in.random("keys"), Segments::of_length(100), 5).keys); }},
    {"top_k", [](Graph& g, Arguments& in) { in.out(top_k(g, in.random("keys"), 300).keys); }},
    {"merge_sort",
     [](Graph& g, Arguments& in) { in.out(merge_sort(g, in.random("keys"), "a % 1000 < b % 1000").keys); }},
    {"merge", [](Graph& g, Arguments& in) { in.out(merge(g, in.ascending("first"), in.ascending("second", 5)).keys); }},
    {"set_union",
     [](Graph& g, Arguments& in) { in.out(set_union(g, in.ascending("first"), in.ascending("second", 5)).keys); }},
    {"lower_bound",
     [](Graph& g, Arguments& in) { in.out(lower_bound(g, in.ascending("sorted"), in.below("keys", 2 * items))); }},
    {"histogram", [](Graph& g, Arguments& in) { in.out(histogram(g, in.random("in"), Bins::digit(0))); }},
    {"min_element",
     [](Graph& g, Arguments& in) {
         const auto made = min_element(g, in.random("in"));
         in.out(made.value, made.position);
     }},
    {"gather", [](Graph& g, Arguments& in) { in.out(gather(g, in.random("in"), in.below("indices", 4567))); }},
    {"adjacent_difference", [](Graph& g, Arguments& in) { in.out(adjacent_difference(g, in.random("in"))); }},
    {"shuffle", [](Graph& g, Arguments& in) { in.out(shuffle(g, in.random("in"), 7)); }},
};

/// A program of one primitive in a context whose buffers are all in an arena.
class Attacked {
public:
    Attacked(const Context& context, Arena& arena, const Primitive& primitive, bool direct)
        : context_(context), arena_(arena), graph_(context) {
        const Ref counts = graph_.import_buffer<std::uint32_t>("count", 1);
        Arguments arguments{graph_, direct, counts};
        primitive.add(graph_, arguments);
        outputs_ = arguments.outputs;
        for (const Output& output : outputs_) {
            graph_.export_buffer(output.buffer);
            if (output.count.kind == Count::Kind::gpu && output.count.buffer != counts.id) {
                graph_.export_buffer(output.count.buffer);
            }
        }
        count_ = ok(context_.create_buffer(4));
        for (const auto& [ref, words] : arguments.made) {
            inputs_.push_back({ref, words, ok(context_.create_buffer(items * 4ULL))});
        }
        const std::size_t before = arena_.ranges().size();
        program_.emplace(ok(weir::compile(context_, graph_)));
        internal_.assign(arena_.ranges().begin() + static_cast<std::ptrdiff_t>(before), arena_.ranges().end());
        ok(program_->bind(counts, count_));
        for (const Input& input : inputs_) {
            ok(program_->bind(input.ref, input.buffer));
        }
        for (const GraphDescription::Resource& resource : program_->description().resources) {
            if (resource.lifetime == GraphDescription::Lifetime::state) {
                state_sizes_.push_back(resource.bytes);
            }
        }
    }

    /// Restores the inputs, runs the program and returns the defined elements of all outputs.
    std::vector<Words> results(std::uint32_t count) {
        restore(count);
        ok(program_->run());
        std::vector<Words> all;
        for (const Output& output : outputs_) {
            const std::uint32_t elements =
                output.count.kind == Count::Kind::gpu
                    ? std::min(word(output.count.buffer, output.count.word), output.count.max)
                    : output.count.max;
            all.push_back(ok(context_.download<std::uint32_t>(program_->view(output.buffer),
                                                              std::size_t{elements} * output.words_each)));
        }
        return all;
    }

    /// Writes the valid inputs, and `count` as their count.
    void restore(std::uint32_t count) {
        arena_.words(count_.view())[0] = count;
        for (const Input& input : inputs_) {
            std::ranges::copy(input.words, arena_.words(input.buffer.view()).begin());
        }
    }

    void run() { ok(program_->run()); }

    [[nodiscard]] std::span<std::uint32_t> count() const { return arena_.words(count_.view()); }
    [[nodiscard]] Targets inputs() const {
        Targets all;
        for (const Input& input : inputs_) {
            all.push_back(arena_.words(input.buffer.view()));
        }
        return all;
    }
    /// Returns the states of the program, recognized by their sizes, or its transients. Memory that may hold arguments
    /// of dispatches is included only if `arguments` is true.
    [[nodiscard]] Targets internal(bool states, bool arguments) const {
        Targets all;
        for (const Arena::Range& range : internal_) {
            const bool is_state = std::find(state_sizes_.begin(), state_sizes_.end(), range.size) != state_sizes_.end();
            if (is_state == states && (arguments || !range.has_arguments)) {
                all.push_back(arena_.words(range));
            }
        }
        return all;
    }

private:
    struct Input {
        Ref ref;
        Words words;
        Buffer buffer;
    };

    [[nodiscard]] std::uint32_t word(BufferId buffer, std::uint32_t index) const {
        return ok(context_.download<std::uint32_t>(program_->view(buffer), index + 1))[index];
    }

    const Context& context_;
    Arena& arena_;
    Graph graph_;
    std::vector<Output> outputs_;
    Buffer count_;
    std::vector<Input> inputs_;
    std::optional<Program> program_;
    std::vector<Arena::Range> internal_;
    std::vector<VkDeviceSize> state_sizes_;
};

void fill_with_hostile_words(const Targets& targets, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    for (const std::span<std::uint32_t> target : targets) {
        std::ranges::generate(target, [&] { return hostile_word(engine); });
    }
}

// After each attack the next run must be right. The last three attacks are exceptions: only Weir writes their targets,
// and any result is valid afterwards.

void attack_with_garbage_counts(Attacked& attacked) {
    SCOPED_TRACE("counts are garbage");
    const auto all = attacked.results(items), none = attacked.results(0), some = attacked.results(4567);
    for (const std::uint32_t garbage : {~0U, items + 1, 1U << 31, 0xFFFFF000U}) {
        EXPECT_EQ(attacked.results(garbage), all) << garbage;
    }
    EXPECT_EQ(attacked.results(0), none);
    EXPECT_EQ(attacked.results(4567), some);
}

/// Runs the program while words of `targets` change, and checks that it writes nothing outside its buffers.
void run_while_changing(Attacked& attacked, const Arena& arena, const Targets& targets, std::uint32_t round,
                        std::uint32_t (*word)(std::mt19937_64&) = hostile_word) {
    {
        const Scribbler scribbler(targets, round, word);
        for (int run = 0; run < 5; ++run) {
            attacked.run();
        }
    }
    arena.expect_guards();
}

void attack_counts(Attacked& attacked, const Arena& arena) {
    SCOPED_TRACE("counts change while passes run");
    const auto all = attacked.results(items), some = attacked.results(4567);
    for (std::uint32_t round = 0; round < rounds(); ++round) {
        run_while_changing(attacked, arena, {attacked.count()}, round);
        EXPECT_EQ(attacked.results(items), all) << round;
        EXPECT_EQ(attacked.results(4567), some) << round;
    }
}

void attack_with_garbage_inputs(Attacked& attacked, const Arena& arena) {
    SCOPED_TRACE("inputs are garbage");
    const auto all = attacked.results(items);
    for (std::uint32_t round = 0; round < rounds(); ++round) {
        const auto inputs = attacked.inputs();
        fill_with_hostile_words(inputs, round);
        std::vector<Words> given;
        for (const auto input : inputs) {
            given.emplace_back(input.begin(), input.end());
        }
        attacked.run();
        arena.expect_guards();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            EXPECT_TRUE(std::ranges::equal(inputs[i], given[i])) << "input " << i << " was written";
        }
    }
    EXPECT_EQ(attacked.results(items), all);
}

void attack_inputs(Attacked& attacked, const Arena& arena) {
    SCOPED_TRACE("inputs change while passes run");
    const auto all = attacked.results(items);
    for (std::uint32_t round = 0; round < rounds(); ++round) {
        run_while_changing(attacked, arena, attacked.inputs(), round);
        EXPECT_EQ(attacked.results(items), all) << round;
    }
}

void attack_with_garbage_transients(Attacked& attacked) {
    SCOPED_TRACE("transients hold garbage");
    const auto all = attacked.results(items), some = attacked.results(4567);
    for (std::uint32_t round = 0; round < rounds(); ++round) {
        fill_with_hostile_words(attacked.internal(false, true), 2 * round);
        EXPECT_EQ(attacked.results(items), all) << round;
        fill_with_hostile_words(attacked.internal(false, true), 2 * round + 1);
        EXPECT_EQ(attacked.results(4567), some) << round;
    }
}

// Dispatches more or fewer workgroups than a count needs. At most 23 per dimension: a GPU would take seconds to start
// very many.
void attack_arguments(Attacked& attacked, const Arena& arena) {
    SCOPED_TRACE("arguments of dispatches change while passes run");
    const Targets targets = attacked.internal(false, true);
    for (std::uint32_t round = 0; round < rounds() && !targets.empty(); ++round) {
        attacked.restore(items);
        run_while_changing(attacked, arena, targets, round,
                           [](std::mt19937_64& engine) { return static_cast<std::uint32_t>(engine() % 24); });
    }
}

void attack_states(Attacked& attacked, const Arena& arena) {
    SCOPED_TRACE("states hold garbage");
    for (std::uint32_t round = 0; round < 4 * rounds(); ++round) {
        attacked.restore(items);
        fill_with_hostile_words(attacked.internal(true, true), round);
        attacked.run();
        attacked.run();
        arena.expect_guards();
    }
}

void attack_memory(Attacked& attacked, const Arena& arena) {
    SCOPED_TRACE("memory changes while passes run");
    Targets targets = attacked.internal(true, false);
    const Targets transients = attacked.internal(false, false);
    targets.insert(targets.end(), transients.begin(), transients.end());
    for (std::uint32_t round = 0; round < rounds() && !targets.empty(); ++round) {
        attacked.restore(items);
        run_while_changing(attacked, arena, targets, round);
    }
}

/// The parameter is true if dispatches with counts on the GPU are direct, and false if they are indirect.
class Hostile : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(All, Hostile, testing::Values(false, true),
                         [](const auto& suite) { return suite.param ? "Direct" : "Indirect"; });

// A short run has half of the primitives, each either direct or indirect.
TEST_P(Hostile, EveryPrimitiveEndsAndStaysInBounds) {
    const bool direct = GetParam();
    const HostDevice host;
    for (std::size_t i = direct && !long_tests() ? 2 : 0; i < primitives.size(); i += long_tests() ? 1 : 4) {
        const Primitive& primitive = primitives[i];
        SCOPED_TRACE(primitive.name);
        // A round of a segmented sort with descending offsets, whose segments overlap, takes SwiftShader more than a
        // minute.
        const Watchdog watchdog(primitive.name, 4 * rounds());
        Arena arena(host);
        AdoptedDevice adopted = host.adopted();
        adopted.memory = arena.hooks();
        const Context context = ok(Context::adopt(adopted));
        Attacked attacked(context, arena, primitive, direct);
        attack_with_garbage_counts(attacked);
        attack_counts(attacked, arena);
        attack_with_garbage_inputs(attacked, arena);
        attack_inputs(attacked, arena);
        attack_with_garbage_transients(attacked);
        if (direct) {
            attack_states(attacked, arena);
            attack_memory(attacked, arena);
        } else {
            attack_arguments(attacked, arena);
        }
        arena.expect_guards();
    }
}

} // namespace
} // namespace weir::tests::hostile_test
