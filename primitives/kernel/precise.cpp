#include "primitives/kernel/precise.hpp"

#include <string_view>

namespace weir {

namespace {

constexpr std::string_view spaces = " \t\r\n";

/// Returns the length of the comment or directive that begins at `at`; 0 if none begins there.
std::size_t skipped(std::string_view text, std::size_t at, bool begins_line) {
    const auto past = [&](std::size_t end, std::size_t size) {
        return (end == std::string_view::npos ? text.size() : end + size) - at;
    };
    if (text.substr(at, 2) == "//") {
        return past(text.find('\n', at), 0);
    }
    if (text.substr(at, 2) == "/*") {
        return past(text.find("*/", at + 2), 2);
    }
    if (text[at] != '#' || !begins_line) {
        return 0;
    }
    std::size_t end = text.find('\n', at);
    while (end != std::string_view::npos && end > 0 && text[end - 1] == '\\') { // continued on the next line
        end = text.find('\n', end + 1);
    }
    return past(end, 0);
}

bool begins_with_word(std::string_view text, std::string_view word) {
    return text.starts_with(word) && text.size() > word.size() && spaces.find(text[word.size()]) != spaces.npos;
}

} // namespace

std::string with_precise_functions(const std::string& text) {
    constexpr std::size_t none = std::string::npos;
    std::string out;
    std::size_t declaration = none; // index in `out` at which the current declaration begins, outside of all brackets
    char last = ';';                // last character of the code so far, without spaces
    int depth = 0;
    bool begins_line = true;
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t length = skipped(text, at, begins_line); length != 0) {
            out.append(text, at, length);
            at += length;
            continue;
        }
        const char c = text[at++];
        begins_line = c == '\n' || (begins_line && spaces.find(c) != none);
        if (spaces.find(c) == none) {
            if (depth == 0 && declaration == none) {
                declaration = out.size();
            }
            // Only a function definition has a body directly after its parameters.
            if (c == '{' && depth == 0 && last == ')') {
                const std::string_view head = std::string_view(out).substr(declaration);
                if (!begins_with_word(head, "void") && !begins_with_word(head, "precise")) {
                    out.insert(declaration, "precise ");
                }
            }
            depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
            if (depth == 0 && (c == ';' || c == '}')) {
                declaration = none;
            }
            last = c;
        }
        out += c;
    }
    return out;
}

} // namespace weir
