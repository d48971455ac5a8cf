#pragma once

#include <string>
#include <string_view>

#include <weir/engine/error.hpp>

namespace weir::svg {

/// Returns the encoding that an XML declaration names, in lower case, if pugixml does not know it; otherwise "".
std::string foreign_encoding(std::string_view xml);

/// Converts a text to UTF-8. Bytes that are invalid in its encoding become U+FFFD. `name` names the document in
/// messages. Errors: `io` for an encoding that is not supported.
Result<std::string> to_utf8(std::string_view text, const std::string& encoding, const std::string& name);

} // namespace weir::svg
