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

/// A search for the best shape of a kernel for one size.
struct Search {
    using Clock = std::chrono::steady_clock;

    ShapeKernel kernel = ShapeKernel::scan_light;
    std::uint32_t words = 0;              ///< input size in words; sorts: in keys
    KernelShape present;                  ///< kept unless another shape is better by more than noise
    bool present_is_built_in = true;      ///< true if Weir chooses `present` by default
    std::optional<KernelShape> previous;  ///< winner of the previous size; preferred to shapes of equal speed
    std::vector<KernelShape> candidates;  ///< tried in this order while time is left
    bool refines = true;                  ///< also tries neighbors of the best shapes
    std::optional<double> seconds;        ///< approximate time limit; empty: none
    std::function<void(double)> progress; ///< called with the progress from 0 to 1
};

/// Result of a search.
struct Choice {
    std::uint32_t words = 0;
    std::optional<KernelShape> winner; ///< empty: the present shape stays
    KernelShape fastest;               ///< fastest in the last measurements, even if only within noise
    double present_ms = 0;             ///< time of the present shape; geometric mean over the operations
    double chosen_ms = 0;              ///< time of the winner, or else of the present shape
    double behind = 0;                 ///< additional time of the present shape, relative to the fastest one
    std::size_t tried = 0;             ///< number of shapes that were timed
    std::vector<KernelShape> ranking;  ///< the timed shapes, fastest first
};

/// Returns whether a shape is better than another by more than the assumed noise: by two percent in more than two
/// thirds of the rounds. Compares times of the same round, because a disturbance affects all shapes of a round. Both
/// must have the same number of rounds.
inline bool is_clearly_better(const std::vector<double>& rounds_ms, const std::vector<double>& others_ms) {
    constexpr double margin = 0.02; // relative; an arbitrary choice
    std::size_t won = 0;
    for (std::size_t round = 0; round < rounds_ms.size(); ++round) {
        won += others_ms[round] > rounds_ms[round] * (1 + margin) ? 1 : 0;
    }
    return 3 * won > 2 * rounds_ms.size();
}

/// Finds the best shapes of kernels, one size at a time.
class Tuner {
public:
    /// Creates a tuner. `quick`: few measurements, for a trial.
    static Result<Tuner> create(const Context& context, bool quick);

    /// Searches within the time limit, in these steps:
    /// 1. Times the candidates briefly, with one operation.
    /// 2. Times neighbors of the best shapes, as long as this finds better ones.
    /// 3. Times the best shapes with all operations, repeatedly: keeps the better half and doubles the time.
    /// 4. Times the last few and the present shape several times, in turns, so drifting clocks affect all equally.
    /// Compares the result of a winner with that of the CPU, or for large inputs with that of the present shape.
    /// Errors: `limit_exceeded` and `out_of_memory` if the size is too large for the device; `vulkan` names a shape
    /// whose result is wrong.
    Result<Choice> choose(const Search& search);

    [[nodiscard]] const Capabilities& device() const { return data_.context().capabilities(); }

    /// Returns whether inputs of `words` words fit the device.
    [[nodiscard]] bool fits(ShapeKernel kernel, std::uint32_t words) const;

private:
    struct Contender;
    class Race;

    Tuner(const Context& context, std::vector<Timer> timers, bool quick)
        : data_(context), timers_(std::move(timers)), quick_(quick) {}

    Result<double> time(const Search& search, Contender& contender, std::size_t judges, Timer& timer, bool keeps);
    Result<> verify(const Search& search, const Contender& winner, const Contender& present);

    Data data_;
    std::vector<Timer> timers_; ///< one per step: first look, then twice as long each, and last the final rounds
    bool quick_;
};

} // namespace weir::bench
