#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace samples {

/// Reads the command line. If it asks for help, or says something wrong, which is then told on stderr in one line, the
/// program is to end with the exit status that is returned.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

/// The exit status of a program whose command line says something wrong, which is told as above.
int refuse(const CLI::App& app, const std::string& why);

} // namespace samples
