#include "call_bench.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "common/propagate.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t items = 1U << 16;
constexpr std::uint32_t least_runs = 50;
constexpr const char* names[] = {"one_call/record/call", "one_call/record/graph", "one_call/execute/call",
                                 "one_call/execute/graph"};

double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The program of a graph that sorts pairs in place.
struct PairSort {
    Program program;
    BufferRef<std::uint32_t> keys, values;

    static Result<PairSort> create(const Context& context) {
        Graph graph(context);
        const auto keys = graph.import_buffer<std::uint32_t>("keys", items);
        const auto values = graph.import_buffer<std::uint32_t>("values", items);
        radix_sort<std::uint32_t, std::uint32_t>(graph, keys,
                                                 {.values = values, .output_keys = keys, .output_values = values});
        return compile(context, graph).map([&](Program program) { return PairSort{std::move(program), keys, values}; });
    }

    Result<> record(VkCommandBuffer commands, const BufferView& key_view, const BufferView& value_view) {
        return program.bind(keys, key_view).and_then([&] { return program.bind(values, value_view); }).and_then([&] {
            return program.record(commands);
        });
    }
};

} // namespace

std::vector<std::string> call_row_names() {
    return {std::begin(names), std::end(names)};
}

Result<> time_one_call(const Context& context, std::uint32_t repeats,
                       const std::function<bool(const std::string& name)>& selected,
                       const std::function<void(const Row& row)>& report) {
    auto call = sort_call<std::uint32_t, std::uint32_t>(context, {.max_count = items});
    SAMPLES_PROPAGATE(call);
    auto graph = PairSort::create(context);
    SAMPLES_PROPAGATE(graph);
    auto timestamps = Timestamps::create(context, 2);
    SAMPLES_PROPAGATE(timestamps);
    constexpr std::uint64_t bytes = items * sizeof(std::uint32_t);
    const auto memory = context.create_buffer(2 * bytes);
    SAMPLES_PROPAGATE(memory);
    const BufferView keys{memory->handle(), 0, bytes}, values{memory->handle(), bytes, bytes};
    std::vector<std::uint32_t> random(items);
    std::uint32_t state = 1;
    std::generate(random.begin(), random.end(), [&] { return state = state * 1664525 + 1013904223; });

    const std::function<Result<>(VkCommandBuffer)> ways[] = {
        [&](VkCommandBuffer commands) {
            return call->record(commands, items, {keys, values});
        },
        [&](VkCommandBuffer commands) { return graph->record(commands, keys, values); },
    };
    const std::uint32_t runs = std::max(repeats, least_runs);
    std::vector<double> took[std::size(names)];
    for (std::uint32_t run = 0; run < 2 * runs; ++run) {
        for (std::size_t way = 0; way < std::size(ways); ++way) {
            SAMPLES_PROPAGATE(context.upload(keys, random));
            double record_ms = 0;
            const auto done = context.submit([&](VkCommandBuffer commands) {
                timestamps->reset(commands);
                timestamps->write(commands, 0);
                const double begin = now_ms();
                auto recorded = ways[way](commands);
                record_ms = now_ms() - begin;
                timestamps->write(commands, 1);
                return recorded;
            });
            SAMPLES_PROPAGATE(done);
            const auto ns = timestamps->read(2);
            SAMPLES_PROPAGATE(ns);
            if (run >= runs) {
                took[way].push_back(record_ms);
                took[std::size(ways) + way].push_back(((*ns)[1] - (*ns)[0]) * 1e-6);
            }
        }
    }
    for (std::size_t i = 0; i < std::size(names); ++i) {
        if (selected(names[i])) {
            report(row_of(names[i], items, took[i]));
        }
    }
    return {};
}

} // namespace weir::bench
