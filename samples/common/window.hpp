#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <volk.h>
#include <weir/engine/error.hpp>

struct GLFWwindow;

namespace samples {

/// A point of a window, in pixels from its upper left corner.
struct WindowPoint {
    double x = 0, y = 0;
};

/// What the user did.
struct WindowEvent {
    enum class Kind : std::uint8_t {
        drag,  ///< moved the pointer with the left button held
        turn,  ///< the same with the right button
        wheel, ///< turned it
        letter,
        home, ///< the key
    };
    Kind kind = Kind::drag;
    WindowPoint from, at; ///< of a drag, its ends; else both are where the pointer is
    double notches = 0;   ///< of the wheel, away from the user
    char letter = 0;      ///< ASCII
};

/// A window on the screen, by GLFW. One at a time, in the thread of `main`.
class Window {
public:
    /// Opens a window, which is not shown yet. It is made smaller where the screen is. Errors: `unsupported`, for
    /// instance without a display.
    static weir::Result<std::unique_ptr<Window>> open(const std::string& title, VkExtent2D size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Shows it.
    void show();
    /// What happened since the last call, in order. Waits while the window is minimised.
    std::vector<WindowEvent> take_events();
    /// Whether the user closed it, or pressed Escape.
    [[nodiscard]] bool is_closed() const;
    /// Whether the key is held that has this capital letter on a keyboard of the United States.
    [[nodiscard]] bool is_held(char letter) const;
    /// Pixels of its contents; 0 while it is minimised.
    [[nodiscard]] VkExtent2D size() const;
    /// Pixels for one that a person sees as such: 2 on a screen with twice as many.
    [[nodiscard]] float scale() const;
    /// What GLFW calls it.
    [[nodiscard]] GLFWwindow* handle() const { return window_; }
    /// A surface on it. Errors: `unsupported`.
    [[nodiscard]] weir::Result<VkSurfaceKHR> create_surface(VkInstance instance) const;

private:
    explicit Window(GLFWwindow* window) : window_(window) {}
    void on_pointer(double x, double y);
    void add(WindowEvent event);

    GLFWwindow* window_;
    std::vector<WindowEvent> events_;
    WindowPoint pointer_;
    bool is_moving_ = false, is_turning_ = false; ///< the left and the right button are held
};

/// Extensions of the instance that surfaces need. After a window was opened. Errors: `unsupported`.
weir::Result<std::vector<const char*>> surface_extensions();

} // namespace samples
