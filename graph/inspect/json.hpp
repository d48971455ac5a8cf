#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace weir {

using Json = nlohmann::ordered_json;

/// Indented. Names are the user's: what is no UTF-8 in them becomes U+FFFD.
std::string to_text(const Json& json);

} // namespace weir
