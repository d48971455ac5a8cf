#include "radix_sort/sorting.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

#include "common/copy.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "common/words.hpp"

namespace samples {

namespace {

using weir::Buffer;
using weir::BufferId;
using weir::Context;
using weir::Program;
using weir::Result;

/// Returns the median GPU time in milliseconds, or 0 if the device has no timestamps.
Result<double> time_program(const Context& gpu, Program& program, const Timing& timing,
                            const std::function<void(double)>& progress) {
    if (gpu.capabilities().timestamp_bits == 0) {
        return 0.0;
    }
    return time_programs(gpu, {&program}, timing, progress).map([](const std::vector<double>& ms) { return ms[0]; });
}

/// Creates a buffer of whole 16-byte vectors, as copy_program requires.
Result<Buffer> create_buffer(const Context& gpu, std::size_t bytes) {
    return gpu.create_buffer((std::max<std::size_t>(1, bytes) + 15) / 16 * std::uint64_t{16});
}

/// Returns the median time of copying the first `bytes` bytes of a buffer, in milliseconds; 0 without timestamps.
Result<double> time_copy(const Context& gpu, const Buffer& from, std::size_t bytes, const Timing& timing) {
    auto to = create_buffer(gpu, bytes);
    SAMPLES_PROPAGATE(to);
    return copy_program(gpu, from, *to, static_cast<std::uint32_t>((bytes + 3) / 4)).and_then([&](Program copy) {
        return time_program(gpu, copy, timing, [](double) {});
    });
}

/// Buffers of the sort. Unused ones are invalid.
struct SortBuffers {
    BufferId keys, sorted_keys, values, sorted_values;
};

/// Returns how many of `n` keys are selected.
std::uint32_t wanted_of(std::size_t n, const Options& options) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(options.top_k.value_or(n), n));
}

template <class K>
SortBuffers add_sort(weir::Graph& graph, std::uint32_t n, const Options& options) {
    const auto keys = graph.import_buffer<K>("keys", n);
    const std::uint32_t wanted = wanted_of(n, options), room = std::max(1U, wanted);
    weir::RadixSortOptions<K> sort{.want_indices = options.argsort,
                                   .descending = options.descending,
                                   .first_bit = options.first_bit,
                                   .end_bit = options.end_bit,
                                   .want_keys = !options.argsort};
    if (sort.want_keys) {
        sort.output_keys = graph.import_buffer<K>("sorted keys", room);
        graph.export_buffer(sort.output_keys);
    }
    if (options.values) {
        sort.values = graph.import_buffer<std::uint32_t>("values", n);
    }
    if (options.values || options.argsort) {
        sort.output_values = graph.import_buffer<std::uint32_t>("sorted values", room);
        graph.export_buffer(sort.output_values);
    }
    if constexpr (sizeof(K) >= 4) { // the command line rejects --top-k for narrower keys
        if (options.top_k) {
            weir::top_k(graph, keys, wanted,
                        {.descending = options.descending,
                         .want_keys = sort.want_keys,
                         .values = sort.values,
                         .output_keys = sort.output_keys,
                         .output_indices = options.argsort ? sort.output_values : weir::BufferRef<std::uint32_t>{},
                         .output_values = options.values ? sort.output_values : weir::BufferRef<std::uint32_t>{}});
            return {keys, sort.output_keys, sort.values, sort.output_values};
        }
    }
    weir::radix_sort(graph, keys, sort);
    return {keys, sort.output_keys, sort.values, sort.output_values};
}

} // namespace

Result<Sorted> sort_on_device(const Context& gpu, const Bytes& keys, const Options& options) {
    const auto n = static_cast<std::uint32_t>(keys.size() / bytes_of(options.type));

    weir::Graph graph(gpu);
    const SortBuffers buffers =
        with_type(options.type, [&](auto zero) { return add_sort<decltype(zero)>(graph, n, options); });
    constexpr const char* compiling = "compiling pipelines";
    auto program = [&] {
        Progress progress(compiling);
        return weir::compile(gpu, graph);
    }();
    SAMPLES_PROPAGATE(program);

    Sorted result;
    result.scratch = program->memory();
    Words places;
    if (options.values) {
        places.resize(n);
        std::iota(places.begin(), places.end(), 0U);
    }
    struct Binding {
        BufferId id;
        std::size_t bytes;
        std::span<const std::byte> contents;
        Buffer buffer;
    };
    const std::size_t wanted = wanted_of(n, options), value_bytes = sizeof(std::uint32_t);
    Binding bindings[] = {{buffers.keys, keys.size(), std::as_bytes(std::span(keys)), {}},
                          {buffers.sorted_keys, wanted * bytes_of(options.type), {}, {}},
                          {buffers.values, n * value_bytes, std::as_bytes(std::span(places)), {}},
                          {buffers.sorted_values, wanted * value_bytes, {}, {}}};
    {
        Progress progress("upload");
        for (Binding& binding : bindings) {
            if (!binding.id.valid()) {
                continue;
            }
            auto buffer = create_buffer(gpu, binding.bytes);
            SAMPLES_PROPAGATE(buffer);
            binding.buffer = std::move(*buffer);
            if (!binding.contents.empty()) {
                SAMPLES_PROPAGATE(gpu.upload(binding.buffer, binding.contents));
            }
            SAMPLES_PROPAGATE(program->bind(binding.id, binding.buffer));
        }
    }
    {
        Progress progress(compiling); // some drivers compile a pipeline at its first use
        SAMPLES_PROPAGATE(program->run());
    }
    const bool cpu = gpu.capabilities().kind == weir::DeviceKind::cpu;
    const Timing timing{cpu ? 1.0 : 150.0, options.repeat != 0 ? options.repeat : cpu ? 3U : 20U};
    const auto copied = time_copy(gpu, bindings[0].buffer, keys.size(), timing);
    SAMPLES_PROPAGATE(copied);
    result.copy_ms = *copied;
    {
        Progress progress("sort");
        const auto timed = time_program(gpu, *program, timing, [&](double done) { progress.show(done); });
        SAMPLES_PROPAGATE(timed);
        result.gpu_ms = *timed;
    }
    auto plan = plan_texts(*program, options);
    SAMPLES_PROPAGATE(plan);
    result.plan = std::move(*plan);
    Progress progress("download");
    for (auto [binding, bytes] : {std::pair{&bindings[1], &result.keys}, std::pair{&bindings[3], &result.values}}) {
        if (binding->id.valid()) {
            auto downloaded = gpu.download<char>(binding->buffer, binding->bytes);
            SAMPLES_PROPAGATE(downloaded);
            *bytes = std::move(*downloaded);
        }
    }
    return result;
}

Result<> verify(const Bytes& keys, const Sorted& sorted, const Options& options) {
    Progress progress("verify");
    const std::uint32_t bits = options.end_bit - options.first_bit;
    const std::uint64_t mask = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits) << options.first_bit;
    const std::vector<std::uint64_t> numbers = in_unsigned_order(keys, options.type);
    Words order(numbers.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return options.descending ? (numbers[a] & mask) > (numbers[b] & mask)
                                  : (numbers[a] & mask) < (numbers[b] & mask);
    });
    order.resize(wanted_of(order.size(), options));
    progress.show(0.9);
    const auto wrong = [](const char* what, std::size_t i) {
        return tl::unexpected(weir::Error{weir::ErrorCode::vulkan,
                                          std::string("the result is wrong: ") + what + " " + std::to_string(i)});
    };
    const auto differs = [&](const Bytes& items, const char* expected, std::size_t bytes, std::size_t i) {
        return !items.empty() && std::memcmp(items.data() + i * bytes, expected, bytes) != 0;
    };
    const std::size_t bytes = bytes_of(options.type);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (differs(sorted.keys, keys.data() + order[i] * bytes, bytes, i)) {
            return wrong("key", i);
        }
        if (differs(sorted.values, reinterpret_cast<const char*>(&order[i]), sizeof(order[i]), i)) {
            return wrong("value", i);
        }
    }
    return {};
}

} // namespace samples
