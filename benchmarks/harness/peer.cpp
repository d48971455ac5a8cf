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
    return _popen(('"' + command + '"').c_str(), "rb"); // cmd takes the first and the last quote away
}
int close_pipe(FILE* pipe) {
    return _pclose(pipe);
}
/// One word for cmd. There is no way to write all words: \" ends the quotes for cmd, and %NAME% is replaced in them.
std::string quoted(const std::string& word) {
    std::string out = "\"";
    std::size_t backslashes = 0;
    for (const char c : word) {
        backslashes = c == '\\' ? backslashes + 1 : 0;
        out += c;
    }
    return out + std::string(backslashes, '\\') + "\""; // before a quote they count twice
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
/// One word for the shell, whatever is in it.
std::string quoted(const std::string& word) {
    std::string out = "'";
    for (const char c : word) {
        out += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return out + "'";
}
#endif

tl::unexpected<Error> failure(const std::string& program, const std::string& why) {
    return tl::unexpected(Error{ErrorCode::io, "no rows of the peer, since " + program + " " + why});
}

} // namespace

Result<PeerResult> run_peer(const std::string& program, const std::vector<std::string>& arguments) {
    std::error_code ignored;
    if (!std::filesystem::exists(samples::path_of(program), ignored)) {
        return failure(program, "does not exist: it is built where there is a CUDA compiler");
    }
    std::string command = quoted(program);
    for (const std::string& argument : arguments) {
        if (!can_be_quoted(argument)) {
            return failure(program, "cannot be given \"" + argument + "\"");
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
        return failure(program, "failed");
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
