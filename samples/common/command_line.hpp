#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace samples {

/// Reads the command line. If it asks for help, or says something wrong, which is then told on stderr in one line, the
/// program is to end with the exit status that is returned.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

/// The exit status of a program whose command line says something wrong, which is told as above.
int refuse(const CLI::App& app, const std::string& why);

/// Whether all of the text is a number that T can hold.
template <class T>
bool parse_number(std::string_view text, T& value) {
    const auto end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    return !text.empty() && error == std::errc() && last == end;
}

/// The same for a count, such as 1000000 or 2^20.
bool parse_count(std::string_view text, std::uint64_t& count);

} // namespace samples
