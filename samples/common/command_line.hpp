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

/// Parses the command line. `mistake` checks the parsed options and returns a message, or an empty string if they are
/// valid. Returns an exit status if the program must end: --help or --version was requested, or the command line has a
/// mistake, which is reported in one line on stderr. Help is at most 80 columns wide.
///
/// Help shows the type of an option, set by `option_text`, and its default, set by `default_str`.
std::optional<int> parse(CLI::App& app, int argc, char** argv, const std::function<std::string()>& mistake = {});

/// Adds --device and --list-devices.
void add_device_options(CLI::App& app, DeviceOptions& options);
/// Adds --device alone.
CLI::Option* add_device(CLI::App& app, std::string& device);

/// Adds an option whose value `read` converts. `type` is the placeholder for the value in help. `takes` names the valid
/// values in error messages: "a number from 1 to 10".
CLI::Option* add_option(CLI::App& app, const std::string& name, const std::string& type, const std::string& takes,
                        const std::function<bool(const std::string& text)>& read, const std::string& help);

/// Adds an option that names a file.
CLI::Option* add_file(CLI::App& app, const std::string& name, std::string& path, const std::string& help);

/// Adds the option --seed. `of` names the random data in help: "the random keys".
CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& of);

/// Adds the option --size: a width and a height, each from 1 to `most` pixels.
CLI::Option* add_size(CLI::App& app, std::uint32_t& width, std::uint32_t& height, std::uint32_t most,
                      const std::string& help);

/// Parses all of `text` as a number of type T. Returns false if that fails or the number does not fit.
template <class T>
bool parse_number(std::string_view text, T& value) {
    const auto end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    return !text.empty() && error == std::errc() && last == end;
}

/// Parses a count such as 1000000 or 2^20; powers go up to 2^40. Returns false if `text` is not a count.
bool parse_count(std::string_view text, std::uint64_t& count);
/// Returns a count as help and messages show it. Powers of two from 2^10 on are written as powers.
std::string count_text(std::uint64_t count);
/// Returns the number with as many digits as it needs.
std::string number_text(double number);

/// Minimum and maximum of an option.
template <class T>
struct Bounds {
    T least, most;
};

/// Adds an option for a count within bounds. See parse_count for its format.
CLI::Option* add_count(CLI::App& app, const std::string& name, Bounds<std::uint64_t> bounds,
                       const std::function<void(std::uint64_t)>& set, const std::string& help);
/// Adds an option for a count within bounds, stored in a variable. The variable's value is the default.
template <class T>
CLI::Option* add_count(CLI::App& app, const std::string& name, T& count, Bounds<std::uint64_t> bounds,
                       const std::string& help) {
    return add_count(
               app, name, bounds, [&count](std::uint64_t value) { count = static_cast<T>(value); }, help)
        ->default_str(count_text(count));
}
/// Adds an option for a count within bounds, stored in a variable that is empty by default.
template <class T>
CLI::Option* add_count(CLI::App& app, const std::string& name, std::optional<T>& count, Bounds<std::uint64_t> bounds,
                       const std::string& help) {
    return add_count(
        app, name, bounds, [&count](std::uint64_t value) { count = static_cast<T>(value); }, help);
}

/// Adds an option for a number within bounds.
CLI::Option* add_number(CLI::App& app, const std::string& name, const std::string& type, Bounds<double> bounds,
                        const std::function<void(double)>& set, const std::string& help);
/// Adds an option for a number within bounds, stored in a variable. The variable's value is the default.
template <class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, const std::string& type, T& number,
                        Bounds<double> bounds, const std::string& help) {
    return add_number(
               app, name, type, bounds, [&number](double value) { number = static_cast<T>(value); }, help)
        ->default_str(number_text(static_cast<double>(number)));
}
/// Adds an option for a number within bounds, stored in a variable that is empty by default.
template <class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, const std::string& type, std::optional<T>& number,
                        Bounds<double> bounds, const std::string& help) {
    return add_number(
        app, name, type, bounds, [&number](double value) { number = static_cast<T>(value); }, help);
}

} // namespace samples
