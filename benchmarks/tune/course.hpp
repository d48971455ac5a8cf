#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tune/table.hpp"
#include "tune/tuner.hpp"

namespace weir::bench {

/// The time of a run, shared out among searches by weight. What one of them leaves is there for the others.
class Budget {
public:
    /// `seconds`: none if there is no limit.
    Budget(std::optional<double> seconds, double weight) : seconds_(seconds), weight_(weight) {}

    /// Seconds for the next search of this weight: 0 if no time is left, none if there is no limit.
    std::optional<double> take(double weight);

    [[nodiscard]] bool is_limited() const { return seconds_.has_value(); }
    /// Seconds since the beginning.
    [[nodiscard]] double passed() const;

private:
    std::optional<double> seconds_;
    double weight_; ///< of what is still to come
    Search::Clock::time_point begin_ = Search::Clock::now();
};

/// Searches for one kernel, size by size.
struct Course {
    ShapeKernel kernel = ShapeKernel::scan_light;
    std::vector<std::uint32_t> sizes;      ///< words, ascending, that fit the device
    std::span<const KernelShape> present;  ///< rows
    bool present_is_built_in = true;       ///< they are those that the library has for the device
    std::span<const KernelShape> all_rows; ///< of all classes: shapes that are good elsewhere
    std::string_view unseen;               ///< a class whose rows are not looked at; empty: none
    bool quick = false;

    /// What all its searches weigh. `limited`: by time.
    [[nodiscard]] double weight(bool limited) const;
    /// Whether there is a search among all candidates for the i-th size; the others, every other one, choose among the
    /// present shape and what their neighbours have.
    [[nodiscard]] bool is_searched(std::size_t i, bool limited) const;
};

struct Outcome {
    std::vector<Choice> choices; ///< of the sizes that were measured, ascending
    Winners winners;             ///< of those, and of others, where rows stay
    std::size_t tried = 0;       ///< shapes timed
    std::size_t untimed = 0;     ///< sizes for which there was no time
};

Result<Outcome> run_course(Tuner& tuner, const Course& course, Budget& budget,
                           const std::function<void(const Choice&, const KernelShape& present)>& found);

} // namespace weir::bench
