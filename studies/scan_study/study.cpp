#include "scan_study/study.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "common/copy.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "scan_study/workload.hpp"

namespace samples {

namespace {

using weir::Result;
using weir::studies::ScanStrategy;

/// A program to measure.
struct Contender {
    std::string implementation;
    std::optional<Work> work = {}; ///< empty: a copy
    std::uint32_t one_in = 0;      ///< one tile in `one_in` never posts; 0: all tiles post
    weir::Program program;
    std::optional<weir::Program> counting; ///< the program with counters enabled
};

constexpr std::uint32_t rarest = 512; // one_in of the lowest blocking rate
/// Value of one_in that no tile number reaches: selects the kernel that can inject faults, and injects none.
constexpr std::uint32_t no_tile = std::numeric_limits<std::uint32_t>::max();

/// Returns the standard deviation of the values.
double deviation(const std::vector<double>& values, double mean) {
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return std::sqrt(squares / static_cast<double>(values.size()));
}

bool is_cpu(const weir::Capabilities& device) {
    return device.kind == weir::DeviceKind::cpu;
}

/// Returns true if running workgroups are known to keep running while others wait for them (occupancy-bound execution).
/// True for the vendors that the paper names, and on CPU devices, where workgroups run in threads.
bool keeps_running(const weir::Capabilities& device) {
    using namespace weir::vendors;
    constexpr std::array known = {amd, nvidia, arm, intel};
    return is_cpu(device) || std::find(known.begin(), known.end(), device.vendor_id) != known.end();
}

/// Returns the maximum number of words that the device can bind in one buffer and hold three times.
std::uint64_t most_numbers(const weir::Capabilities& device) {
    constexpr std::uint64_t buffers = 3, reserve = 4; // fraction of memory left to other users: 1 / reserve
    const std::uint64_t memory = device.device_local_memory - device.device_local_memory / reserve;
    return std::min(most_copied_words(device), memory / buffers / 4);
}

class Study {
public:
    Study(const weir::Context& gpu, Workload& workload, const Timing& timing)
        : gpu_(gpu), workload_(workload), timing_(timing) {}

    Result<> throughput(const std::vector<std::uint32_t>& sizes) {
        Progress progress("throughput");
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            std::vector<ScanStrategy> strategies{ScanStrategy::reduce_then_scan, ScanStrategy::fallback};
            if (keeps_running(gpu_.capabilities())) {
                strategies.insert(strategies.begin() + 1, ScanStrategy::look_back);
            }
            const auto show = [&](double part) {
                progress.show((static_cast<double>(i) + part) / static_cast<double>(sizes.size()));
            };
            auto done = contenders(Work::u32, sizes[i], strategies).and_then([&](std::vector<Contender> all) {
                return measure("throughput", Work::u32, sizes[i], all, show);
            });
            SAMPLES_PROPAGATE(done);
        }
        return {};
    }

    Result<> blocking(std::uint32_t n) {
        Progress progress("blocking");
        for (std::size_t i = 0; i < all_work.size(); ++i) {
            auto done = blocking(all_work.at(i), n, [&](double part) {
                progress.show((static_cast<double>(i) + part) / static_cast<double>(all_work.size()));
            });
            SAMPLES_PROPAGATE(done);
        }
        return {};
    }

    std::vector<Row> take_rows() { return std::move(rows_); }

private:
    Result<> blocking(Work work, std::uint32_t n, const std::function<void(double)>& progress) {
        std::vector<ScanStrategy> strategies;
        if (is_scan(work)) {
            strategies.push_back(ScanStrategy::reduce_then_scan);
        }
        auto all = contenders(work, n, strategies);
        SAMPLES_PROPAGATE(all);
        std::vector<std::uint32_t> rates{no_tile};
        for (std::uint32_t one_in = rarest; one_in > 0; one_in /= 2) {
            rates.push_back(one_in);
        }
        for (const std::uint32_t one_in : rates) {
            auto program = workload_.scan({.work = work, .n = n, .one_in = one_in});
            auto counting = workload_.scan({.work = work, .n = n, .one_in = one_in, .counts = true});
            if (!program || !counting) {
                return tl::unexpected(program ? counting.error() : program.error());
            }
            const Tiles tiles(*program, work);
            if (tiles.all() > 0 && (one_in == no_tile || tiles.silent(one_in) > 0)) {
                all->push_back({.implementation = weir::studies::to_string(ScanStrategy::fallback),
                                .work = work,
                                .one_in = one_in,
                                .program = std::move(*program),
                                .counting = std::move(*counting)});
            }
        }
        return measure("blocking", work, n, *all, progress);
    }

    /// Returns a copy of the same number of words, followed by the work by each strategy.
    Result<std::vector<Contender>> contenders(Work work, std::uint32_t n, const std::vector<ScanStrategy>& strategies) {
        std::vector<Contender> all;
        auto copy = workload_.copy(n * words_of(work));
        SAMPLES_PROPAGATE(copy);
        all.push_back({.implementation = "copy", .program = std::move(*copy)});
        for (const ScanStrategy strategy : strategies) {
            auto scan = workload_.scan({.work = work, .n = n, .strategy = strategy});
            SAMPLES_PROPAGATE(scan);
            all.push_back(
                {.implementation = weir::studies::to_string(strategy), .work = work, .program = std::move(*scan)});
        }
        return all;
    }

    /// Times all contenders, then checks their results.
    Result<> measure(const std::string& part, Work work, std::uint32_t n, std::vector<Contender>& all,
                     const std::function<void(double)>& progress) {
        std::vector<weir::Program*> programs;
        for (Contender& contender : all) {
            programs.push_back(&contender.program);
        }
        constexpr double timing_share = 0.7;
        const auto times = time_all_runs(gpu_, programs, timing_, [&](double done) { progress(timing_share * done); });
        SAMPLES_PROPAGATE(times);
        const double copy_ms = median(times->front());
        const auto reduce_then_scan = std::ranges::find(all, weir::studies::to_string(ScanStrategy::reduce_then_scan),
                                                        &Contender::implementation);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::vector<double>& runs = (*times)[i];
            const double mean = std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(runs.size());
            Row row{.part = part,
                    .operation = to_string(work),
                    .implementation = all[i].implementation,
                    .n = n,
                    .blocking = all[i].one_in == 0 || all[i].one_in == no_tile ? 0 : 1.0 / all[i].one_in,
                    .ms = median(runs),
                    .mean_ms = mean,
                    .deviation_ms = deviation(runs, mean),
                    .ratio_to_copy = copy_ms / median(runs)};
            if (reduce_then_scan != all.end()) {
                row.ratio_to_reduce_then_scan =
                    median((*times)[static_cast<std::size_t>(reduce_then_scan - all.begin())]) / row.ms;
            }
            SAMPLES_PROPAGATE(check(all[i], work, row));
            rows_.push_back(std::move(row));
            progress(timing_share + (1 - timing_share) * static_cast<double>(i + 1) / static_cast<double>(all.size()));
        }
        return {};
    }

    /// Checks a result. Fills the row's counters if the contender counts.
    Result<> check(Contender& contender, Work work, Row& row) {
        const std::uint32_t n = contender.work ? row.n : row.n * words_of(work);
        std::string name = row.implementation + " (" + row.operation + ") of " + std::to_string(row.n);
        if (row.blocking > 0) {
            name += " with one tile in " + std::to_string(contender.one_in) + " that never posts";
        }
        auto right = workload_.check(contender.program, n, contender.work, name);
        if (!right || !contender.counting) {
            return right;
        }
        const Tiles tiles(contender.program, work);
        row.tiles = tiles.all();
        row.silent_tiles = contender.one_in == no_tile ? 0 : tiles.silent(contender.one_in);
        right = workload_.check(*contender.counting, n, contender.work, name);
        SAMPLES_PROPAGATE(right);
        auto& means = row.per_workgroup.emplace();
        for (std::uint32_t run = 0; run < timing_.repeat; ++run) {
            if (run > 0) {
                SAMPLES_PROPAGATE(contender.counting->run());
            }
            const auto counters = workload_.counters();
            SAMPLES_PROPAGATE(counters);
            const std::array counts{counters->spins, counters->look_back, counters->fallbacks, counters->fallbacks_won,
                                    counters->tiles};
            static_assert(counts.size() == counter_names.size());
            for (std::size_t i = 0; i < counts.size(); ++i) {
                means.at(i) += counts.at(i) / (static_cast<double>(row.tiles) * timing_.repeat);
            }
        }
        return {};
    }

    const weir::Context& gpu_;
    Workload& workload_;
    Timing timing_;
    std::vector<Row> rows_;
};

} // namespace

Result<StudyPlan> plan_study(const weir::Capabilities& device, const Options& options) {
    const bool cpu = is_cpu(device);
    const std::uint64_t most = most_numbers(device);
    Sizes sizes = options.sizes.value_or(Sizes{.first = 10, .last = cpu ? 18U : 28U, .step = 2});
    while (!options.sizes && sizes.last > sizes.first && (std::uint64_t{1} << sizes.last) > most) {
        --sizes.last;
    }
    const std::uint64_t blocking_size =
        options.blocking_size.value_or(cpu ? 1U << 18 : std::min<std::uint64_t>(most / 2, 1U << 24));
    const std::uint64_t largest =
        std::max(std::uint64_t{1} << sizes.last, 2 * blocking_size); // elements of u64 take two words
    if (largest > most) {
        return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded,
                                          std::to_string(largest) +
                                              " words are too many: the device must bind them as one buffer and "
                                              "hold three such buffers; the maximum is " +
                                              std::to_string(most)});
    }
    StudyPlan plan{.blocking_size = static_cast<std::uint32_t>(blocking_size), .seed = options.seed};
    for (std::uint32_t power = sizes.first; power <= sizes.last; power += sizes.step) {
        plan.sizes.push_back(1U << power);
    }
    // Clocks take 150 ms to rise, and longer after the pause in which results are compared.
    plan.timing = {.warm_up_ms = cpu ? 1.0 : 500.0, .repeat = options.repeat != 0 ? options.repeat : cpu ? 3U : 30U};
    return plan;
}

Result<std::vector<Row>> run_study(const weir::Context& gpu, const StudyPlan& plan) {
    const std::uint32_t most =
        std::max(*std::max_element(plan.sizes.begin(), plan.sizes.end()), 2 * plan.blocking_size);
    auto workload = Workload::create(gpu, most, plan.seed);
    SAMPLES_PROPAGATE(workload);
    Study study(gpu, *workload, plan.timing);
    auto done = study.throughput(plan.sizes);
    if (done) {
        done = study.blocking(plan.blocking_size);
    }
    return done.map([&] { return study.take_rows(); });
}

} // namespace samples
