#pragma once

#include <string>
#include <string_view>

#include <pugixml.hpp>
#include <weir/weir.hpp>

namespace weir::svg {

/// Parses a document and expands the entities that it declares. The document may be compressed by gzip. `name` names it
/// in messages. Errors: `io`, with the line of the mistake.
weir::Result<> load_xml(std::string_view bytes, const std::string& name, pugi::xml_document& document);

} // namespace weir::svg
