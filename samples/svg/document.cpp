#include "svg/document.hpp"

#include "svg/reader.hpp"
#include "svg/xml.hpp"

namespace samples {

weir::Result<Drawing> read_svg(std::string_view bytes, const std::string& name) {
    pugi::xml_document document;
    if (const auto loaded = load_xml(bytes, name, document); !loaded) {
        return tl::unexpected(loaded.error());
    }
    Drawing drawing;
    if (const auto read = Reader(document, drawing).read(name); !read) {
        return tl::unexpected(read.error());
    }
    return drawing;
}

} // namespace samples
