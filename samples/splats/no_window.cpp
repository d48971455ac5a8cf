#include "splats/window.hpp"

namespace samples::splats {

weir::Result<> show_in_window(const Options&) {
    return tl::unexpected(weir::Error{weir::ErrorCode::unsupported,
                                      "cannot open a window: GLFW 3 was missing when this was built (Debian: "
                                      "libglfw3-dev)"});
}

} // namespace samples::splats
