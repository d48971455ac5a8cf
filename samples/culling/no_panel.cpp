#include <cstdio>

#include "culling/panel.hpp"

namespace samples::culling {

weir::Result<std::unique_ptr<Panel>> Panel::create(const PictureWindow& /*window*/,
                                                   std::uint32_t /*frames_in_flight*/) {
    std::fprintf(stderr,
                 "culling: the window has no panel: Dear ImGui 1.86 to 1.90 or the source of its Vulkan backend "
                 "was missing when this was built (Debian: libimgui-dev)\n");
    return nullptr;
}

} // namespace samples::culling
