#include "radix_sort/sorting.hpp"

#include <algorithm>
#include <numeric>

#include "common/progress.hpp"
#include "radix_sort_shaders.hpp"

namespace samples {

namespace {

using weir::Buffer;
using weir::BufferRef;
using weir::Context;
using weir::Program;
using weir::Result;

struct Timing {
    double warm_up_ms;
    std::uint32_t repeat;
};

/// GPU times of `runs` runs of a program, one after the other in one command buffer, in milliseconds.
Result<std::vector<double>> time_runs(const Context& gpu, Program& program, std::uint32_t runs) {
    const auto timestamps = weir::Timestamps::create(gpu, runs + 1);
    if (!timestamps) {
        return tl::unexpected(timestamps.error());
    }
    const auto done = gpu.submit([&](VkCommandBuffer commands) -> Result<> {
        timestamps->reset(commands);
        timestamps->write(commands, 0);
        for (std::uint32_t i = 0; i < runs; ++i) {
            if (auto recorded = program.record(commands); !recorded) {
                return recorded;
            }
            timestamps->write(commands, i + 1);
        }
        return {};
    });
    if (!done) {
        return tl::unexpected(done.error());
    }
    return timestamps->read(runs + 1).map([](std::vector<double> times) {
        std::adjacent_difference(times.begin(), times.end(), times.begin());
        times.erase(times.begin());
        for (double& ns : times) {
            ns *= 1e-6;
        }
        return times;
    });
}

/// The median GPU time of one run, in milliseconds. The device first works for a while: from idle its clocks take that
/// long to rise.
Result<double> time_program(const Context& gpu, Program& program, const Timing& timing, Progress* progress) {
    if (gpu.capabilities().timestamp_bits == 0) {
        return 0.0;
    }
    double worked = 0;
    std::vector<double> each;
    for (std::uint32_t runs = 1; worked < timing.warm_up_ms || each.size() < timing.repeat;
         runs = std::min(runs * 2, 64U)) {
        const auto times = time_runs(gpu, program, runs);
        if (!times) {
            return tl::unexpected(times.error());
        }
        if (worked >= timing.warm_up_ms) {
            each.insert(each.end(), times->begin(), times->end());
        }
        worked += std::max(std::accumulate(times->begin(), times->end(), 0.0), 0.01);
        if (progress != nullptr) {
            progress->show(0.5 * std::min(1.0, worked / timing.warm_up_ms) +
                           0.5 * static_cast<double>(each.size()) / timing.repeat);
        }
    }
    std::nth_element(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2), each.end());
    return each[each.size() / 2];
}

/// What the memory allows: copying the same keys, 16 bytes at a time.
Result<double> time_copy(const Context& gpu, const Buffer& from, const Buffer& to, std::uint32_t keys,
                         const Timing& timing) {
    const std::uint32_t vectors = (keys + 3) / 4; // buffers are whole vectors long
    weir::Graph graph(gpu);
    const auto source = graph.import_buffer<std::uint32_t>("keys", vectors * 4);
    const auto target = graph.import_buffer<std::uint32_t>("copy", vectors * 4);
    weir::Pass pass;
    pass.name = "copy";
    pass.shader =
        weir::ShaderSource::spirv({radix_sort::shaders::copy.begin(), radix_sort::shaders::copy.end()}, "copy");
    pass.bindings = {weir::read(source), weir::write(target)};
    pass.push = {vectors};
    pass.dispatch = weir::Dispatch::elements(vectors, 256);
    graph.add_pass(pass);
    graph.export_buffer(target);
    auto program = weir::compile(gpu, graph);
    if (!program) {
        return tl::unexpected(program.error());
    }
    for (const auto& [ref, buffer] : {std::pair{source, &from}, std::pair{target, &to}}) {
        if (auto bound = program->bind(ref, *buffer); !bound) {
            return tl::unexpected(bound.error());
        }
    }
    return time_program(gpu, *program, timing, nullptr);
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
    const auto copied = time_copy(gpu, bindings[0].buffer, bindings[1].buffer, n, timing);
    if (!copied) {
        return tl::unexpected(copied.error());
    }
    result.copy_ms = *copied;
    {
        Progress progress("sort");
        const auto timed = time_program(gpu, *program, timing, &progress);
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
