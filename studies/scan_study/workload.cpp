#include "scan_study/workload.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <numeric>
#include <span>
#include <utility>

#include <weir/graph/description.hpp>

#include "common/copy.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"

namespace samples {

namespace {

using weir::BufferRef;
using weir::Result;
using weir::testing::LookBackCounters;

Result<weir::Program> make_program(const weir::Context& gpu, const weir::Graph& graph,
                                   std::initializer_list<std::pair<weir::BufferId, weir::BufferView>> imports) {
    auto program = weir::compile(gpu, graph);
    for (const auto& [import, view] : imports) {
        if (program && import.valid()) {
            SAMPLES_PROPAGATE(program->bind(import, view));
        }
    }
    return program;
}

/// Returns -1, 0 or 1. Sums of these are exact.
float small_float(std::uint32_t random) {
    return static_cast<float>(static_cast<int>(random % 3) - 1);
}

/// The map x -> a x + b.
using Affine = std::array<float, 2>;

weir::Monoid composition() {
    return {.name = "affine",
            .fields = {"float a", "float b"},
            .identity = "T(1.0, 0.0)",
            .combine = "return T(right.a * left.a, right.a * left.b + right.b);"};
}

/// Adds an inclusive scan of type T. Returns its input and output.
template <class T>
std::pair<weir::BufferId, weir::BufferId> add_scan(weir::Graph& graph, const Scan& scan,
                                                   weir::ScanOptions<T> options = {}) {
    const auto input = graph.import_buffer<T>("input", scan.n);
    options.output = graph.import_buffer<T>("output", scan.n);
    weir::scan(graph, input, options);
    return {input, options.output};
}

} // namespace

const char* to_string(Work work) {
    switch (work) {
    case Work::f32: return "f32";
    case Work::u64: return "u64";
    case Work::affine: return "affine";
    case Work::select: return "select_if";
    case Work::sort: return "radix_sort";
    case Work::u32: break;
    }
    return "u32";
}

bool is_scan(Work work) {
    return work != Work::select && work != Work::sort;
}

std::uint32_t words_of(Work work) {
    return work == Work::u64 || work == Work::affine ? 2 : 1;
}

Result<Workload> Workload::create(const weir::Context& gpu, std::uint32_t most, std::uint64_t seed) {
    weir::Buffer input, floats, output, counters;
    const std::uint64_t bytes = (std::uint64_t{most} + 3) / 4 * 16; // copy_program moves whole 16-byte vectors
    for (const auto& [buffer, size] : {std::pair{&input, bytes}, std::pair{&floats, bytes}, std::pair{&output, bytes},
                                       std::pair{&counters, std::uint64_t{sizeof(LookBackCounters)}}}) {
        auto made = gpu.create_buffer(size);
        SAMPLES_PROPAGATE(made);
        *buffer = std::move(*made);
    }
    weir::Graph graph(gpu);
    const auto poisoned = graph.import_buffer<std::uint32_t>("output", most);
    graph.add_fill("poison", poisoned, 0xA5A5A5A5U);
    auto poison = make_program(gpu, graph, {{poisoned, output}});
    SAMPLES_PROPAGATE(poison);
    Workload workload(gpu, std::move(*poison));
    workload.words_ = random_words(most, seed);
    std::vector<float> numbers(most);
    std::transform(workload.words_.begin(), workload.words_.end(), numbers.begin(), small_float);
    auto uploaded = gpu.upload(input, workload.words_).and_then([&] { return gpu.upload(floats, numbers); });
    SAMPLES_PROPAGATE(uploaded);
    workload.input_ = std::move(input);
    workload.floats_ = std::move(floats);
    workload.output_ = std::move(output);
    workload.counters_ = std::move(counters);
    return workload;
}

Result<weir::Program> Workload::copy(std::uint32_t words) const {
    return copy_program(*gpu_, input_, output_, words);
}

Result<weir::Program> Workload::scan(const Scan& scan) const {
    weir::Graph graph(*gpu_);
    BufferRef<std::uint32_t> counters;
    if (scan.counts) {
        counters = graph.import_buffer<std::uint32_t>("counters", sizeof(LookBackCounters) / 4);
    }
    const auto scope = weir::testing::instrument(
        graph,
        {.one_in = scan.one_in, .counters = counters, .scan_variant = weir::studies::scan_variant(scan.strategy)});
    std::pair<weir::BufferId, weir::BufferId> bound;
    if (scan.work == Work::select || scan.work == Work::sort) {
        const auto from = graph.import_buffer<std::uint32_t>("input", scan.n);
        const auto to = graph.import_buffer<std::uint32_t>("output", scan.n);
        if (scan.work == Work::select) {
            const auto kept = weir::select_if(graph, from, "x % 3u == 0u", {.output = to});
            graph.export_buffer(kept.count);
        } else {
            weir::radix_sort(graph, from, {.output_keys = to});
        }
        bound = {from, to};
    } else {
        bound = scan.work == Work::f32      ? add_scan<float>(graph, scan)
                : scan.work == Work::u64    ? add_scan<std::uint64_t>(graph, scan)
                : scan.work == Work::affine ? add_scan<Affine>(graph, scan, {.op = composition()})
                                            : add_scan<std::uint32_t>(graph, scan);
    }
    const bool of_floats = scan.work == Work::f32 || scan.work == Work::affine;
    return make_program(*gpu_, graph,
                        {{bound.first, of_floats ? floats_ : input_}, {bound.second, output_}, {counters, counters_}});
}

Words Workload::expected(std::uint32_t n, std::optional<Work> work) const {
    const auto end = words_.begin() + n;
    Words words(words_.begin(), end);
    if (!work) {
        return words;
    }
    switch (*work) {
    case Work::u32: std::partial_sum(words.begin(), words.end(), words.begin()); break;
    case Work::f32: {
        float sum = 0;
        for (std::uint32_t& word : words) {
            word = std::bit_cast<std::uint32_t>(sum += small_float(word));
        }
        break;
    }
    case Work::u64: {
        std::vector<std::uint64_t> numbers(n);
        std::memcpy(numbers.data(), words_.data(), numbers.size() * 8);
        std::partial_sum(numbers.begin(), numbers.end(), numbers.begin());
        words.resize(std::size_t{n} * 2);
        std::memcpy(words.data(), numbers.data(), numbers.size() * 8);
        break;
    }
    case Work::affine: {
        words.resize(std::size_t{n} * 2);
        Affine before{1, 0};
        for (std::size_t i = 0; i < words.size(); i += 2) {
            const float a = small_float(words_[i]), b = small_float(words_[i + 1]);
            before = {a * before[0], a * before[1] + b};
            words[i] = std::bit_cast<std::uint32_t>(before[0]);
            words[i + 1] = std::bit_cast<std::uint32_t>(before[1]);
        }
        break;
    }
    case Work::select: std::erase_if(words, [](std::uint32_t x) { return x % 3 != 0; }); break;
    case Work::sort: std::sort(words.begin(), words.end()); break;
    }
    return words;
}

Result<> Workload::check(weir::Program& program, std::uint32_t n, std::optional<Work> work, const std::string& name) {
    for (weir::Program* each : {&poison_, &program}) {
        SAMPLES_PROPAGATE(each->run());
    }
    if (std::pair(n, work) != expected_of_) {
        expected_ = expected(n, work);
        expected_of_ = {n, work};
    }
    const Words& right = expected_;
    constexpr std::size_t most = 1U << 22; // words per download
    Words found(std::min(right.size(), most));
    for (std::size_t first = 0; first < right.size(); first += most) {
        const std::span part(found.data(), std::min(right.size() - first, most));
        const weir::BufferView view{output_.handle(), first * 4, part.size_bytes()};
        SAMPLES_PROPAGATE(gpu_->download(std::as_writable_bytes(part), view));
        const auto differs =
            std::mismatch(part.begin(), part.end(), right.begin() + static_cast<std::ptrdiff_t>(first));
        if (differs.first != part.end()) {
            return tl::unexpected(
                weir::Error{weir::ErrorCode::vulkan,
                            name + ": the result is wrong: word " + std::to_string(differs.second - right.begin()) +
                                " is " + std::to_string(*differs.first) + ", not " + std::to_string(*differs.second)});
        }
    }
    return {};
}

Result<LookBackCounters> Workload::counters() const {
    return gpu_->download<LookBackCounters>(counters_, 1).map([](const std::vector<LookBackCounters>& all) {
        return all[0];
    });
}

Tiles::Tiles(const weir::Program& program, Work work) : first_waits_(work != Work::sort) {
    for (const auto& node : program.description().passes) {
        const auto* pass = node.compute_pass();
        if (pass != nullptr && pass->dispatch.kind == weir::Dispatch::Kind::elements &&
            pass->name.find("histogram") == std::string::npos) {
            passes_.push_back(static_cast<std::uint32_t>(
                (std::uint64_t{pass->dispatch.count.max} + pass->dispatch.per_group - 1) / pass->dispatch.per_group));
        }
    }
}

std::uint32_t Tiles::all() const {
    return std::accumulate(passes_.begin(), passes_.end(), 0U);
}

std::uint32_t Tiles::silent(std::uint32_t one_in) const {
    std::uint32_t count = 0;
    for (std::size_t i = first_waits_ ? 0 : 1; i < passes_.size(); ++i) {
        count += (passes_[i] - 1) / one_in;
    }
    return count;
}

} // namespace samples
