#include <cmath>
#include <numbers>
#include <utility>

#include "svg/syntax.hpp"

namespace weir::svg {

namespace {

using weir::paths::Arc;
using weir::paths::Path;
using weir::paths::Point;

/// Reads the segments of a path's `d` attribute, one at a time.
class PathData {
public:
    explicit PathData(std::string_view text) : scanner_(text) {}

    [[nodiscard]] bool at_end() { return scanner_.at_end(); }
    [[nodiscard]] std::string_view rest() { return scanner_.rest(); }
    [[nodiscard]] Path& path() { return path_; }

    /// Adds the next segment to the path. Returns false and adds nothing if it is not valid.
    bool read_segment() {
        if (!read_command()) {
            return false;
        }
        is_relative_ = command_ >= 'a';
        is_valid_ = true;
        const char kind = is_relative_ ? static_cast<char>(command_ - 'a' + 'A') : command_;
        switch (kind) {
        case 'M': read_move(); break;
        case 'L': read_line(point()); break;
        case 'H': read_line({coordinate(current_.x), current_.y}); break;
        case 'V': read_line({current_.x, coordinate(current_.y)}); break;
        case 'Q': read_quad(point()); break;
        case 'T': read_quad(reflected("QT")); break;
        case 'C': read_cubic(point()); break;
        case 'S': read_cubic(reflected("CS")); break;
        case 'A': read_arc(); break;
        case 'Z':
            path_.close();
            current_ = start_;
            break;
        default: return false;
        }
        last_ = kind;
        return is_valid_;
    }

private:
    /// Reads the letter of the next command, which is optional if the previous one may be repeated.
    bool read_command() {
        const char first = scanner_.rest().front();
        if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')) {
            command_ = scanner_.character();
        } else if (command_ == 0 || command_ == 'Z' || command_ == 'z') {
            return false;
        } else if (command_ == 'M' || command_ == 'm') { // further points of a move are lines
            command_ = command_ == 'M' ? 'L' : 'l';
        }
        return !path_.empty() || command_ == 'M' || command_ == 'm';
    }

    float number() {
        const auto value = scanner_.number();
        is_valid_ = is_valid_ && value && std::isfinite(*value);
        return value.value_or(0.0F);
    }
    /// Reads a coordinate, which is relative to `current` if the command is.
    float coordinate(float current) { return (is_relative_ ? current : 0) + number(); }
    Point point() {
        const float x = coordinate(current_.x);
        const float y = coordinate(current_.y);
        return {x, y};
    }
    /// Returns the first control point of a smooth curve: the mirror image of the last one if the previous command is
    /// one of `kinds`.
    [[nodiscard]] Point reflected(std::string_view kinds) const {
        return kinds.find(last_) != std::string_view::npos
                   ? Point{2 * current_.x - control_.x, 2 * current_.y - control_.y}
                   : current_;
    }

    void read_move() {
        const Point to = point();
        if (is_valid_) {
            path_.move_to(to);
            current_ = start_ = to;
        }
    }
    void read_line(Point to) {
        if (is_valid_) {
            path_.line_to(to);
            current_ = to;
        }
    }
    void read_quad(Point control) {
        const Point to = point();
        if (is_valid_) {
            path_.quad_to(control, to);
            control_ = control;
            current_ = to;
        }
    }
    void read_cubic(Point first) {
        const Point second = point(), to = point();
        if (is_valid_) {
            path_.cubic_to(first, second, to);
            control_ = second;
            current_ = to;
        }
    }
    void read_arc() {
        Arc arc;
        arc.rx = number();
        arc.ry = number();
        arc.rotation = number() * std::numbers::pi_v<float> / 180;
        const auto is_large = scanner_.flag(), is_sweep = scanner_.flag();
        const Point to = point();
        is_valid_ = is_valid_ && is_large && is_sweep;
        if (is_valid_) {
            arc.is_large = *is_large;
            arc.is_sweep = *is_sweep;
            path_.arc_to(arc, to);
            current_ = to;
        }
    }

    Scanner scanner_;
    Path path_;
    Point current_, start_, control_; ///< `control_`: last control point, for smooth curves
    char command_ = 0, last_ = 0;
    bool is_relative_ = false, is_valid_ = true;
};

} // namespace

Path read_path_data(std::string_view text, std::size_t* parsed) {
    PathData data(text);
    std::string_view unread = text; // from the first segment that is not in the path
    while (!data.at_end() && data.read_segment()) {
        unread = data.rest();
    }
    if (parsed != nullptr) {
        *parsed = trimmed(unread).empty() ? text.size() : text.size() - unread.size();
    }
    return std::move(data.path());
}

} // namespace weir::svg
