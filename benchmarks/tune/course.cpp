#include "tune/course.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "common/progress.hpp"
#include "engine/text.hpp"
#include "tune/candidates.hpp"

namespace weir::bench {

namespace {

constexpr double weight_of_search = 4, weight_between = 2; // for each operation

/// Candidates of a size in the order in which they are tried: shapes that are good on other devices, then those that
/// were good at the size before, then those that nobody has tried, then the rest.
std::vector<KernelShape> ordered(const Course& course, std::uint32_t words, const std::vector<KernelShape>& ranking,
                                 const std::vector<KernelShape>& grid) {
    std::vector<KernelShape> shapes;
    for (const DeviceClass& other : device_classes) {
        if (other.name == course.unseen) {
            continue;
        }
        const auto rows = rows_of_class(course.all_rows, other.name, course.kernel);
        if (!rows.empty()) {
            shapes.push_back(row_for(rows, words));
            if (!course.quick) {
                shapes.push_back(row_for(rows, std::uint64_t{words} * 4));
                shapes.push_back(row_for(rows, words / 4));
            }
        }
    }
    const auto quarter = ranking.begin() + static_cast<std::ptrdiff_t>((ranking.size() + 3) / 4);
    shapes.insert(shapes.end(), ranking.begin(), quarter);
    for (const KernelShape& shape : grid) {
        if (std::ranges::none_of(ranking, [&](const auto& tried) { return same_shape(tried, shape); })) {
            shapes.push_back(shape);
        }
    }
    shapes.insert(shapes.end(), quarter, ranking.end());
    return shapes;
}

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

bool Course::is_searched(std::size_t i, bool limited) const {
    return !limited || i % 2 == 0 || i + 1 == sizes.size();
}

Result<Outcome> run_course(Tuner& tuner, const Course& course, Budget& budget,
                           const std::function<void(const Choice&, const KernelShape& present)>& found) {
    const auto operations = static_cast<double>(judged_operations(course.kernel, nullptr, course.quick).size());
    const std::uint32_t max_spins = course.present.front().max_spins;
    const auto grid = grid_of(course.kernel, tuner.device(), max_spins, course.quick);
    std::map<std::uint32_t, Choice> choices; // by words
    std::vector<KernelShape> ranking;
    Outcome outcome;
    bool is_full = false; // larger sizes do not fit either
    const auto shape_at = [&](std::uint32_t words) {
        const auto choice = choices.find(words);
        return choice != choices.end() && choice->second.winner ? *choice->second.winner
                                                                : row_for(course.present, words);
    };
    const auto visit = [&](std::size_t i) -> Result<> {
        const std::uint32_t words = course.sizes[i];
        const bool is_searched = course.is_searched(i, budget.is_limited());
        const auto seconds = budget.take((is_searched ? weight_of_search : weight_between) * operations);
        const auto power = static_cast<std::uint32_t>(std::countr_zero(words));
        if (is_full) {
            return {};
        }
        outcome.winners[power] = std::nullopt;
        Search search{.kernel = course.kernel,
                      .words = words,
                      .present = row_for(course.present, words),
                      .present_is_built_in = course.present_is_built_in,
                      .refines = is_searched && !course.quick,
                      .seconds = seconds};
        if (is_searched) {
            if (!choices.empty()) {
                search.previous = choices.rbegin()->second.winner;
            }
            search.candidates = ordered(course, words, ranking, grid);
        } else {
            for (const std::uint32_t neighbour : {course.sizes[i - 1], course.sizes[i + 1]}) {
                if (!same_shape(shape_at(neighbour), search.present)) {
                    search.candidates.push_back(shape_at(neighbour));
                }
            }
            if (search.candidates.empty()) {
                return {};
            }
            search.previous = search.candidates.front();
        }
        if (seconds && *seconds == 0) {
            ++outcome.untimed;
            return {};
        }
        samples::Progress progress(concat(name_of(course.kernel), " 2^", power));
        search.progress = [&](double done) { progress.show(done); };
        auto choice = tuner.choose(search);
        if (!choice) {
            const ErrorCode code = choice.error().code;
            is_full = code == ErrorCode::limit_exceeded || code == ErrorCode::out_of_memory;
            outcome.winners.erase(power);
            return is_full ? Result<>() : tl::unexpected(choice.error());
        }
        outcome.tried += choice->tried;
        outcome.winners[power] = choice->winner;
        if (is_searched) {
            ranking = choice->ranking;
        }
        choices[words] = std::move(*choice);
        return {};
    };
    // Sizes between others come last: what they choose among is known then.
    for (const bool is_searched : {true, false}) {
        for (std::size_t i = 0; i < course.sizes.size(); ++i) {
            if (course.is_searched(i, budget.is_limited()) != is_searched) {
                continue;
            }
            if (auto visited = visit(i); !visited) {
                return tl::unexpected(visited.error());
            }
            if (const auto choice = choices.find(course.sizes[i]); choice != choices.end()) {
                found(choice->second, row_for(course.present, course.sizes[i]));
            }
        }
    }
    for (auto& [words, choice] : choices) {
        outcome.choices.push_back(std::move(choice));
    }
    return outcome;
}

} // namespace weir::bench
