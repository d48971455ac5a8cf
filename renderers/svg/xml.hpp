#pragma once

#include <string>
#include <string_view>

#include <pugixml.hpp>
#include <weir/weir.hpp>

namespace samples {

/// Parses a document, which may be compressed by gzip, with the entities that it declares. `name` stands for it in
/// messages. Errors: `io`, with the line of the mistake.
weir::Result<> load_xml(std::string_view bytes, const std::string& name, pugi::xml_document& document);

} // namespace samples
