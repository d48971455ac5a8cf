#include <weir/svg/document.hpp>

#include "svg/reader.hpp"
#include "svg/xml.hpp"

namespace weir::svg {

Result<Drawing> read(std::string_view bytes, const ReadOptions& options) {
    pugi::xml_document document;
    if (auto loaded = load_xml(bytes, options.name, document); !loaded) {
        return tl::unexpected(std::move(loaded).error());
    }
    Drawing drawing;
    std::error_code error; // if set, images in files are not found
    const auto folder = options.folder.empty() ? options.folder : std::filesystem::absolute(options.folder, error);
    if (auto done = Reader(document, drawing, folder).read(options); !done) {
        return tl::unexpected(std::move(done).error());
    }
    return drawing;
}

} // namespace weir::svg
