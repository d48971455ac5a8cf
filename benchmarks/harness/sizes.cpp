#include "harness/sizes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "common/command_line.hpp"

namespace weir::bench {

namespace {

/// Parses FROM, FROM:TO or FROM:TO:STEP, with `parse` for each part. Returns the numbers from FROM to TO. Returns an
/// empty list if the text has another form, TO is greater than `greatest`, or there are more than `most` numbers.
std::vector<std::uint32_t> parse_range(std::string_view text, bool (*parse)(std::string_view, std::uint64_t&),
                                       std::uint32_t greatest, std::uint64_t most) {
    std::array<std::uint64_t, 3> parts{0, 0, 1};
    for (std::size_t i = 0;; ++i) {
        const std::size_t end = std::min(text.find(':'), text.size());
        if (i == parts.size() || !parse(text.substr(0, end), parts.at(i))) {
            return {};
        }
        if (i == 0) {
            parts[1] = parts[0];
        }
        if (end == text.size()) {
            break;
        }
        text.remove_prefix(end + 1);
    }
    const auto [from, to, step] = parts;
    if (from > to || to > greatest || step == 0 || (to - from) / step >= most) {
        return {};
    }
    std::vector<std::uint32_t> numbers((to - from) / step + 1);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<std::uint32_t>(from + i * step);
    }
    return numbers;
}

} // namespace

std::vector<std::uint32_t> parse_sizes(const std::string& text) {
    auto sizes = parse_range(text, samples::parse_number<std::uint64_t>, 31, 32);
    for (std::uint32_t& size : sizes) {
        size = 1U << size;
    }
    return sizes;
}

std::string sizes_mistake(const std::string& text) {
    return parse_sizes(text).empty() ? "'" + text + "' is not FROM:TO:STEP with powers of two from 0 to 31"
                                     : std::string();
}

std::vector<std::uint32_t> parse_counts(const std::string& text) {
    constexpr std::uint64_t most = 1U << 20; // each number has its own program
    auto counts = parse_range(text, samples::parse_count, ~0U, most);
    return counts.empty() || counts.front() == 0 ? std::vector<std::uint32_t>() : counts;
}

std::string counts_mistake(const std::string& text) {
    return parse_counts(text).empty()
               ? "'" + text + "' is not FROM:TO:STEP with numbers from 1 on, at most 2^20 of them"
               : std::string();
}

} // namespace weir::bench
