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

/// Divides the time of a run among searches by weight. Time that one search does not use is left for the others.
class Budget {
public:
    /// `seconds`: empty if there is no limit. `weight`: total weight of all searches.
    Budget(std::optional<double> seconds, double weight) : seconds_(seconds), weight_(weight) {}

    /// Returns the seconds for the next search, of this weight: 0 if no time is left, empty if there is no limit.
    std::optional<double> take(double weight);

    [[nodiscard]] bool is_limited() const { return seconds_.has_value(); }
    /// Returns the seconds since construction.
    [[nodiscard]] double passed() const;

private:
    std::optional<double> seconds_;
    double weight_; ///< weight of the remaining searches
    Search::Clock::time_point begin_ = Search::Clock::now();
};

/// The searches for one kernel, size by size.
struct Course {
    ShapeKernel kernel = ShapeKernel::scan_light;
    std::vector<std::uint32_t> sizes;      ///< sizes in words that fit the device, ascending
    std::span<const KernelShape> present;  ///< present rows
    bool present_is_built_in = true;       ///< true if the library has these rows for the device
    std::span<const KernelShape> all_rows; ///< rows of all classes; their shapes are candidates
    std::string_view unseen;               ///< class whose rows are ignored; empty: none
    std::uint32_t max_spins = 0;           ///< polls of the first candidates; 0: those of the rows
    bool quick = false;

    /// Returns the weight of all searches. `limited`: the time is limited.
    [[nodiscard]] double weight(bool limited) const;
    /// Returns the turn of the i-th size. Sizes of turn 0 come first, for all kernels, then those of turn 1, which are
    /// between them, and so on. If time is short, this omits sizes of all kernels evenly. Without a limit all have turn
    /// 0.
    [[nodiscard]] std::uint32_t turn_of(std::size_t i, bool limited) const;
    static constexpr std::uint32_t last_turn = 3;
    /// Returns whether all candidates are searched for the i-th size. Sizes of the last turn choose among the present
    /// shape and the shapes of the neighboring sizes.
    [[nodiscard]] bool is_searched(std::size_t i, bool limited) const { return turn_of(i, limited) != last_turn; }
};

struct Outcome {
    std::vector<Choice> choices; ///< choices of the measured sizes, ascending
    Winners winners;       ///< measured sizes, and sizes whose rows stay; not sizes that were omitted for lack of time
    std::size_t tried = 0; ///< number of shapes that were timed
    std::size_t untimed = 0; ///< number of sizes omitted for lack of time
};

/// The execution of a course.
class CourseRun {
public:
    CourseRun(Tuner& tuner, Course course);

    [[nodiscard]] const Course& course() const { return course_; }

    /// Searches for the i-th size. Returns the choice, or null if nothing was measured.
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
    std::uint64_t too_large_ = ~std::uint64_t{0}; ///< minimum words found too large for the device
};

} // namespace weir::bench
