#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <weir/weir.hpp>

#include "harness/data.hpp"
#include "harness/operation.hpp"
#include "harness/timer.hpp"
#include "tune/space.hpp"

namespace weir::bench {

/// What is looked for: the best shape of a kernel for one size.
struct Search {
    using Clock = std::chrono::steady_clock;

    ShapeKernel kernel = ShapeKernel::scan_light;
    std::uint32_t words = 0;              ///< of a sort: keys
    KernelShape present;                  ///< stays unless another one is better by more than noise
    bool present_is_built_in = true;      ///< it is what Weir chooses where it is not told
    std::optional<KernelShape> previous;  ///< what won at the size before: comes before others that are as good
    std::vector<KernelShape> candidates;  ///< in the order in which they are tried while there is time
    bool refines = true;                  ///< neighbours of the best ones are tried too
    std::optional<double> seconds;        ///< to take, roughly; none: as long as it takes
    std::function<void(double)> progress; ///< from 0 to 1
};

/// What was found.
struct Choice {
    std::uint32_t words = 0;
    std::optional<KernelShape> winner; ///< none: the present shape stays
    KernelShape fastest;               ///< by the last measurements, whether by more than noise or not
    double present_ms = 0;             ///< with the present shape; means over the operations
    double chosen_ms = 0;
    double behind = 0;                ///< by how much of the time of the fastest one the present shape takes longer
    std::size_t tried = 0;            ///< shapes that were timed
    std::vector<KernelShape> ranking; ///< those, the fastest first
};

/// Whether a shape is better than another one by more than noise is thought to be: by two percent in more than two of
/// three rounds, each compared with the other's same round, as what disturbs a round disturbs all of it. Both must have
/// as many rounds.
inline bool is_clearly_better(const std::vector<double>& rounds_ms, const std::vector<double>& others_ms) {
    constexpr double margin = 0.02; // of a time; a choice
    std::size_t won = 0;
    for (std::size_t round = 0; round < rounds_ms.size(); ++round) {
        won += others_ms[round] > rounds_ms[round] * (1 + margin) ? 1 : 0;
    }
    return 3 * won > 2 * rounds_ms.size();
}

/// Finds the best shape of a kernel for one size after the other.
class Tuner {
public:
    /// A few measurements instead of many: for a trial.
    static Result<Tuner> create(const Context& context, bool quick);

    /// In the time that it has: takes a short look at candidates by one operation; at neighbours of the best ones,
    /// as long as that finds better ones; times the best by all operations, each time the better half of them for twice
    /// as long; and then the last few and the present shape several times, in turns so that clocks that drift are the
    /// same for all. The result of a winner is compared with the CPU's, of large inputs with that of the present shape.
    /// Errors: `limit_exceeded` and `out_of_memory` if the size is too large for the device; `vulkan` names a shape
    /// whose result is wrong.
    Result<Choice> choose(const Search& search);

    [[nodiscard]] const Capabilities& device() const { return data_.context().capabilities(); }

    /// Whether inputs of so many words fit the device.
    [[nodiscard]] bool fits(ShapeKernel kernel, std::uint32_t words) const;

private:
    struct Contender;
    class Race;

    Tuner(const Context& context, std::vector<Timer> timers, bool quick)
        : data_(context), timers_(std::move(timers)), quick_(quick) {}

    Result<double> time(const Search& search, Contender& contender, std::size_t judges, Timer& timer, bool keeps);
    Result<> verify(const Search& search, const Contender& winner, const Contender& present);

    Data data_;
    std::vector<Timer> timers_; ///< for the first look at all, then for twice as long each, and for the last word
    bool quick_;
};

} // namespace weir::bench
