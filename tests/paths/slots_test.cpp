// Slots of items in the path renderer: assigned by a look-back, with faults, and searched by block.

#include <algorithm>
#include <optional>

#include "tests/primitives/harness.hpp"
#include "tests/support/turns.hpp"
#include "weir_tests_device_shaders.hpp"

namespace weir::tests::slots_test {
namespace {

namespace shaders = weir_tests_device::shaders;

const OnEveryDriver on_every_driver{"PathSlots.*"};

constexpr std::uint32_t most_items = 12000, block = 256;

struct Faults {
    std::uint32_t one_in = 0, kind = 0, seed = 0, order = 0, counters = 4;
};

struct Assigned {
    std::uint32_t needed = 0;
    Words slots, owners, owned;
    std::uint32_t fallbacks = 0;
};

/// Runs one program repeatedly, so that look-backs see tile states of earlier runs.
class Assignment {
public:
    explicit Assignment(std::uint32_t capacity) : capacity_(capacity), graph_(test_context()) {
        const auto shader = [](std::span<const std::uint32_t> words, const char* name) {
            return ShaderSource::spirv({words.begin(), words.end()}, name);
        };
        counts_ = graph_.import_buffer<std::uint32_t>("counts", most_items);
        owners_ = graph_.import_buffer<std::uint32_t>("owners", capacity);
        slots_ = graph_.import_buffer<std::uint32_t>("slots", 1 + most_items + capacity / block + 2);
        needed_ = graph_.import_buffer<std::uint32_t>("needed", 1);
        owned_ = graph_.import_buffer<std::uint32_t>("owned", most_items);
        count_ = graph_.parameter("count", most_items);
        faults_ = graph_.host_data("faults", sizeof(Faults));
        const auto counters = graph_.transient_buffer<std::uint32_t>("counters", 4);
        counters_ = counters;
        graph_.add_fill("clear counters", counters, 0);
        Pass assign;
        assign.name = "assign slots";
        assign.shader = shader(shaders::slots, "slots");
        assign.bindings = {read(counts_), read_write(tile_states(graph_, most_items / block + 1, 1)),
                           write(slots_), write(needed_),
                           write(owned_), read_write(counters)};
        assign.push = {count_, 0U, most_items, faults_};
        assign.dispatch = Dispatch::groups(most_items / block + 1);
        graph_.add_pass(assign);
        Pass search;
        search.name = "search items";
        search.shader = shader(shaders::slots_of_items, "slots of items");
        search.bindings = {read(slots_), write(owners_)};
        search.push = {most_items, capacity};
        search.dispatch = Dispatch::groups((capacity + block - 1) / block);
        graph_.add_pass(search);
        graph_.export_buffer(counters);
        program_.emplace(ok(compile(test_context(), graph_)));
    }

    Assigned run(const Words& counts, const Faults& faults = {}) {
        Words all = counts;
        all.resize(most_items, 77777); // must not count
        const Buffer in = buffer_of(all), slots = poisoned_buffer(slots_.capacity), needed = poisoned_buffer(1);
        const Buffer owners = poisoned_buffer(capacity_), owned = poisoned_buffer(most_items);
        ok(program_->bind(counts_, in));
        ok(program_->bind(slots_, slots));
        ok(program_->bind(needed_, needed));
        ok(program_->bind(owners_, owners));
        ok(program_->bind(owned_, owned));
        ok(program_->set(count_, count_of(counts)));
        ok(program_->set(faults_, faults));
        ok(program_->run());
        return {contents(needed, 1)[0], contents(slots, 1 + counts.size()), contents(owners, capacity_),
                contents(owned, most_items), contents(program_->view(counters_), 4)[2]};
    }

    /// Assigns slots and compares them with those of a CPU.
    std::uint32_t check(const Words& counts, const Faults& faults = {}) {
        SCOPED_TRACE(std::to_string(counts.size()) + " items, fault " + std::to_string(faults.kind) + ", order " +
                     std::to_string(faults.order));
        const Assigned assigned = run(counts, faults);
        std::uint64_t sum = 0;
        Words slots{0}, owners;
        for (std::uint32_t item = 0; item < counts.size(); ++item) {
            slots.push_back(saturated(sum));
            sum += counts[item];
            owners.resize(std::min<std::uint64_t>(sum, capacity_), item);
        }
        slots[0] = saturated(sum);
        owners.resize(capacity_, poisoned<std::uint32_t>(1)[0]);
        EXPECT_EQ(assigned.needed, slots[0]);
        expect_equal(assigned.slots, slots, "first slots");
        expect_equal(assigned.owners, owners, "items of slots");
        Words owned = counts;
        owned.resize(most_items, poisoned<std::uint32_t>(1)[0]);
        expect_equal(assigned.owned, owned, "results of owners");
        return assigned.fallbacks;
    }

private:
    static std::uint32_t saturated(std::uint64_t n) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, ~0U));
    }

    std::uint32_t capacity_;
    Graph graph_;
    BufferRef<std::uint32_t> counts_, owners_, slots_, needed_, owned_;
    BufferId counters_;
    Count count_;
    HostData faults_;
    std::optional<Program> program_;
};

/// Returns counts of 0 to `largest`, half of them 0.
Words counts_of(std::uint32_t items, std::uint32_t largest) {
    Words counts = random_words(items, items);
    for (std::uint32_t& n : counts) {
        n = n % 2 == 0 ? 0 : n / 2 % (largest + 1);
    }
    return counts;
}

TEST(PathSlots, MatchReference) {
    Assignment few(50000), full(999);
    for (const std::uint32_t items : {most_items, 0U, 1U, block - 1, block, block + 1, 40 * block, most_items}) {
        few.check(counts_of(items, 7));
        full.check(counts_of(items, 300)); // more slots than the capacity
    }
    few.check(Words(most_items, 0));
    few.check(Words(most_items, 1));
    few.check({0, 0, block, 0, block, 0});             // items begin at blocks
    few.check({0, 0, 12345, 0, 1, 30000, 0, 0, 0, 9}); // items of many blocks
}

TEST(PathSlots, NeededSaturates) {
    Assignment slots(999);
    Words counts(3 * block, 10000000);
    slots.check(counts);
    counts.assign({5, ~0U, ~0U, 7, 0});
    slots.check(counts);
}

TEST(PathSlots, FallBack) {
    Assignment slots(50000);
    const Words counts = counts_of(most_items, 7);
    for (std::uint32_t kind = 0; kind < 3; ++kind) { // never_post, late_post and torn_post
        for (std::uint32_t order = 0; order < 4; ++order) {
            const std::uint32_t fallbacks = slots.check(counts, {2, kind, 5 + order, order});
            EXPECT_TRUE(kind != 0 || fallbacks > 0);
        }
    }
}

} // namespace
} // namespace weir::tests::slots_test
