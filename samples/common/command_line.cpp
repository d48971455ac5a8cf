#include "common/command_line.hpp"

#include <cstdio>

namespace samples {

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        return refuse(app, error.what());
    }
    return std::nullopt;
}

int refuse(const CLI::App& app, const std::string& why) {
    std::fprintf(stderr, "%s: %s (see --help)\n", app.get_name().c_str(), why.c_str());
    return 2;
}

bool parse_count(std::string_view text, std::uint64_t& count) {
    if (text.substr(0, 2) != "2^") {
        return parse_number(text, count);
    }
    std::uint32_t power = 0;
    if (!parse_number(text.substr(2), power) || power > 40) {
        return false;
    }
    count = std::uint64_t{1} << power;
    return true;
}

} // namespace samples
