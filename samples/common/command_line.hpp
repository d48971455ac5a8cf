#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "common/options.hpp"

namespace samples {

/// Reads the command line. `mistake` returns what is wrong with the options that were read, or nothing. Returns the
/// exit status with which the program has to end if the command line asks for help or has a mistake, which is reported
/// on stderr in one line. Help is at most 80 columns wide.
std::optional<int> parse(CLI::App& app, int argc, char** argv, const std::function<std::string()>& mistake = {});

/// The options --device and --list-devices.
void add_device_options(CLI::App& app, DeviceOptions& options);

/// An option that takes what `read` makes sense of. `takes` says what that is, in messages: "a number".
CLI::Option* add_option(CLI::App& app, const std::string& name, const std::string& takes,
                        const std::function<bool(const std::string& text)>& read, const std::string& help);

/// The option --seed. `of` names the random data, as "the random keys".
CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& of);

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
