#include "tune/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/timing.hpp"
#include "engine/text.hpp"

namespace weir::bench {

namespace {

constexpr double noise = 0.015;    // of a time; medians of the same shape differ by less
constexpr std::size_t present = 0; // the variant that runs the shape which Weir has

/// A variant's times in the rounds.
struct Finalist {
    std::size_t variant = 0;
    std::vector<double> rounds_ms;
    double ms = 0;
};

/// Each of them once, present and previous shape first: they stay where nothing is better.
std::vector<Finalist> finalists_of(std::vector<std::pair<double, std::size_t>> by_time, std::size_t previous,
                                   std::size_t most) {
    std::vector<Finalist> finalists{{present, {}, 0}};
    if (previous != present) {
        finalists.push_back({previous, {}, 0});
    }
    std::ranges::sort(by_time);
    for (const auto& [ms, variant] : by_time) {
        if (variant != present && variant != previous && finalists.size() < most) {
            finalists.push_back({variant, {}, 0});
        }
    }
    return finalists;
}

/// Previous and present shape stay unless the best one is better in more than two of three rounds, each compared with
/// its own: what disturbs a round disturbs all of it.
std::size_t winner_of(std::span<const Finalist> finalists, std::size_t previous) {
    const Finalist& best = *std::ranges::min_element(finalists, {}, &Finalist::ms);
    for (const std::size_t variant : {previous, present}) {
        const Finalist& stays = *std::ranges::find(finalists, variant, &Finalist::variant);
        std::size_t lost = 0;
        for (std::size_t round = 0; round < stays.rounds_ms.size(); ++round) {
            lost += stays.rounds_ms[round] > best.rounds_ms[round] * (1 + noise) ? 1 : 0;
        }
        if (3 * lost <= 2 * stays.rounds_ms.size()) {
            return variant;
        }
    }
    return best.variant;
}

} // namespace

Result<Tuner> Tuner::create(const Context& context, bool quick) {
    const bool is_cpu = context.capabilities().kind == DeviceKind::cpu;
    const TimerOptions look{.repeats = quick ? 3U : 10U, .warm_up_ms = is_cpu ? 0.5 : 20, .limit_ms = 200};
    const TimerOptions last_word{.repeats = quick ? 5U : 20U, .warm_up_ms = is_cpu ? 1.0 : 50, .limit_ms = 500};
    auto first = Timer::create(context, look);
    auto last = Timer::create(context, last_word);
    if (!first || !last) {
        return tl::unexpected(first ? last.error() : first.error());
    }
    return Tuner(context, std::move(*first), std::move(*last), quick ? 3 : 6, quick ? 3 : 7);
}

/// The geometric mean over the operations, so that none of them counts for more because it takes longer.
Result<double> Tuner::time(const TunedKernel& kernel, std::size_t variant, std::uint32_t words, Timer& timer) {
    double sum = 0;
    for (const Operation& operation : kernel.operations) {
        const std::uint32_t n = words / operation.words_per_item;
        if (auto fits = check_fit(operation, n, data_.context().capabilities()); !fits) {
            return tl::unexpected(fits.error());
        }
        auto program = operation.variants.at(variant).prepare(data_, n);
        if (!program) {
            return tl::unexpected(program.error());
        }
        const auto times = timer.time(*program);
        if (!times) {
            return tl::unexpected(times.error());
        }
        sum += std::log(times->median_ms);
    }
    return std::exp(sum / static_cast<double>(kernel.operations.size()));
}

Result<> Tuner::verify(const TunedKernel& kernel, std::size_t variant, std::uint32_t words) {
    for (const Operation& operation : kernel.operations) {
        const std::uint32_t n = words / operation.words_per_item;
        auto program = operation.variants.at(variant).prepare(data_, n);
        if (!program) {
            return tl::unexpected(program.error());
        }
        if (auto poisoned = poison_outputs(operation, n, data_); !poisoned) {
            return poisoned;
        }
        if (auto ran = program->run(); !ran) {
            return tl::unexpected(ran.error());
        }
        Arrays expected;
        if (auto verified = verify_outputs(operation, n, data_, expected); !verified) {
            Error error = verified.error();
            error.message = concat(operation.op, "/", operation.type, " of ", n, " by ",
                                   operation.variants.at(variant).impl, ": ", error.message);
            return tl::unexpected(error);
        }
    }
    return {};
}

Result<Choice> Tuner::choose(const TunedKernel& kernel, std::uint32_t words, const std::optional<Choice>& previous,
                             const std::function<void(double)>& progress) {
    std::size_t before = previous && previous->candidate ? *previous->candidate + 1 : present;
    if (before != present && !can_run(kernel.candidates[before - 1], words)) {
        before = present;
    }
    const std::size_t variants = kernel.candidates.size() + 1;
    const double steps = static_cast<double>(variants + finalists_ * rounds_);
    std::size_t done = 0;
    const auto step = [&] { progress(static_cast<double>(++done) / steps); };

    std::vector<std::pair<double, std::size_t>> by_time;
    for (std::size_t variant = 0; variant < variants; ++variant) {
        step();
        if (variant != present && variant != before && !is_worth_trying(kernel.candidates[variant - 1], words)) {
            continue;
        }
        if (const auto ms = time(kernel, variant, words, first_)) {
            by_time.emplace_back(*ms, variant);
        } else if (variant == present || ms.error().code == ErrorCode::device_lost) {
            return tl::unexpected(ms.error()); // other shapes may be more than this device can run
        }
    }
    if (std::ranges::find(by_time, before, &std::pair<double, std::size_t>::second) == by_time.end()) {
        before = present;
    }
    auto finalists = finalists_of(std::move(by_time), before, finalists_);
    for (std::size_t round = 0; round < rounds_; ++round) {
        for (Finalist& finalist : finalists) {
            step();
            const auto ms = time(kernel, finalist.variant, words, last_);
            if (!ms) {
                return tl::unexpected(ms.error());
            }
            finalist.rounds_ms.push_back(*ms);
            finalist.ms = samples::median(finalist.rounds_ms);
        }
    }

    const std::size_t winner = winner_of(finalists, before);
    if (auto verified = verify(kernel, winner, words); !verified) {
        return tl::unexpected(verified.error());
    }
    Choice choice{.words = words};
    if (winner != present) {
        choice.candidate = winner - 1;
    }
    choice.present_ms = finalists.front().ms;
    choice.chosen_ms = std::ranges::find(finalists, winner, &Finalist::variant)->ms;
    return choice;
}

} // namespace weir::bench
