#include "common/window.hpp"

#include <algorithm>
#include <utility>

#include <GLFW/glfw3.h>

namespace samples {

namespace {

tl::unexpected<weir::Error> no_window() {
    const char* why = nullptr;
    glfwGetError(&why);
    return tl::unexpected(weir::Error{weir::ErrorCode::unsupported,
                                      std::string("cannot open a window: ") + (why == nullptr ? "no display" : why)});
}

Window& of(GLFWwindow* window) {
    return *static_cast<Window*>(glfwGetWindowUserPointer(window));
}

} // namespace

weir::Result<std::unique_ptr<Window>> Window::open(const std::string& title, VkExtent2D size) {
    if (glfwInit() != GLFW_TRUE) {
        return no_window();
    }
    int x = 0, y = 0, width = 0, height = 0;
    if (GLFWmonitor* screen = glfwGetPrimaryMonitor(); screen != nullptr) {
        glfwGetMonitorWorkarea(screen, &x, &y, &width, &height);
    }
    const auto held = [](std::uint32_t wanted, int most) {
        return std::max(1, most > 0 ? std::min(static_cast<int>(wanted), most) : static_cast<int>(wanted));
    };
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    GLFWwindow* made =
        glfwCreateWindow(held(size.width, width), held(size.height, height), title.c_str(), nullptr, nullptr);
    if (made == nullptr) {
        auto why = no_window();
        glfwTerminate();
        return why;
    }
    std::unique_ptr<Window> window(new Window(made));
    glfwSetWindowUserPointer(made, window.get());
    glfwSetCursorPosCallback(made, [](GLFWwindow* on, double to_x, double to_y) { of(on).on_pointer(to_x, to_y); });
    glfwSetMouseButtonCallback(made, [](GLFWwindow* on, int button, int action, int) {
        if (button == GLFW_MOUSE_BUTTON_LEFT) {
            of(on).is_moving_ = action == GLFW_PRESS;
        } else if (button == GLFW_MOUSE_BUTTON_RIGHT) {
            of(on).is_turning_ = action == GLFW_PRESS;
        }
    });
    glfwSetScrollCallback(made, [](GLFWwindow* on, double, double notches) {
        of(on).add({.kind = WindowEvent::Kind::wheel, .notches = notches});
    });
    glfwSetCharCallback(made, [](GLFWwindow* on, unsigned letter) {
        if (letter < 128) {
            of(on).add({.kind = WindowEvent::Kind::letter, .letter = static_cast<char>(letter)});
        }
    });
    glfwSetKeyCallback(made, [](GLFWwindow* on, int key, int, int action, int) {
        if (key == GLFW_KEY_ESCAPE && action == GLFW_PRESS) {
            glfwSetWindowShouldClose(on, GLFW_TRUE);
        } else if (key == GLFW_KEY_HOME && action == GLFW_PRESS) {
            of(on).add({.kind = WindowEvent::Kind::home});
        }
    });
    return window;
}

Window::~Window() {
    glfwDestroyWindow(window_);
    glfwTerminate();
}

void Window::show() {
    glfwShowWindow(window_);
}

void Window::on_pointer(double x, double y) {
    int width = 0, height = 0; // in GLFW's screen coordinates, which may differ from pixels
    glfwGetWindowSize(window_, &width, &height);
    const VkExtent2D pixels = size();
    const WindowPoint to = {x * pixels.width / std::max(1, width), y * pixels.height / std::max(1, height)};
    const WindowPoint from = std::exchange(pointer_, to);
    if (is_moving_) {
        events_.push_back({.kind = WindowEvent::Kind::drag, .from = from, .at = to});
    }
    if (is_turning_) {
        events_.push_back({.kind = WindowEvent::Kind::turn, .from = from, .at = to});
    }
}

void Window::add(WindowEvent event) {
    event.from = event.at = pointer_;
    events_.push_back(event);
}

std::vector<WindowEvent> Window::take_events() {
    glfwPollEvents();
    while (!is_closed() &&
           (glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE || size().width == 0 || size().height == 0)) {
        glfwWaitEvents();
    }
    return std::exchange(events_, {});
}

bool Window::is_closed() const {
    return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

bool Window::is_held(char letter) const {
    return glfwGetKey(window_, letter) == GLFW_PRESS;
}

VkExtent2D Window::size() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

float Window::scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::max(1.0F, x);
}

weir::Result<VkSurfaceKHR> Window::create_surface(VkInstance instance) const {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    if (glfwCreateWindowSurface(instance, window_, nullptr, &surface) != VK_SUCCESS) {
        return no_window();
    }
    return surface;
}

weir::Result<std::vector<const char*>> surface_extensions() {
    std::uint32_t count = 0;
    const char** const names = glfwGetRequiredInstanceExtensions(&count);
    if (names == nullptr) {
        return no_window();
    }
    return std::vector<const char*>(names, names + count);
}

} // namespace samples
