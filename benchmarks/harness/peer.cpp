#include "harness/peer.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "common/paths.hpp"

namespace weir::bench {

namespace {

#if defined(_WIN32)
FILE* open_pipe(const std::string& command) {
    return _popen(('"' + command + '"').c_str(), "rb"); // cmd removes the first and the last quote
}
int close_pipe(FILE* pipe) {
    return _pclose(pipe);
}
/// Quotes one argument for cmd. Some cannot be quoted: \" ends the quotes for cmd, and %NAME% is replaced inside them.
std::string quoted(const std::string& word) {
    std::string out = "\"";
    std::size_t backslashes = 0;
    for (const char c : word) {
        backslashes = c == '\\' ? backslashes + 1 : 0;
        out += c;
    }
    return out + std::string(backslashes, '\\') + "\""; // backslashes before a quote must be doubled
}
bool can_be_quoted(const std::string& word) {
    return word.find_first_of("\"%\r\n") == std::string::npos;
}
#else
FILE* open_pipe(const std::string& command) {
    return popen(command.c_str(), "r");
}
int close_pipe(FILE* pipe) {
    return pclose(pipe);
}
bool can_be_quoted(const std::string& /*word*/) {
    return true;
}
/// Quotes one argument for the shell. Any text can be quoted.
std::string quoted(const std::string& word) {
    std::string out = "'";
    for (const char c : word) {
        out += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return out + "'";
}
#endif

tl::unexpected<Error> failure(const std::string& program, const std::string& why) {
    return tl::unexpected(Error{ErrorCode::io, "no rows of the peer: " + program + " " + why});
}

} // namespace

Result<PeerResult> run_peer(const std::string& program, const std::vector<std::string>& arguments) {
    std::error_code ignored;
    if (!std::filesystem::exists(samples::path_of(program), ignored)) {
        return failure(program, "does not exist; building it needs nvcc");
    }
    std::string command = quoted(program);
    for (const std::string& argument : arguments) {
        if (!can_be_quoted(argument)) {
            return failure(program, "cannot take the argument \"" + argument + "\": cmd cannot quote it");
        }
        command += ' ' + quoted(argument);
    }
    FILE* pipe = open_pipe(command);
    if (pipe == nullptr) {
        return failure(program, "cannot be started");
    }
    std::string output;
    std::array<char, 4096> buffer{};
    for (std::size_t size = 0; (size = std::fread(buffer.data(), 1, buffer.size(), pipe)) != 0;) {
        output.append(buffer.data(), size);
    }
    if (close_pipe(pipe) != 0) {
        return failure(program, "failed: its exit status is not 0");
    }

    PeerResult result;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        auto json = nlohmann::json::parse(line, nullptr, false);
        if (result.about.is_null() && json.is_object()) {
            result.about = std::move(json);
            continue;
        }
        auto row = row_from_json(json);
        if (!row) {
            return failure(program, "printed a line that is not a row: '" + line + "'");
        }
        result.rows.push_back(std::move(*row));
    }
    return result;
}

} // namespace weir::bench
