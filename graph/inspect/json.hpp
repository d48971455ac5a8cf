#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace weir {

using Json = nlohmann::ordered_json;

/// Indented. Names are the user's: what is no UTF-8 in them becomes U+FFFD.
inline std::string to_text(const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace weir
