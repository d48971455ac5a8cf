#pragma once

#include <memory>

#include "common/picture_window.hpp"
#include "culling/flight.hpp"
#include "culling/frame_times.hpp"

namespace samples::culling {

/// Settings that the user changes while frames are drawn.
struct Controls {
    Flight flight;
    Switches switches;
    float stops = 0; ///< exposure compensation
};

/// Numbers that the panel shows.
struct PanelNumbers {
    const weir::Capabilities& device;
    std::uint32_t instances = 0; ///< number of instances in the scene
    const Report& counts;        ///< counts of the latest complete frame
    const FrameTimes& times;
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

} // namespace samples::culling
