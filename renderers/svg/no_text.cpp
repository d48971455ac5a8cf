// Text in a build without weir::text.
#include "svg/reader.hpp"

namespace weir::svg {

struct TextFonts {};

void Reader::draw_text(const Node& /*node*/, const Style& /*style*/, const Place& /*place*/) {
    warn("text");
}

void Reader::add_text_box(const Node& /*node*/, const Style& /*style*/, const Place& /*place*/,
                          const Transform& /*transform*/, weir::paths::Path& /*path*/) {}

} // namespace weir::svg
