#pragma once

#include <weir/graph/plan.hpp>

// How what a plan says of itself calls things, in each of its forms.

namespace weir {

const char* to_string(Dependency::Reason reason);

/// "buffer" or "image".
inline const char* kind_of(const GraphDescription::Resource& resource) {
    return resource.image ? "image" : "buffer";
}

/// "import", "state", "transient", or "export" for a transient that is exported.
const char* lifetime_of(const GraphDescription::Resource& buffer);

} // namespace weir
