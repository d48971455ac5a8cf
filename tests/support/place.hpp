#pragma once

#include <string>

#include <gtest/gtest.h>

#include <weir/graph/source_location.hpp>

namespace weir::tests {

/// Returns a message without the source location at its end, which must be a line above `before` in the same file.
inline std::string without_place(const std::string& message, SourceLocation before) {
    for (before.line -= 1; before.line > 0; --before.line) {
        if (const std::string place = to_string(before); message.ends_with(place)) {
            return message.substr(0, message.size() - place.size());
        }
    }
    ADD_FAILURE() << "no source location at the end, or a wrong one: " << message;
    return message;
}

/// Returns a value for `before`: a line below a call that begins at `where` and takes several lines.
inline SourceLocation past_call(SourceLocation where = SourceLocation::current()) {
    return {where.file, where.line + 6};
}

} // namespace weir::tests
