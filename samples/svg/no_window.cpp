#include "svg/window.hpp"

namespace samples {

weir::Result<> show_in_window(const weir::svg::Drawing&, const Options&, const weir::paths::View&) {
    return tl::unexpected(weir::Error{weir::ErrorCode::unsupported,
                                      "cannot open a window: GLFW 3 was missing when this was built (Debian: "
                                      "libglfw3-dev)"});
}

} // namespace samples
