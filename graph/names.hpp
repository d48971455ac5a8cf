#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/graph/plan.hpp>

// How what a plan says of itself calls things, in each of its forms.

namespace weir {

const char* to_string(Dependency::Reason reason);

/// "buffer" or "image".
inline const char* kind_of(const GraphDescription::Resource& resource) {
    return resource.image ? "image" : "buffer";
}

/// "import", "state", "history", "transient", or "export" for a transient that is exported.
const char* lifetime_of(const GraphDescription::Resource& buffer);

/// What must hold for a pass to run: names of switches, of parameters and of places where counts are.
std::vector<std::string> conditions_of(const GraphDescription& graph, std::uint32_t pass);

} // namespace weir
