#include "harness/sizes.hpp"

#include <regex>

namespace weir::bench {

std::vector<std::uint32_t> parse_sizes(const std::string& text) {
    static const std::regex form("([0-9]{1,2})(:([0-9]{1,2})(:([0-9]{1,2}))?)?");
    std::smatch match;
    std::vector<std::uint32_t> sizes;
    if (!std::regex_match(text, match, form)) {
        return sizes;
    }
    const unsigned long from = std::stoul(match[1]);
    const unsigned long to = match[3].matched ? std::stoul(match[3]) : from;
    const unsigned long step = match[5].matched ? std::stoul(match[5]) : 1;
    for (unsigned long power = from; step != 0 && to < 32 && power <= to; power += step) {
        sizes.push_back(1U << power);
    }
    return sizes;
}

std::string sizes_mistake(const std::string& text) {
    return parse_sizes(text).empty() ? "'" + text + "' is not FROM:TO:STEP with powers below 32" : std::string();
}

} // namespace weir::bench
