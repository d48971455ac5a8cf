#include "svg/document.hpp"

#include <filesystem>

#include "common/paths.hpp"
#include "svg/reader.hpp"
#include "svg/xml.hpp"

namespace samples {

weir::Result<Drawing> read_svg(std::string_view bytes, const std::string& path) {
    pugi::xml_document document;
    if (const auto loaded = load_xml(bytes, path, document); !loaded) {
        return tl::unexpected(loaded.error());
    }
    Drawing drawing;
    std::error_code error; // if set, images in files are not found
    const auto folder = std::filesystem::absolute(path_of(path), error).parent_path();
    if (const auto read = Reader(document, drawing, folder).read(path); !read) {
        return tl::unexpected(read.error());
    }
    return drawing;
}

} // namespace samples
