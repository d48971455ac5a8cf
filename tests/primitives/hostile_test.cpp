// Overwrites inputs, counts and memory of programs, also while they run. Every primitive must end and write nothing
// outside its buffers. If only inputs or counts were overwritten, or transients between runs, the next run with valid
// inputs must be right.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <thread>

#include "engine/device/device.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::hostile_test {
namespace {

const Sweeps sweeps{"All/Hostile.*"};

constexpr std::uint32_t items = 20'000; ///< capacity of each input; many tiles of each kernel
using Words = std::vector<std::uint32_t>;
using Ref = BufferRef<std::uint32_t>;

/// Returns a random word, often one that breaks kernels that do not check it: an extreme, a NaN, or a number near or
/// below `items`.
std::uint32_t hostile_word(std::mt19937_64& engine) {
    const std::uint64_t drawn = engine();
    const auto word = static_cast<std::uint32_t>(drawn >> 32);
    switch (drawn % 8) {
    case 0: return 0;
    case 1: return ~0U;
    case 2: return 1U << 31;
    case 3: return 0x7FC00001; // a NaN
    case 4: return items + word % 3 - 1;
    case 5: return word % items;
    default: return word;
    }
}

/// Host-visible memory for all buffers of a context. The test reads and writes it while programs run. Guards between
/// buffers must not be written.
class Arena {
public:
    static constexpr VkDeviceSize bytes = 64U << 20, guard = 4096;
    static constexpr std::uint32_t untouched = 0xC3C3C3C3;

    struct Range {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkDeviceSize first = 0, size = 0; ///< bytes
        bool has_arguments = false;       ///< may hold arguments of indirect dispatches
    };

    explicit Arena(const HostDevice& host) : host_(host) {
        VkPhysicalDeviceMemoryProperties properties{};
        host.instance_functions().vkGetPhysicalDeviceMemoryProperties(host.physical_device(), &properties);
        constexpr VkMemoryPropertyFlags wanted =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
        flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
        VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, bytes};
        while ((properties.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted) {
            ++info.memoryTypeIndex;
        }
        void* mapped = nullptr;
        EXPECT_EQ(host.vk().vkAllocateMemory(host.device(), &info, nullptr, &memory_), VK_SUCCESS);
        EXPECT_EQ(host.vk().vkMapMemory(host.device(), memory_, 0, bytes, 0, &mapped), VK_SUCCESS);
        words_ = static_cast<std::uint32_t*>(mapped);
        std::fill_n(words_, bytes / 4, untouched);
    }
    ~Arena() { host_.vk().vkFreeMemory(host_.device(), memory_, nullptr); }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    [[nodiscard]] MemoryHooks hooks() {
        MemoryHooks hooks;
        hooks.create_buffer = [this](const VkBufferCreateInfo& info, MemoryKind, MemoryHooks::Allocation& out) {
            return create(info, out);
        };
        hooks.destroy_buffer = [this](const MemoryHooks::Allocation& allocation) {
            host_.vk().vkDestroyBuffer(host_.device(), allocation.buffer, nullptr);
            std::erase_if(ranges_, [&](const Range& range) { return range.buffer == allocation.buffer; });
        };
        return hooks;
    }

    /// Returns the ranges of existing buffers, in the order of creation.
    [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }
    [[nodiscard]] std::span<std::uint32_t> words(const Range& range) const {
        return {words_ + range.first / 4, range.size / 4};
    }
    [[nodiscard]] std::span<std::uint32_t> words(BufferView view) const {
        for (const Range& range : ranges_) {
            if (range.buffer == view.buffer) {
                return words(range).subspan(view.offset / 4, view.size / 4);
            }
        }
        return {};
    }

    /// Checks that no guard was written.
    void expect_guards() const {
        for (const auto& [first, end] : guards_) {
            const auto* const written = std::find_if(words_ + first / 4, words_ + end / 4,
                                                     [](std::uint32_t word) { return word != untouched; });
            if (written != words_ + end / 4) {
                ADD_FAILURE() << "word " << (written - words_) << " is outside all buffers and was written";
                return;
            }
        }
    }

private:
    VkResult create(const VkBufferCreateInfo& info, MemoryHooks::Allocation& out) {
        const VkResult made = host_.vk().vkCreateBuffer(host_.device(), &info, nullptr, &out.buffer);
        if (made != VK_SUCCESS) {
            return made;
        }
        VkMemoryRequirements needs{};
        host_.vk().vkGetBufferMemoryRequirements(host_.device(), out.buffer, &needs);
        const VkDeviceSize first = (used_ + guard + needs.alignment - 1) / needs.alignment * needs.alignment;
        if (first + needs.size + guard > bytes) {
            host_.vk().vkDestroyBuffer(host_.device(), out.buffer, nullptr);
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        }
        guards_.emplace_back(used_, first);
        used_ = first + (info.size + 3) / 4 * 4;
        ranges_.push_back({out.buffer, first, info.size, (info.usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT) != 0});
        out.mapped = words_ + first / 4;
        return host_.vk().vkBindBufferMemory(host_.device(), out.buffer, memory_, first);
    }

    const HostDevice& host_;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    std::uint32_t* words_ = nullptr;
    VkDeviceSize used_ = 0;
    std::vector<Range> ranges_;
    std::vector<std::pair<VkDeviceSize, VkDeviceSize>> guards_;
};

/// A thread that overwrites random words of `targets` until its destruction.
class Scribbler {
public:
    Scribbler(std::vector<std::span<std::uint32_t>> targets, std::uint64_t seed,
              std::function<std::uint32_t(std::mt19937_64&)> word = hostile_word)
        : thread_([this, targets = std::move(targets), seed, word = std::move(word)] {
              std::mt19937_64 engine(seed);
              while (!ends_) {
                  for (const std::span<std::uint32_t> target : targets) {
                      std::atomic_ref(target[engine() % target.size()]).store(word(engine), std::memory_order_relaxed);
                  }
              }
          }) {}
    ~Scribbler() {
        ends_ = true;
        thread_.join();
    }
    Scribbler(const Scribbler&) = delete;
    Scribbler& operator=(const Scribbler&) = delete;

private:
    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

std::uint32_t rounds() {
    return long_tests() ? 8 : 2; // a round of all primitives takes minutes
}

/// Ends the process with an error unless it is destroyed within four minutes per round. A round of a segmented sort
/// with descending offsets, whose segments overlap, takes SwiftShader more than a minute.
class Watchdog {
public:
    explicit Watchdog(std::string what) : what_(std::move(what)) {
        thread_ = std::thread([this] {
            const std::uint32_t minutes = 4 * rounds();
            for (std::uint32_t i = 0; i < minutes * 600 && !ends_; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
            if (!ends_) {
                std::printf("%s has not ended after %u minutes\n", what_.c_str(), minutes);
                std::fflush(stdout);
                std::_Exit(1);
            }
        });
    }
    ~Watchdog() {
        ends_ = true;
        thread_.join();
    }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

private:
    std::string what_;
    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

/// Inputs of a graph. Each has a capacity of `items` words, of which a count on the GPU is in use.
struct Inputs {
    Graph& graph;
    bool direct;
    Ref count;
    std::vector<std::pair<Ref, Words>> made;

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
        Words words = below(name, step).valid() ? std::move(made.back().second) : Words();
        made.pop_back();
        words[0] = 0;
        std::partial_sum(words.begin(), words.end(), words.begin());
        return add(name, std::move(words));
    }
};

/// An output. Only its first elements, up to its count, are defined.
struct Output {
    BufferId buffer;
    Count count;
    std::uint32_t words_each = 1;
};
template <class T>
Output out(const BufferRef<T>& ref) {
    return {ref, ref.count, sizeof(T) / 4};
}

struct Primitive {
    const char* name;
    std::function<std::vector<Output>(Graph&, Inputs&)> add;
};

const std::vector<Primitive> primitives{
    {"scan", [](Graph& g, Inputs& in) { return std::vector{out(scan(g, in.random("in")))}; }},
    {"scan of floats",
     [](Graph& g, Inputs& in) {
         return std::vector{out(scan(g, in.random("in").as<float>(), {.op = Operator::max}))};
     }},
    {"scan by keys",
     [](Graph& g, Inputs& in) {
         return std::vector{out(scan(g, in.random("in"), {.segments = Segments::of_keys(in.below("keys", 2))}))};
     }},
    {"scan at offsets",
     [](Graph& g, Inputs& in) {
         return std::vector{out(scan(g, in.random("in"), {.segments = Segments::at_offsets(in.ascending("offsets"))}))};
     }},
    {"exclusive scan by xor",
     [](Graph& g, Inputs& in) {
         return std::vector{
             out(scan<std::uint32_t>(g, in.random("in"), {.kind = ScanKind::exclusive, .op = Operator::bit_xor}))};
     }},
    {"reduce", [](Graph& g, Inputs& in) { return std::vector{out(reduce(g, in.random("in")))}; }},
    {"reduce_by_segment",
     [](Graph& g, Inputs& in) {
         return std::vector{out(reduce_by_segment(g, in.random("in"), Segments::at_offsets(in.ascending("offsets"))))};
     }},
    {"reduce_by_key",
     [](Graph& g, Inputs& in) {
         const auto made = reduce_by_key(g, in.below("keys", 2), in.random("values"));
         return std::vector{out(made.keys), out(made.values)};
     }},
    {"select_if",
     [](Graph& g, Inputs& in) {
         return std::vector{out(select_if(g, in.random("in"), Predicate::compare(Comparison::less, 1U << 31)).items)};
     }},
    {"select_flagged",
     [](Graph& g, Inputs& in) {
         return std::vector{out(select_flagged(g, in.random("in"), in.below("flags", 2)).items)};
     }},
    {"partition",
     [](Graph& g, Inputs& in) {
         const auto made = partition(g, in.random("in"), {Predicate::compare(Comparison::less, 1U << 30)});
         return std::vector{out(made[0].items), out(made[1].items)};
     }},
    {"unique", [](Graph& g, Inputs& in) { return std::vector{out(unique(g, in.below("in", 2)).items)}; }},
    {"run_length_encode",
     [](Graph& g, Inputs& in) {
         const auto made = run_length_encode(g, in.below("in", 2));
         return std::vector{out(made.values), out(made.lengths)};
     }},
    {"run_length_decode",
     [](Graph& g, Inputs& in) {
         return std::vector{
             out(run_length_decode(g, in.random("values"), in.below("lengths", 3), {.capacity = items}).items)};
     }},
    {"expand",
     [](Graph& g, Inputs& in) {
         return std::vector{out(expand(g, in.below("counts", 3), {.capacity = 2 * items}).sources)};
     }},
    {"radix_sort", [](Graph& g, Inputs& in) { return std::vector{out(radix_sort(g, in.random("keys")).keys)}; }},
    {"radix_sort of pairs",
     [](Graph& g, Inputs& in) {
         const auto made = radix_sort(g, in.random("keys"), {.values = in.random("values")});
         return std::vector{out(made.keys), out(made.values)};
     }},
    {"segmented_sort",
     [](Graph& g, Inputs& in) {
         return std::vector{
             out(segmented_sort(g, in.random("keys"), Segments::at_offsets(in.ascending("offsets"))).keys)};
     }},
    {"segmented_top_k",
     [](Graph& g, Inputs& in) {
         return std::vector{out(segmented_top_k(g, in.random("keys"), Segments::of_length(100), 5).keys)};
     }},
    {"top_k", [](Graph& g, Inputs& in) { return std::vector{out(top_k(g, in.random("keys"), 300).keys)}; }},
    {"merge_sort",
     [](Graph& g, Inputs& in) {
         return std::vector{out(merge_sort(g, in.random("keys"), "a % 1000 < b % 1000").keys)};
     }},
    {"merge",
     [](Graph& g, Inputs& in) {
         return std::vector{out(merge(g, in.ascending("first"), in.ascending("second", 5)).keys)};
     }},
    {"set_union",
     [](Graph& g, Inputs& in) {
         return std::vector{out(set_union(g, in.ascending("first"), in.ascending("second", 5)).keys)};
     }},
    {"lower_bound",
     [](Graph& g, Inputs& in) {
         return std::vector{out(lower_bound(g, in.ascending("sorted"), in.below("keys", 2 * items)))};
     }},
    {"histogram", [](Graph& g, Inputs& in) { return std::vector{out(histogram(g, in.random("in"), Bins::digit(0)))}; }},
    {"min_element",
     [](Graph& g, Inputs& in) {
         const auto made = min_element(g, in.random("in"));
         return std::vector{out(made.value), out(made.position)};
     }},
    {"gather",
     [](Graph& g, Inputs& in) { return std::vector{out(gather(g, in.random("in"), in.below("indices", 4567)))}; }},
    {"adjacent_difference",
     [](Graph& g, Inputs& in) { return std::vector{out(adjacent_difference(g, in.random("in")))}; }},
    {"shuffle", [](Graph& g, Inputs& in) { return std::vector{out(shuffle(g, in.random("in"), 7))}; }},
};

/// A program of one primitive in a context whose buffers are all in an arena.
class Attacked {
public:
    Attacked(const Context& context, Arena& arena, const Primitive& primitive, bool direct)
        : context_(context), arena_(arena), graph_(context) {
        const Ref counts = graph_.import_buffer<std::uint32_t>("count", 1);
        Inputs inputs{graph_, direct, counts, {}};
        outputs_ = primitive.add(graph_, inputs);
        for (const Output& output : outputs_) {
            graph_.export_buffer(output.buffer);
            if (output.count.kind == Count::Kind::gpu && output.count.buffer != counts.id) {
                graph_.export_buffer(output.count.buffer);
            }
        }
        count_ = ok(context_.create_buffer(4));
        for (const auto& [ref, words] : inputs.made) {
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
    [[nodiscard]] std::vector<std::span<std::uint32_t>> inputs() const {
        std::vector<std::span<std::uint32_t>> all;
        for (const Input& input : inputs_) {
            all.push_back(arena_.words(input.buffer.view()));
        }
        return all;
    }
    /// Returns the states of the program, recognized by their sizes, or its transients. Memory that may hold arguments
    /// of dispatches is included only if `arguments` is true.
    [[nodiscard]] std::vector<std::span<std::uint32_t>> internal(bool states, bool arguments) const {
        std::vector<std::span<std::uint32_t>> all;
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

void fill_with_hostile_words(const std::vector<std::span<std::uint32_t>>& targets, std::uint64_t seed) {
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

void attack_counts(Attacked& attacked, const Arena& arena) {
    SCOPED_TRACE("counts change while passes run");
    const auto all = attacked.results(items), some = attacked.results(4567);
    for (std::uint32_t round = 0; round < rounds(); ++round) {
        {
            const Scribbler scribbler({attacked.count()}, round);
            for (int run = 0; run < 5; ++run) {
                attacked.run();
            }
        }
        arena.expect_guards();
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
        {
            const Scribbler scribbler(attacked.inputs(), round);
            for (int run = 0; run < 5; ++run) {
                attacked.run();
            }
        }
        arena.expect_guards();
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

void attack_while_it_runs(Attacked& attacked, const Arena& arena, const std::vector<std::span<std::uint32_t>>& targets,
                          std::uint32_t (*word)(std::mt19937_64&)) {
    for (std::uint32_t round = 0; round < rounds() && !targets.empty(); ++round) {
        attacked.restore(items);
        const Scribbler scribbler(targets, round, word);
        for (int run = 0; run < 5; ++run) {
            attacked.run();
        }
        arena.expect_guards();
    }
}

// Dispatches more or fewer workgroups than a count needs. At most 23 per dimension: a GPU would take seconds to start
// very many.
void attack_arguments(Attacked& attacked, const Arena& arena) {
    SCOPED_TRACE("arguments of dispatches change while passes run");
    attack_while_it_runs(attacked, arena, attacked.internal(false, true),
                         [](std::mt19937_64& engine) { return static_cast<std::uint32_t>(engine() % 24); });
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
    auto targets = attacked.internal(true, false);
    for (const auto target : attacked.internal(false, false)) {
        targets.push_back(target);
    }
    attack_while_it_runs(attacked, arena, targets, hostile_word);
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
        const Watchdog watchdog(primitive.name);
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
