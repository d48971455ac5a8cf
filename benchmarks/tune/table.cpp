#include "tune/table.hpp"

#include <bit>
#include <iterator>
#include <utility>

#include "engine/base/strings.hpp"
#include "tune/space.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t largest_power = 32; // maximum input of all kernels: 2^32 words

} // namespace

std::vector<KernelShape> with_winners(std::span<const KernelShape> rows, const Winners& winners, bool whole) {
    std::vector<KernelShape> merged;
    for (std::uint32_t power = 0; power <= largest_power; ++power) {
        const std::uint64_t words = std::uint64_t{1} << power;
        auto nearest = winners.lower_bound(power);
        if (nearest == winners.end() && whole && !winners.empty()) {
            nearest = std::prev(winners.end());
        }
        KernelShape row = row_for(rows, words);
        if (nearest != winners.end() && nearest->second && (whole || power >= winners.begin()->first) &&
            (!nearest->second->sorts_alone() || power <= nearest->first)) {
            row = *nearest->second;
        }
        row.up_to = words;
        if (!merged.empty() && same_shape(merged.back(), row)) {
            merged.pop_back();
        }
        merged.push_back(row);
    }
    merged.back().up_to = KernelShape::any;
    return merged;
}

std::string line_of(const KernelShape& row) {
    std::string line = concat(row.device, ",", name_of(row.kernel), ",");
    line += row.up_to == KernelShape::any ? "any" : concat("2^", std::countr_zero(row.up_to));
    for (const ShapeColumn& column : shape_columns) {
        line += concat(",", row.*column.number);
    }
    return line;
}

std::string replace_rows(std::string_view text, std::span<const KernelShape> rows, const std::string& remark) {
    const std::string of_device = concat(rows.front().device, ",");
    const std::string of_kernel = concat(of_device, name_of(rows.front().kernel), ",");
    std::string before, after; // split at the rows of the kernel, or after the last row of the device
    bool kernel_found = false, device_found = false;
    while (!text.empty()) {
        const std::string_view line = shape_text::take(text, '\n');
        if (line.starts_with(of_kernel)) {
            before += std::exchange(after, {});
            kernel_found = device_found = true;
            continue;
        }
        after += concat(line, "\n");
        if (!kernel_found && line.starts_with(of_device)) {
            before += std::exchange(after, {});
            device_found = true;
        }
    }
    if (!device_found) {
        before = std::exchange(after, {}) + concat("\n# ", remark, "\n");
    }
    for (const KernelShape& row : rows) {
        before += line_of(row) + "\n";
    }
    return before + after;
}

} // namespace weir::bench
