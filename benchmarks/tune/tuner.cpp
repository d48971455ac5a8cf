#include "tune/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/propagate.hpp"
#include "common/timing.hpp"
#include "engine/base/strings.hpp"
#include "tune/candidates.hpp"

namespace weir::bench {

namespace {

constexpr double share_of_look = 0.35;                // part of the time after which no more candidates are tried
constexpr double share_refined = 0.5;                 // part of the time after which no more neighbors are tried
constexpr double share_halved = 0.75;                 // part of the time after which halving ends
constexpr std::uint32_t most_words_on_cpu = 1U << 22; // maximum size for results on the CPU
constexpr std::uint32_t most_words_kept = 1U << 22;   // maximum size at which several programs are kept

/// Returns the items of an operation with `words` words of input. For sorts, the table counts keys.
std::uint32_t items_of(ShapeKernel kernel, const Operation& operation, std::uint32_t words) {
    return is_sort(kernel) ? words : words / operation.words_per_item;
}

bool contains(const std::vector<KernelShape>& shapes, const KernelShape& shape) {
    return std::ranges::any_of(shapes, [&](const KernelShape& other) { return same_shape(other, shape); });
}

} // namespace

/// A shape in a search.
struct Tuner::Contender {
    KernelShape shape;
    std::vector<Operation> operations;
    double ms = std::numeric_limits<double>::infinity(); ///< last measurement
    std::vector<double> rounds_ms;                       ///< times of the final rounds
    std::vector<Program> programs;                       ///< programs of the operations, if kept
};

Result<Tuner> Tuner::create(const Context& context, bool quick) {
    const bool is_cpu = context.capabilities().kind == DeviceKind::cpu;
    std::vector<Timer> timers;
    for (const std::uint32_t repeats : {5U, 10U, 20U, 30U}) {
        const bool is_last = repeats == 30;
        const double warm_up_ms = is_cpu ? 0.5 : is_last ? 50 : 20;
        auto timer = Timer::create(
            context,
            {.repeats = quick ? 3U : repeats, .warm_up_ms = warm_up_ms, .limit_ms = is_last ? 400.0 : 10.0 * repeats});
        SAMPLES_PROPAGATE(timer);
        timers.push_back(std::move(*timer));
    }
    return Tuner(context, std::move(timers), quick);
}

bool Tuner::fits(ShapeKernel kernel, std::uint32_t words) const {
    return std::ranges::all_of(judged_operations(kernel, nullptr, quick_), [&](const Operation& operation) {
        return check_fit(operation, items_of(kernel, operation, words), data_.context().capabilities()).has_value();
    });
}

/// Returns the geometric mean of the times of the first `judges` operations, which gives each the same weight. `keeps`:
/// keeps programs for the next call, unless the input is large. All operations must have run before, so no buffer is
/// replaced by a larger one.
Result<double> Tuner::time(const Search& search, Contender& contender, std::size_t judges, Timer& timer, bool keeps) {
    double sum = 0;
    const std::size_t count = std::min(judges, contender.operations.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Operation& operation = contender.operations[i];
        const std::uint32_t n = items_of(search.kernel, operation, search.words);
        SAMPLES_PROPAGATE(check_fit(operation, n, data_.context().capabilities()));
        std::optional<Program> fresh;
        if (i >= contender.programs.size()) {
            auto program = operation.variants.front().prepare(data_, n);
            SAMPLES_PROPAGATE(program);
            fresh = std::move(*program);
            if (keeps && search.words <= most_words_kept) {
                contender.programs.push_back(std::move(*fresh));
            }
        }
        const auto times = timer.time(i < contender.programs.size() ? contender.programs[i] : *fresh);
        SAMPLES_PROPAGATE(times);
        sum += std::log(times->median_ms);
    }
    return std::exp(sum / static_cast<double>(count));
}

Result<> Tuner::verify(const Search& search, const Contender& winner, const Contender& present) {
    const auto run = [&](const Operation& operation, std::uint32_t n) -> Result<> {
        auto program = operation.variants.front().prepare(data_, n);
        SAMPLES_PROPAGATE(program);
        SAMPLES_PROPAGATE(poison_outputs(operation, n, data_));
        SAMPLES_PROPAGATE(program->run());
        return {};
    };
    for (std::size_t i = 0; i < winner.operations.size(); ++i) {
        const Operation& operation = winner.operations[i];
        const std::uint32_t n = items_of(search.kernel, operation, search.words);
        Arrays expected;
        if (search.words > most_words_on_cpu) {
            auto outputs = run(present.operations[i], n).and_then([&] { return read_outputs(operation, n, data_); });
            SAMPLES_PROPAGATE(outputs);
            expected = std::move(*outputs);
        }
        SAMPLES_PROPAGATE(run(operation, n));
        if (auto verified = verify_outputs(operation, n, data_, expected); !verified) {
            Error error = verified.error();
            error.message = concat(operation.op, "/", operation.type, " of ", n, " by ", describe(winner.shape), ": ",
                                   error.message);
            return tl::unexpected(error);
        }
    }
    return {};
}

/// The execution of one search.
class Tuner::Race {
public:
    Race(Tuner& tuner, const Search& search)
        : tuner_(tuner), search_(search), device_(tuner.data_.context().capabilities()) {}

    Result<Choice> run() {
        // Runs all operations once, which creates their buffers. The time for comparison is of one operation, as for
        // the others.
        add(search_.present, search_.present_is_built_in);
        SAMPLES_PROPAGATE(tuner_.time(search_, field_[0], all, tuner_.timers_[0], false));
        SAMPLES_PROPAGATE(look(0));
        SAMPLES_PROPAGATE(look_at_all().and_then([&] { return refine(); }));
        Choice choice{.words = search_.words, .tried = field_.size()};
        std::vector<std::size_t> order = by_time();
        for (const std::size_t i : order) {
            choice.ranking.push_back(field_[i].shape);
        }
        return halve(std::move(order))
            .and_then([&](const std::vector<std::size_t>& last) { return last_word(last); })
            .and_then([&](const std::vector<std::size_t>& last) { return decide(last, std::move(choice)); });
    }

private:
    static constexpr std::size_t all = ~std::size_t{0};

    /// Returns the elapsed part of the time limit; 0 without a limit.
    [[nodiscard]] double passed() const {
        const std::chrono::duration<double> seconds = Search::Clock::now() - begin_;
        return !search_.seconds ? 0 : *search_.seconds > 0 ? seconds.count() / *search_.seconds : 1;
    }
    void show(double done) const {
        if (search_.progress) {
            search_.progress(done);
        }
    }

    void add(const KernelShape& shape, bool built_in) {
        const KernelShape as_it_runs = as_run(shape, device_);
        seen_.push_back(as_it_runs);
        field_.push_back(
            {.shape = shape,
             .operations = judged_operations(search_.kernel, built_in ? nullptr : &as_it_runs, tuner_.quick_)});
    }

    Result<> look(std::size_t i) {
        const auto ms = tuner_.time(search_, field_[i], 1, tuner_.timers_[0], false);
        if (ms) {
            field_[i].ms = *ms;
        } else if (i == 0 || ms.error().code == ErrorCode::device_lost) {
            return tl::unexpected(
                ms.error()); // a failure of another shape is ignored: the device may not be able to run it
        } else {
            field_.pop_back();
        }
        return {};
    }

    /// Times a shape briefly, unless an equivalent one was tried.
    Result<> look_at(const KernelShape& shape) {
        if (!can_run(shape, search_.words) || contains(seen_, as_run(shape, device_))) {
            return {};
        }
        add(shape, false);
        return look(field_.size() - 1);
    }

    Result<> look_at_all() {
        if (search_.previous) {
            SAMPLES_PROPAGATE(look_at(*search_.previous));
        }
        for (std::size_t i = 0; i < search_.candidates.size() && passed() < share_of_look; ++i) {
            if (is_worth_trying(search_.candidates[i], search_.words)) {
                SAMPLES_PROPAGATE(look_at(search_.candidates[i]));
            }
            show(0.5 * static_cast<double>(i) / static_cast<double>(search_.candidates.size()));
        }
        return {};
    }

    /// Tries the neighbors of the best two shapes, until both are known to have no better neighbors.
    Result<> refine() {
        constexpr std::size_t refined = 2;
        for (std::vector<KernelShape> done; search_.refines && passed() < share_refined;) {
            const auto order = by_time();
            std::size_t i = 0;
            while (i < std::min(refined, order.size()) && contains(done, field_[order[i]].shape)) {
                ++i;
            }
            if (i == std::min(refined, order.size())) {
                break;
            }
            done.push_back(field_[order[i]].shape);
            for (const KernelShape& shape : neighbours_of(done.back(), device_)) {
                if (passed() >= share_refined) {
                    break;
                }
                if (is_worth_trying(shape, search_.words)) {
                    SAMPLES_PROPAGATE(look_at(shape));
                }
            }
        }
        show(0.65);
        return {};
    }

    [[nodiscard]] std::vector<std::size_t> by_time() const {
        std::vector<std::size_t> order(field_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return field_[i].ms; });
        return order;
    }

    /// Returns the best two of the best eight shapes, by all operations, and the present and the previous shape.
    Result<std::vector<std::size_t>> halve(std::vector<std::size_t> order) {
        constexpr std::size_t first = 8, last = 2;
        std::size_t timer = 1;
        for (std::size_t most = first; most > last && order.size() > last; most /= 2) {
            order.resize(std::min(order.size(), most));
            std::size_t timed = 0;
            for (const std::size_t i : order) {
                field_[i].ms = std::numeric_limits<double>::infinity();
                if (timed >= last && passed() >= share_halved) {
                    continue;
                }
                const auto ms = tuner_.time(search_, field_[i], all, tuner_.timers_[timer], true);
                if (!ms && ms.error().code == ErrorCode::device_lost) {
                    return tl::unexpected(ms.error());
                }
                if (ms) {
                    field_[i].ms = *ms;
                    ++timed;
                }
            }
            std::ranges::stable_sort(order, {}, [&](std::size_t i) { return field_[i].ms; });
            timer = std::min(timer + 1, tuner_.timers_.size() - 2);
        }
        std::erase_if(order, [&](std::size_t i) { return std::isinf(field_[i].ms); });
        order.resize(std::min(order.size(), last));
        for (std::size_t i = 0; i < field_.size(); ++i) {
            const bool stays = i == 0 || (search_.previous && same_shape(field_[i].shape, *search_.previous));
            if (stays && std::ranges::find(order, i) == order.end()) {
                order.push_back(i);
            }
        }
        show(0.8);
        return order;
    }

    Result<std::vector<std::size_t>> last_word(const std::vector<std::size_t>& finalists) {
        const std::size_t least = 3, most = tuner_.quick_ ? 3 : 7;
        for (std::size_t round = 0; finalists.size() > 1 && round < most && (round < least || passed() < 1); ++round) {
            for (const std::size_t i : finalists) {
                const auto ms = tuner_.time(search_, field_[i], all, tuner_.timers_.back(), true);
                SAMPLES_PROPAGATE(ms);
                field_[i].rounds_ms.push_back(*ms);
            }
        }
        for (const std::size_t i : finalists) {
            field_[i].ms = field_[i].rounds_ms.empty() ? field_[i].ms : samples::median(field_[i].rounds_ms);
        }
        show(1);
        return finalists;
    }

    Result<Choice> decide(const std::vector<std::size_t>& finalists, Choice choice) {
        const Contender& present = field_[0];
        const std::size_t fastest =
            *std::ranges::min_element(finalists, {}, [&](std::size_t i) { return field_[i].ms; });
        choice.fastest = field_[fastest].shape;
        choice.present_ms = choice.chosen_ms = present.ms;
        choice.behind = present.ms / field_[fastest].ms - 1;
        if (!is_clearly_better(field_[fastest].rounds_ms, present.rounds_ms)) {
            return choice;
        }
        std::size_t winner = fastest;
        for (const std::size_t i : finalists) { // prefers the winner of the previous size, which saves rows
            if (search_.previous && same_shape(field_[i].shape, *search_.previous) &&
                is_clearly_better(field_[i].rounds_ms, present.rounds_ms) &&
                !is_clearly_better(field_[fastest].rounds_ms, field_[i].rounds_ms)) {
                winner = i;
            }
        }
        SAMPLES_PROPAGATE(tuner_.verify(search_, field_[winner], present));
        choice.winner = field_[winner].shape;
        choice.chosen_ms = field_[winner].ms;
        return choice;
    }

    Tuner& tuner_;
    const Search& search_;
    const Capabilities& device_;
    Search::Clock::time_point begin_ = Search::Clock::now();
    std::vector<Contender> field_;  ///< the present shape is first
    std::vector<KernelShape> seen_; ///< tried shapes, as the device runs them, including those that failed
};

Result<Choice> Tuner::choose(const Search& search) {
    return Race(*this, search).run();
}

} // namespace weir::bench
