#include "radix_sort/sorting.hpp"

#include <algorithm>
#include <numeric>

#include "common/copy.hpp"
#include "common/progress.hpp"
#include "common/timing.hpp"

namespace samples {

namespace {

using weir::Buffer;
using weir::BufferRef;
using weir::Context;
using weir::Program;
using weir::Result;

/// 0 where the device has no timestamps.
Result<double> time_program(const Context& gpu, Program& program, const Timing& timing,
                            const std::function<void(double)>& progress) {
    if (gpu.capabilities().timestamp_bits == 0) {
        return 0.0;
    }
    return time_programs(gpu, {&program}, timing, progress).map([](const std::vector<double>& ms) { return ms[0]; });
}

} // namespace

Result<Sorted> sort_on_device(const Context& gpu, const Words& keys, const Options& options) {
    const auto n = static_cast<std::uint32_t>(keys.size());

    weir::Graph graph(gpu);
    const auto in = graph.import_buffer<std::uint32_t>("keys", n);
    const auto out = graph.import_buffer<std::uint32_t>("sorted keys", n);
    BufferRef<std::uint32_t> values_in, values_out;
    if (options.values) {
        values_in = graph.import_buffer<std::uint32_t>("values", n);
        values_out = graph.import_buffer<std::uint32_t>("sorted values", n);
    }
    weir::radix_sort(graph, in,
                     {.values = values_in,
                      .descending = options.descending,
                      .first_bit = options.first_bit,
                      .end_bit = options.end_bit,
                      .output_keys = out,
                      .output_values = values_out});
    graph.export_buffer(out);
    if (options.values) {
        graph.export_buffer(values_out);
    }
    auto program = weir::compile(gpu, graph);
    if (!program) {
        return tl::unexpected(program.error());
    }

    Sorted result;
    result.scratch = program->memory();
    result.graph = program->plan().dot(program->description());
    Words places;
    if (options.values) {
        places.resize(n);
        std::iota(places.begin(), places.end(), 0U);
    }
    struct Binding {
        BufferRef<std::uint32_t> ref;
        const Words* contents;
        Buffer buffer;
    };
    Binding bindings[] = {{in, &keys, {}}, {out, nullptr, {}}, {values_in, &places, {}}, {values_out, nullptr, {}}};
    {
        Progress progress("upload");
        for (Binding& binding : bindings) {
            if (!binding.ref.valid()) {
                continue;
            }
            auto buffer = gpu.create_buffer((n + 3) / 4 * std::uint64_t{16});
            if (!buffer) {
                return tl::unexpected(buffer.error());
            }
            binding.buffer = std::move(*buffer);
            if (binding.contents != nullptr) {
                if (auto uploaded = gpu.upload(binding.buffer, *binding.contents); !uploaded) {
                    return tl::unexpected(uploaded.error());
                }
            }
            if (auto bound = program->bind(binding.ref, binding.buffer); !bound) {
                return tl::unexpected(bound.error());
            }
        }
    }
    const bool cpu = gpu.capabilities().kind == weir::DeviceKind::cpu;
    const Timing timing{cpu ? 1.0 : 150.0, options.repeat != 0 ? options.repeat : cpu ? 3U : 20U};
    const auto copied = copy_program(gpu, bindings[0].buffer, bindings[1].buffer, n).and_then([&](Program copy) {
        return time_program(gpu, copy, timing, [](double) {});
    });
    if (!copied) {
        return tl::unexpected(copied.error());
    }
    result.copy_ms = *copied;
    {
        Progress progress("sort");
        const auto timed = time_program(gpu, *program, timing, [&](double done) { progress.show(done); });
        if (!timed) {
            return tl::unexpected(timed.error());
        }
        result.gpu_ms = *timed;
    }
    // The result is that of a sort of its own, whether or not others were timed.
    if (auto ran = program->run(); !ran) {
        return tl::unexpected(ran.error());
    }
    Progress progress("download");
    for (auto [binding, words] : {std::pair{&bindings[1], &result.keys}, std::pair{&bindings[3], &result.values}}) {
        if (binding->ref.valid()) {
            auto downloaded = gpu.download<std::uint32_t>(binding->buffer, n);
            if (!downloaded) {
                return tl::unexpected(downloaded.error());
            }
            *words = std::move(*downloaded);
        }
    }
    return result;
}

Result<> verify(const Words& keys, const Sorted& sorted, const Options& options) {
    Progress progress("verify");
    const std::uint64_t mask =
        ((std::uint64_t{1} << options.end_bit) - 1) & ~((std::uint64_t{1} << options.first_bit) - 1);
    Words order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return options.descending ? (keys[a] & mask) > (keys[b] & mask) : (keys[a] & mask) < (keys[b] & mask);
    });
    progress.show(0.9);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (sorted.keys[i] != keys[order[i]]) {
            return tl::unexpected(weir::Error{weir::ErrorCode::vulkan, "the result is wrong: key " + std::to_string(i) +
                                                                           " is " + std::to_string(sorted.keys[i]) +
                                                                           ", not " + std::to_string(keys[order[i]])});
        }
        if (!sorted.values.empty() && sorted.values[i] != order[i]) {
            return tl::unexpected(weir::Error{
                weir::ErrorCode::vulkan, "the result is wrong: value " + std::to_string(i) + " is " +
                                             std::to_string(sorted.values[i]) + ", not " + std::to_string(order[i])});
        }
    }
    return {};
}

} // namespace samples
