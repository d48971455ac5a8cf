#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <volk.h>
#include <weir/splats/frames.hpp>

#include "common/picture_window.hpp"
#include "splats/controls.hpp"
#include "splats/stage_timer.hpp"

namespace samples::splats {

/// Settings that the user changes while frames are drawn.
struct Controls {
    CameraControl camera;
    PictureControl picture;
    bool wants_picture = false; ///< write the next picture to a file
};

/// Numbers that the panel shows.
struct PanelNumbers {
    const weir::Capabilities& device;
    const std::optional<FrameReport>& report; ///< report on the latest complete frame
    const RecentTimes& times;
    const std::string& message; ///< about the latest file
};

/// A Dear ImGui panel that shows counts and times and edits the controls.
class Panel {
public:
    /// Returns null and prints a line on stderr if the program was built without Dear ImGui.
    static weir::Result<std::unique_ptr<Panel>> create(const PictureWindow& window, std::uint32_t frames_in_flight);
    virtual ~Panel() = default;
    /// Returns true if the panel handles the event.
    [[nodiscard]] virtual bool takes(const WindowEvent& event) const = 0;
    [[nodiscard]] virtual bool takes_keys() const = 0;
    /// Records the panel on top of the image's contents.
    virtual weir::Result<> record(const SwapchainFrame& frame, const PanelNumbers& numbers, Controls& controls) = 0;
};

} // namespace samples::splats
