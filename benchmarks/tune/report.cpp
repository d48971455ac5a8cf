#include "tune/report.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "engine/base/strings.hpp"
#include "tune/table.hpp"

namespace weir::bench {

namespace {

std::string percent(double part) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * part);
    return text;
}

} // namespace

std::vector<std::string> verdicts(std::span<const KernelShape> rows, std::span<const Choice> choices) {
    std::vector<std::string> lines;
    for (const KernelShape& row : rows) {
        std::size_t measured = 0, beaten = 0;
        const Choice* worst = nullptr;
        for (const Choice& choice : choices) {
            if (&row_for(rows, choice.words) != &row) {
                continue;
            }
            ++measured;
            beaten += choice.winner ? 1 : 0;
            // The worst of the sizes at which another shape is clearly better; if there are none, the worst of all
            // sizes.
            const auto rank = [](const Choice& c) { return std::pair(c.winner.has_value(), c.behind); };
            worst = worst == nullptr || rank(choice) > rank(*worst) ? &choice : worst;
        }
        std::string verdict = "not measured";
        if (worst != nullptr) {
            const std::string at = concat(" at 2^", std::countr_zero(worst->words));
            verdict = worst->winner       ? concat(percent(worst->behind), " behind ", describe(worst->fastest), at)
                      : worst->behind > 0 ? concat("the best; within noise, ", percent(worst->behind), " behind ",
                                                   describe(worst->fastest), at)
                                          : std::string("the best");
            verdict += concat(" (", measured - beaten, " of ", measured, measured == 1 ? " size)" : " sizes)");
        }
        lines.push_back(concat(line_of(row), ": ", verdict));
    }
    return lines;
}

std::vector<std::string> changes(std::span<const KernelShape> before, std::span<const KernelShape> after) {
    std::vector<std::string> lines;
    const auto add_missing = [&](std::span<const KernelShape> rows, std::span<const KernelShape> there, char sign) {
        for (const KernelShape& row : rows) {
            const std::string line = line_of(row);
            if (std::ranges::none_of(there, [&](const auto& other) { return line_of(other) == line; })) {
                lines.push_back(sign + line);
            }
        }
    };
    add_missing(before, after, '-');
    add_missing(after, before, '+');
    return lines;
}

} // namespace weir::bench
