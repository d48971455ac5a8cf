#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <volk.h>
#include <weir/engine/error.hpp>

struct GLFWwindow;

namespace samples {

/// A point in a window, in pixels from the upper left corner.
struct WindowPoint {
    double x = 0, y = 0;
};

/// An input event.
struct WindowEvent {
    enum class Kind : std::uint8_t {
        drag,  ///< pointer moved with the left button held
        turn,  ///< pointer moved with the right button held
        wheel, ///< wheel turned
        letter,
        home, ///< Home key pressed
    };
    Kind kind = Kind::drag;
    WindowPoint from, at; ///< start and end of a movement; for other events, both are the pointer's position
    double notches = 0;   ///< of the wheel; positive: away from the user
    char letter = 0;      ///< ASCII
};

/// A GLFW window. Only one may exist, and only the main thread may use it.
class Window {
public:
    /// Opens a hidden window, no larger than the screen's work area. Errors: `unsupported`, for instance without a
    /// display.
    static weir::Result<std::unique_ptr<Window>> open(const std::string& title, VkExtent2D size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    void show();
    /// Returns the events since the last call, in order. Blocks while the window is minimised.
    std::vector<WindowEvent> take_events();
    /// Returns true if the user closed the window or pressed Escape.
    [[nodiscard]] bool is_closed() const;
    /// Returns true while a key is held. `letter` is the key's capital letter on a US keyboard.
    [[nodiscard]] bool is_held(char letter) const;
    /// Returns the size of the contents in pixels; 0 while the window is minimised.
    [[nodiscard]] VkExtent2D size() const;
    /// Returns the content scale, physical pixels per logical pixel: 2 on a high-density screen. At least 1.
    [[nodiscard]] float scale() const;
    [[nodiscard]] GLFWwindow* handle() const { return window_; }
    /// Creates a surface for the window. Errors: `unsupported`.
    [[nodiscard]] weir::Result<VkSurfaceKHR> create_surface(VkInstance instance) const;

private:
    explicit Window(GLFWwindow* window) : window_(window) {}
    void on_pointer(double x, double y);
    void add(WindowEvent event);

    GLFWwindow* window_;
    std::vector<WindowEvent> events_;
    WindowPoint pointer_;
    bool is_moving_ = false, is_turning_ = false; ///< left button held, right button held
};

/// Returns the instance extensions that surfaces need. A window must have been opened. Errors: `unsupported`.
weir::Result<std::vector<const char*>> surface_extensions();

} // namespace samples
