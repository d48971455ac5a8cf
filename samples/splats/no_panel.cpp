#include <cstdio>

#include "splats/panel.hpp"

namespace samples::splats {

weir::Result<std::unique_ptr<Panel>> Panel::create(const PictureWindow& /*window*/,
                                                   std::uint32_t /*frames_in_flight*/) {
    std::fprintf(stderr, "splats: the window has no panel: Dear ImGui 1.86 to 1.90 or the source of its Vulkan backend "
                         "was missing when this was built (Debian: libimgui-dev)\n");
    return nullptr;
}

} // namespace samples::splats
