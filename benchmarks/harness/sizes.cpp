#include "harness/sizes.hpp"

#include <regex>

namespace weir::bench {

namespace {

/// FROM, FROM:TO or FROM:TO:STEP, all at most `most`: each number from FROM to TO.
std::vector<std::uint32_t> parse_range(const std::string& text, unsigned long most) {
    static const std::regex form("([0-9]{1,10})(:([0-9]{1,10})(:([0-9]{1,10}))?)?");
    std::smatch match;
    std::vector<std::uint32_t> numbers;
    if (!std::regex_match(text, match, form)) {
        return numbers;
    }
    const unsigned long from = std::stoul(match[1]);
    const unsigned long to = match[3].matched ? std::stoul(match[3]) : from;
    const unsigned long step = match[5].matched ? std::stoul(match[5]) : 1;
    for (unsigned long number = from; step != 0 && to <= most && number <= to; number += step) {
        numbers.push_back(static_cast<std::uint32_t>(number));
    }
    return numbers;
}

} // namespace

std::vector<std::uint32_t> parse_sizes(const std::string& text) {
    auto sizes = parse_range(text, 31);
    for (std::uint32_t& size : sizes) {
        size = 1U << size;
    }
    return sizes;
}

std::string sizes_mistake(const std::string& text) {
    return parse_sizes(text).empty() ? "'" + text + "' is not FROM:TO:STEP with powers below 32" : std::string();
}

std::vector<std::uint32_t> parse_counts(const std::string& text) {
    constexpr unsigned long most = 1UL << 20; // programs, each of another size
    auto counts = parse_range(text, ~0U);
    return counts.empty() || counts.front() == 0 || counts.size() > most ? std::vector<std::uint32_t>() : counts;
}

std::string counts_mistake(const std::string& text) {
    return parse_counts(text).empty()
               ? "'" + text + "' is not FROM:TO:STEP with numbers from 1 on, at most 2^20 of them"
               : std::string();
}

} // namespace weir::bench
