#include "svg/document.hpp"

#include <filesystem>

#include "common/paths.hpp"
#include "common/propagate.hpp"
#include "svg/reader.hpp"
#include "svg/xml.hpp"

namespace samples {

weir::Result<Drawing> read_svg(std::string_view bytes, const std::string& path) {
    pugi::xml_document document;
    SAMPLES_PROPAGATE(load_xml(bytes, path, document));
    Drawing drawing;
    std::error_code error; // if set, images in files are not found
    const auto folder = std::filesystem::absolute(path_of(path), error).parent_path();
    SAMPLES_PROPAGATE(Reader(document, drawing, folder).read(path));
    return drawing;
}

} // namespace samples
