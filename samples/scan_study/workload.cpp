#include "scan_study/workload.hpp"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <span>
#include <utility>

#include <weir/graph/description.hpp>

#include "common/copy.hpp"
#include "common/progress.hpp"

namespace samples {

namespace {

using weir::Result;

Result<weir::Program> make_program(const weir::Context& gpu, const weir::Graph& graph,
                                   std::initializer_list<std::pair<weir::BufferId, weir::BufferView>> imports) {
    auto program = weir::compile(gpu, graph);
    for (const auto& [import, view] : imports) {
        if (program) {
            if (auto bound = program->bind(import, view); !bound) {
                return tl::unexpected(bound.error());
            }
        }
    }
    return program;
}

} // namespace

Result<Workload> Workload::create(const weir::Context& gpu, std::uint32_t most, std::uint64_t seed) {
    weir::Buffer input, output, counters;
    const std::uint64_t bytes = (std::uint64_t{most} + 3) / 4 * 16; // the copy moves whole vectors
    for (const auto& [buffer, size] :
         {std::pair{&input, bytes}, std::pair{&output, bytes}, std::pair{&counters, std::uint64_t{16}}}) {
        auto made = gpu.create_buffer(size);
        if (!made) {
            return tl::unexpected(made.error());
        }
        *buffer = std::move(*made);
    }
    weir::Graph graph(gpu);
    const auto poisoned = graph.import_buffer<std::uint32_t>("output", most);
    graph.add_fill("poison", poisoned, 0xA5A5A5A5U);
    auto poison = make_program(gpu, graph, {{poisoned, output}});
    if (!poison) {
        return tl::unexpected(poison.error());
    }
    Workload workload(gpu, std::move(*poison));
    workload.sums_ = random_words(most, seed);
    if (auto uploaded = gpu.upload(input, workload.sums_); !uploaded) {
        return tl::unexpected(uploaded.error());
    }
    std::partial_sum(workload.sums_.begin(), workload.sums_.end(), workload.sums_.begin());
    workload.input_ = std::move(input);
    workload.output_ = std::move(output);
    workload.counters_ = std::move(counters);
    return workload;
}

Result<weir::Program> Workload::copy(std::uint32_t n) const {
    return copy_program(*gpu_, input_, output_, n);
}

Result<weir::Program> Workload::scan(const Scan& scan) const {
    weir::Graph graph(*gpu_);
    const auto input = graph.import_buffer<std::uint32_t>("input", scan.n);
    const auto output = graph.import_buffer<std::uint32_t>("output", scan.n);
    weir::ScanOptions<std::uint32_t> options;
    options.output = output;
    options.tuning.strategy = scan.strategy;
    options.faults.one_in = scan.one_in;
    if (!scan.counts) {
        weir::scan(graph, input, options);
        return make_program(*gpu_, graph, {{input, input_}, {output, output_}});
    }
    options.counters = graph.import_buffer<std::uint32_t>("counters", 4);
    weir::scan(graph, input, options);
    return make_program(*gpu_, graph, {{input, input_}, {output, output_}, {options.counters, counters_}});
}

Result<> Workload::check(weir::Program& program, std::uint32_t n, Outcome outcome, const std::string& name) {
    for (weir::Program* each : {&poison_, &program}) {
        if (auto ran = each->run(); !ran) {
            return tl::unexpected(ran.error());
        }
    }
    constexpr std::uint32_t most = 1U << 22; // at a time
    Words found(std::min(n, most));
    for (std::uint32_t first = 0; first < n; first += std::min(n - first, most)) {
        const std::span part(found.data(), std::min(n - first, most));
        const weir::BufferView view{output_.handle(), first * std::uint64_t{4}, part.size_bytes()};
        if (auto downloaded = gpu_->download(std::as_writable_bytes(part), view); !downloaded) {
            return downloaded;
        }
        for (std::uint32_t i = first; i < first + part.size(); ++i) {
            const std::uint32_t before = outcome == Outcome::copied && i > 0 ? sums_[i - 1] : 0;
            const std::uint32_t expected = sums_[i] - before;
            if (part[i - first] != expected) {
                return tl::unexpected(weir::Error{weir::ErrorCode::vulkan, name + ": the result is wrong: number " +
                                                                               std::to_string(i) + " is " +
                                                                               std::to_string(part[i - first]) +
                                                                               ", not " + std::to_string(expected)});
            }
        }
    }
    return {};
}

Result<weir::LookBackCounters> Workload::counters() const {
    return gpu_->download<weir::LookBackCounters>(counters_, 1).map([](const std::vector<weir::LookBackCounters>& all) {
        return all[0];
    });
}

std::uint32_t workgroups_of(const weir::Program& program) {
    for (const auto& node : program.description().passes) {
        const auto* pass = std::get_if<weir::Pass>(&node.work);
        if (pass != nullptr && pass->dispatch.kind == weir::Dispatch::Kind::elements) {
            return (pass->dispatch.count.max + pass->dispatch.per_group - 1) / pass->dispatch.per_group;
        }
    }
    return 0;
}

} // namespace samples
