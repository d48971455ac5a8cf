#pragma once

#include <memory>

#include "common/picture_window.hpp"
#include "culling/flight.hpp"
#include "culling/frame_times.hpp"

namespace samples::culling {

/// What a person changes while frames are drawn.
struct Controls {
    Flight flight;
    Switches switches;
    float stops = 0; ///< of exposure
};

/// What there is to say about frames.
struct PanelNumbers {
    const weir::Capabilities& device;
    std::uint32_t instances = 0; ///< of the scene
    const Report& counts;        ///< of the latest frame that is complete
    const FrameTimes& times;
};

/// A panel of Dear ImGui: counts and times, and what changes the controls.
class Panel {
public:
    /// Null, with a line on stderr, where the program was built without Dear ImGui.
    static weir::Result<std::unique_ptr<Panel>> create(const PictureWindow& window, std::uint32_t frames_in_flight);
    virtual ~Panel() = default;
    /// Whether an event is meant for the panel.
    [[nodiscard]] virtual bool takes(const WindowEvent& event) const = 0;
    [[nodiscard]] virtual bool takes_keys() const = 0;
    /// Records it over what is on the image.
    virtual weir::Result<> record(const SwapchainFrame& frame, const PanelNumbers& numbers, Controls& controls) = 0;
};

} // namespace samples::culling
