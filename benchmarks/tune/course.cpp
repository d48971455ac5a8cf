#include "tune/course.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "common/progress.hpp"
#include "engine/base/strings.hpp"
#include "tune/candidates.hpp"

namespace weir::bench {

namespace {

constexpr double weight_of_search = 4, weight_between = 2; // per operation

} // namespace

std::optional<double> Budget::take(double weight) {
    if (!seconds_) {
        return {};
    }
    const double left = *seconds_ - passed(), share = weight < weight_ ? weight / weight_ : 1;
    weight_ -= weight;
    return std::max(0.0, left * share);
}

double Budget::passed() const {
    return std::chrono::duration<double>(Search::Clock::now() - begin_).count();
}

double Course::weight(bool limited) const {
    double sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        sum += is_searched(i, limited) ? weight_of_search : weight_between;
    }
    return sum * static_cast<double>(judged_operations(kernel, nullptr, quick).size());
}

std::uint32_t Course::turn_of(std::size_t i, bool limited) const {
    return !limited || i % 8 == 0 || i + 1 == sizes.size() ? 0 : i % 4 == 0 ? 1 : i % 2 == 0 ? 2 : last_turn;
}

CourseRun::CourseRun(Tuner& tuner, Course course)
    : tuner_(&tuner), course_(std::move(course)),
      grid_(grid_of(course_.kernel, tuner.device(),
                    course_.max_spins != 0 ? course_.max_spins : course_.present.front().max_spins, course_.quick)),
      operations_(static_cast<double>(judged_operations(course_.kernel, nullptr, course_.quick).size())) {}

KernelShape CourseRun::shape_at(std::uint32_t words) const {
    const auto choice = choices_.find(words);
    return choice != choices_.end() && choice->second.winner ? *choice->second.winner : row_for(course_.present, words);
}

const Choice* CourseRun::choice_below(std::uint32_t words) const {
    const auto next = choices_.lower_bound(words);
    return next != choices_.begin() ? &std::prev(next)->second : nullptr;
}

/// Returns the candidates of a size in the order in which they are tried: shapes of other devices; then the best
/// quarter at the next smaller measured size, or else at the smallest measured size; then shapes that were not tried at
/// that size; then the rest.
std::vector<KernelShape> CourseRun::ordered(std::uint32_t words) const {
    std::vector<KernelShape> shapes;
    for (const DeviceClass& other : device_classes) {
        if (other.name == course_.unseen) {
            continue;
        }
        const auto rows = rows_of_class(course_.all_rows, other.name, course_.kernel);
        if (!rows.empty()) {
            shapes.push_back(row_for(rows, words));
            if (!course_.quick) {
                shapes.push_back(row_for(rows, std::uint64_t{words} * 4));
                shapes.push_back(row_for(rows, words / 4));
            }
        }
    }
    const Choice* nearest = choice_below(words);
    if (nearest == nullptr && !choices_.empty()) {
        nearest = &choices_.begin()->second;
    }
    const std::vector<KernelShape> ranking = nearest != nullptr ? nearest->ranking : std::vector<KernelShape>{};
    const auto quarter = ranking.begin() + static_cast<std::ptrdiff_t>((ranking.size() + 3) / 4);
    shapes.insert(shapes.end(), ranking.begin(), quarter);
    for (const KernelShape& shape : grid_) {
        if (std::ranges::none_of(ranking, [&](const auto& tried) { return same_shape(tried, shape); })) {
            shapes.push_back(shape);
        }
    }
    shapes.insert(shapes.end(), quarter, ranking.end());
    return shapes;
}

Result<const Choice*> CourseRun::search(std::size_t i, Budget& budget) {
    const std::uint32_t words = course_.sizes[i];
    const bool is_searched = course_.is_searched(i, budget.is_limited());
    const auto seconds = budget.take((is_searched ? weight_of_search : weight_between) * operations_);
    const auto power = static_cast<std::uint32_t>(std::countr_zero(words));
    if (words >= too_large_) {
        return nullptr;
    }
    outcome_.winners[power] = std::nullopt;
    Search search{.kernel = course_.kernel,
                  .words = words,
                  .present = row_for(course_.present, words),
                  .present_is_built_in = course_.present_is_built_in,
                  .refines = is_searched && !course_.quick,
                  .seconds = seconds};
    if (is_searched) {
        if (const Choice* below = choice_below(words)) {
            search.previous = below->winner;
        }
        search.candidates = ordered(words);
    } else {
        for (const std::uint32_t neighbour : {course_.sizes[i - 1], course_.sizes[i + 1]}) {
            if (!same_shape(shape_at(neighbour), search.present)) {
                search.candidates.push_back(shape_at(neighbour));
            }
        }
        if (search.candidates.empty()) {
            return nullptr;
        }
        search.previous = search.candidates.front();
    }
    if (seconds && *seconds == 0) {
        ++outcome_.untimed;
        outcome_.winners.erase(power); // takes the shape of the next larger size
        return nullptr;
    }
    samples::Progress progress(concat(name_of(course_.kernel), " 2^", power));
    search.progress = [&](double done) { progress.show(done); };
    auto choice = tuner_->choose(search);
    if (!choice) {
        const ErrorCode code = choice.error().code;
        if (code != ErrorCode::limit_exceeded && code != ErrorCode::out_of_memory) {
            return tl::unexpected(choice.error());
        }
        too_large_ = words;
        outcome_.winners.erase(outcome_.winners.lower_bound(power), outcome_.winners.end());
        return nullptr;
    }
    outcome_.tried += choice->tried;
    outcome_.winners[power] = choice->winner;
    return &(choices_[words] = std::move(*choice));
}

Outcome CourseRun::outcome() const {
    Outcome outcome = outcome_;
    for (const auto& [words, choice] : choices_) {
        outcome.choices.push_back(choice);
    }
    return outcome;
}

} // namespace weir::bench
