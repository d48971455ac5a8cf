// Calls: primitives that are recorded with the buffers and the number of elements of the moment.

#include <weir/primitives/calls.hpp>

#include <algorithm>
#include <numeric>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/support/buffers.hpp"

namespace weir::tests::calls_test {
namespace {

constexpr std::uint32_t max_count = 20000;

/// A buffer of one recording: its words before and after.
struct Region {
    Words before, after;
};
Region input(const Words& words) {
    return {words, words};
}
/// Returns an output of `size` words, of which the first ones are written.
Region output(std::size_t size, const Words& written) {
    Region region{poisoned(size), poisoned(size)};
    std::ranges::copy(written, region.after.begin());
    return region;
}

/// Places regions in one buffer, with poison between them. Views end with their regions.
class Arena {
public:
    BufferView add(const Region& region) {
        const std::size_t offset = words_.size();
        const std::size_t end = (offset + region.before.size() + 2 * step - 1) / step * step;
        for (auto* all : {&words_, &expected_}) {
            const Words& own = all == &words_ ? region.before : region.after;
            all->insert(all->end(), own.begin(), own.end());
            all->resize(end, poisoned(1).front());
        }
        return {VK_NULL_HANDLE, offset * 4, region.before.size() * 4};
    }
    /// Creates the buffer, for which views then need its handle.
    VkBuffer make() {
        buffer_.emplace(buffer_of(words_));
        return buffer_->handle();
    }
    void check() const { expect_equal(contents(*buffer_, expected_.size()), expected_, "words"); }

private:
    static constexpr std::size_t step = 64; // words; a multiple of the alignment of offsets on every device
    Words words_, expected_;
    std::optional<Buffer> buffer_;
};

/// Returns the regions of a recording of `n` elements, whose buffers have room for `room` elements.
using Make = std::function<std::vector<Region>(std::uint32_t n, std::uint32_t room)>;
using Create = std::function<Result<Call>(const Context&, const CallOptions&)>;

/// Records a call several times into one command buffer, with other buffers and counts, and checks all results and what
/// surrounds them.
void check(const Create& create, const Make& make, const std::vector<bool>& places_of_count = {false, true}) {
    const Words counts = {5, max_count, 0, 1, 4097, 63};
    for (const bool on_gpu : places_of_count) {
        SCOPED_TRACE(on_gpu ? "count on the GPU" : "count of the host");
        Call call = ok(create(test_context(), {.max_count = max_count, .count_on_gpu = on_gpu}));
        Arena arena;
        std::vector<std::vector<BufferView>> views;
        std::vector<CallCount> call_counts;
        for (const std::uint32_t n : counts) {
            const std::uint32_t room = on_gpu ? max_count : std::max(n, 1U);
            auto& own = views.emplace_back();
            for (const Region& region : make(n, room)) {
                own.push_back(arena.add(region));
            }
            call_counts.emplace_back(n);
            if (on_gpu) {
                call_counts.back() = arena.add(input({n}));
            }
        }
        const VkBuffer buffer = arena.make();
        Recorder recorder;
        const VkCommandBuffer commands = recorder.begin();
        for (std::size_t i = 0; i < views.size(); ++i) {
            for (BufferView& view : views[i]) {
                view.buffer = buffer;
            }
            call_counts[i].word.buffer = on_gpu ? buffer : VK_NULL_HANDLE;
            ok(call.record(commands, call_counts[i], views[i]));
        }
        recorder.end(commands);
        recorder.submit(commands);
        recorder.wait();
        arena.check();
    }
}

/// Returns the first `n` of `room` random words; the others are poison.
Words random_input(std::uint32_t n, std::uint32_t room, std::uint32_t most = ~0U) {
    Words words = Random(n).vector<std::uint32_t>(n, 0, most);
    words.resize(room, poisoned(1).front());
    return words;
}

/// Returns the indices of the first `n` keys in sorted order.
Words order_of(const Words& keys, std::uint32_t n) {
    Words order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
    return order;
}

Words taken(const Words& words, const Words& indices) {
    Words result;
    for (const std::uint32_t i : indices) {
        result.push_back(words[i]);
    }
    return result;
}

Words doubled(const Words& words) {
    Words result;
    for (const std::uint32_t word : words) {
        result.insert(result.end(), {word, ~word});
    }
    return result;
}

TEST(Calls, SortInPlace) {
    const auto with_output = [](std::uint32_t n, std::uint32_t room) {
        Region keys = input(random_input(n, room));
        std::sort(keys.after.begin(), keys.after.begin() + n);
        return std::vector{keys};
    };
    check([](const Context& c, const CallOptions& o) { return sort_call<std::uint32_t>(c, o); }, with_output);
}

TEST(Calls, SortOfAnOddNumberOfDigitsInPlace) {
    check([](const Context& c, const CallOptions& o) { return sort_call<std::uint32_t>(c, o, {.end_bit = 24}); },
          [](std::uint32_t n, std::uint32_t room) {
              Region keys = input(random_input(n, room + 7, 0xFFFFFF));
              std::sort(keys.after.begin(), keys.after.begin() + n);
              return std::vector{keys};
          },
          {false}); // with a count on the GPU, keys beyond the count are undefined
}

TEST(Calls, SortPairs) {
    const auto pairs = [](bool in_place) {
        return [=](std::uint32_t n, std::uint32_t room) {
            const Words keys = random_input(n, room, 999), values = random_input(n, room);
            const Words order = order_of(keys, n);
            const Words sorted_keys = taken(keys, order), sorted_values = taken(values, order);
            std::vector<Region> regions = {input(keys), input(doubled(values))};
            if (in_place) {
                std::ranges::copy(sorted_keys, regions[0].after.begin());
                std::ranges::copy(doubled(sorted_values), regions[1].after.begin());
            } else {
                regions.push_back(output(room, sorted_keys));
                regions.push_back(output(std::size_t{2} * room, doubled(sorted_values)));
            }
            return regions;
        };
    };
    using Value = std::array<std::uint32_t, 2>;
    check([](const Context& c, const CallOptions& o) { return sort_call<std::uint32_t, Value>(c, o); }, pairs(true));
    check([](const Context& c,
             const CallOptions& o) { return sort_call<std::uint32_t, Value>(c, o, {.in_place = false}); },
          pairs(false));
}

TEST(Calls, Argsort) {
    check([](const Context& c, const CallOptions& o) { return argsort_call<std::uint32_t>(c, o); },
          [](std::uint32_t n, std::uint32_t room) {
              const Words keys = random_input(n, room, 99);
              return std::vector{input(keys), output(room, order_of(keys, n))};
          });
}

TEST(Calls, Scan) {
    check([](const Context& c,
             const CallOptions& o) { return scan_call<std::uint32_t>(c, o, {.kind = ScanKind::exclusive}); },
          [](std::uint32_t n, std::uint32_t room) {
              Region elements = input(random_input(n, room));
              std::exclusive_scan(elements.after.begin(), elements.after.begin() + n, elements.after.begin(), 0U);
              return std::vector{elements};
          });
}

TEST(Calls, Select) {
    const auto limit = Predicate::compare(Comparison::less, 1000U);
    check([&](const Context& c, const CallOptions& o) { return select_call<std::uint32_t>(c, o, limit); },
          [](std::uint32_t n, std::uint32_t room) {
              const Words elements = random_input(n, room, 1999);
              Words selected;
              std::copy_if(elements.begin(), elements.begin() + n, std::back_inserter(selected),
                           [](std::uint32_t x) { return x < 1000; });
              return std::vector{input(elements), output(room, selected),
                                 output(1, {static_cast<std::uint32_t>(selected.size())})};
          });
}

TEST(Calls, RunLengthEncode) {
    check([](const Context& c, const CallOptions& o) { return run_length_encode_call<std::uint32_t>(c, o); },
          [](std::uint32_t n, std::uint32_t room) {
              const Words elements = random_input(n, room, 1);
              Words values, lengths;
              for (std::uint32_t i = 0; i < n; ++i) {
                  if (i == 0 || elements[i] != elements[i - 1]) {
                      values.push_back(elements[i]);
                      lengths.push_back(0);
                  }
                  ++lengths.back();
              }
              return std::vector{input(elements), output(room, values), output(room, lengths),
                                 output(1, {static_cast<std::uint32_t>(values.size())})};
          });
}

TEST(Calls, Reduce) {
    check([](const Context& c, const CallOptions& o) { return reduce_call<std::uint32_t>(c, o, Operator::max); },
          [](std::uint32_t n, std::uint32_t room) {
              const Words elements = random_input(n, room);
              const std::uint32_t most = n == 0 ? 0 : *std::max_element(elements.begin(), elements.begin() + n);
              return std::vector{input(elements), output(1, {most})};
          });
}

TEST(Calls, Histogram) {
    const auto bins = Bins::even(10, 0U, 100U);
    check([&](const Context& c, const CallOptions& o) { return histogram_call<std::uint32_t>(c, o, bins); },
          [](std::uint32_t n, std::uint32_t room) {
              const Words elements = random_input(n, room, 99);
              Words counts(10);
              for (std::uint32_t i = 0; i < n; ++i) {
                  ++counts[elements[i] / 10];
              }
              return std::vector{input(elements), output(10, counts)};
          });
}

TEST(Calls, TopK) {
    check([](const Context& c, const CallOptions& o) { return top_k_call<std::uint32_t>(c, o, 100); },
          [](std::uint32_t n, std::uint32_t room) {
              const Words keys = random_input(n, room);
              Words order = order_of(keys, n);
              order.resize(std::min(n, 100U));
              return std::vector{input(keys), output(100, taken(keys, order)), output(100, order)};
          });
}

TEST(Calls, BarriersOfTheApplication) {
    Call call = ok(scan_call<std::uint32_t>(test_context(), {.max_count = max_count, .application_barriers = true}));
    const Buffer numbers = buffer_of(Words(max_count, 1));
    Recorder recorder;
    recorder.run([&](VkCommandBuffer commands) {
        ok(call.record(commands, max_count, {numbers}));
        VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
        barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
        barrier.srcAccessMask = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
        VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        dependency.memoryBarrierCount = 1;
        dependency.pMemoryBarriers = &barrier;
        vk().vkCmdPipelineBarrier2(commands, &dependency);
        ok(call.record(commands, 5, {numbers})); // a smaller count than the buffer has room for
    });
    EXPECT_EQ(contents(numbers, 7), (Words{1, 3, 6, 10, 15, 6, 7}));
    for (const PlanGroup& group : call.program().plan().groups) {
        for (const Dependency& dependency : group.dependencies) {
            EXPECT_NE(call.program().description().resources[dependency.resource].name, "elements");
        }
    }
}

TEST(Calls, RefusesInvalidArguments) {
    const auto error = [](const Result<>& result, const std::string& message) {
        expect_error(result, ErrorCode::invalid_argument, testing::HasSubstr(message));
    };
    expect_error(sort_call<std::uint32_t>(test_context(), {}), ErrorCode::invalid_argument,
                 testing::HasSubstr("call 'sort': max_count is 0"));
    const Buffer words = buffer_of(Words(256));
    const BufferView first{words.handle(), 0, 256}, second{words.handle(), 256, 256};
    Call host = ok(argsort_call<std::uint32_t>(test_context(), {.max_count = 64, .name = "order"}));
    Call gpu = ok(argsort_call<std::uint32_t>(test_context(), {.max_count = 64, .count_on_gpu = true}));
    Recorder recorder;
    recorder.run([&](VkCommandBuffer commands) {
        error(host.record(commands, 65, {first, second}), "call 'order': 65 elements; max_count is 64");
        error(host.record(commands, 64, {first}), "call 'order': 1 buffers; the call has 2");
        error(host.record(commands, first, {first, second}), "call 'order': the count must be a number");
        error(host.record(commands, 64, {first, {words.handle(), 256, 252}}),
              "call 'order': buffer 'indices' has 252 bytes; 256 are required for 64 elements");
        error(host.record(commands, 0, {first, {words.handle(), 256, 0}}),
              "call 'order': buffer 'indices' has 0 bytes; 4 are required for 1 elements");
        error(host.record(commands, 1, {first, {VK_NULL_HANDLE, 0, 256}}), "'indices': the buffer is null");
        error(host.record(commands, 1, {first, {words.handle(), 2, 256}}), "'indices': offset 2 is not a multiple");
        error(gpu.record(commands, 64, {first, second}), "call 'argsort': the count must be a buffer");
        error(gpu.record(commands, BufferView{words.handle(), 512, 4}, {first, {words.handle(), 256, 128}}),
              "call 'argsort': buffer 'indices' has 128 bytes; 256 are required for 64 elements");
    });
}

TEST(Calls, OnlyImportsMayBeSmaller) {
    Graph graph(test_context());
    graph.allow_smaller(graph.transient_buffer<std::uint32_t>("scratch", 4));
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph,
                 testing::HasSubstr("allow_smaller: buffer 'scratch' is not an import"));
}

} // namespace
} // namespace weir::tests::calls_test
