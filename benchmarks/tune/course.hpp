#pragma once

#include <chrono>
#include <cstdint>
#include <map>
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
    /// When the i-th size has its turn: of all kernels those of turn 0 come first, then those of turn 1 between them,
    /// and so on, so that a time that is short leaves out sizes of all kernels. Without a limit all have turn 0.
    [[nodiscard]] std::uint32_t turn_of(std::size_t i, bool limited) const;
    static constexpr std::uint32_t last_turn = 3;
    /// Whether there is a search among all candidates for the i-th size. Those of the last turn choose among the
    /// present shape and what their neighbours have.
    [[nodiscard]] bool is_searched(std::size_t i, bool limited) const { return turn_of(i, limited) != last_turn; }
};

struct Outcome {
    std::vector<Choice> choices; ///< of the sizes that were measured, ascending
    Winners winners;             ///< of those, and of others, where rows stay; none of sizes without time
    std::size_t tried = 0;       ///< shapes timed
    std::size_t untimed = 0;     ///< sizes for which there was no time
};

/// A course that is under way.
class CourseRun {
public:
    CourseRun(Tuner& tuner, Course course);

    [[nodiscard]] const Course& course() const { return course_; }

    /// Searches for the i-th size. Returns what was found; null if nothing was measured.
    Result<const Choice*> search(std::size_t i, Budget& budget);

    [[nodiscard]] Outcome outcome() const;

private:
    [[nodiscard]] KernelShape shape_at(std::uint32_t words) const;
    [[nodiscard]] const Choice* choice_below(std::uint32_t words) const;
    [[nodiscard]] std::vector<KernelShape> ordered(std::uint32_t words) const;

    Tuner* tuner_;
    Course course_;
    std::vector<KernelShape> grid_;
    double operations_;
    std::map<std::uint32_t, Choice> choices_; ///< by words
    Outcome outcome_;
    std::uint64_t too_large_ = ~std::uint64_t{0}; ///< words that the device has no room for
};

} // namespace weir::bench
