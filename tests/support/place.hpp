#pragma once

#include <string>

#include <gtest/gtest.h>

#include <weir/graph/source_location.hpp>

namespace weir::tests {

/// A message without the place that it ends with, which has to be a line of the file of `before`, above it.
inline std::string without_place(const std::string& message, SourceLocation before) {
    for (before.line -= 1; before.line > 0; --before.line) {
        if (const std::string place = to_string(before); message.ends_with(place)) {
            return message.substr(0, message.size() - place.size());
        }
    }
    ADD_FAILURE() << "no place, or a wrong one: " << message;
    return message;
}

/// For `before`: past a call that begins here and may take some lines.
inline SourceLocation past_call(SourceLocation where = SourceLocation::current()) {
    return {where.file, where.line + 6};
}

} // namespace weir::tests
