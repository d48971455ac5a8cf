#include "culling/window.hpp"

namespace samples::culling {

weir::Result<> show_in_window(const Options& /*options*/) {
    return tl::unexpected(weir::Error{weir::ErrorCode::unsupported,
                                      "cannot open a window: GLFW 3 was missing when this was built (Debian: "
                                      "libglfw3-dev)"});
}

} // namespace samples::culling
