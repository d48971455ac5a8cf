#include <cmath>
#include <numbers>

#include "svg/syntax.hpp"

namespace weir::svg {

using weir::paths::Arc;
using weir::paths::Path;
using weir::paths::Point;

Path read_path_data(std::string_view text, std::size_t* parsed) {
    Scanner scanner(text);
    std::string_view unread = text; // from the first segment that is not in the path
    Path path;
    Point current, start, control; // last control point, for smooth curves
    char command = 0, last = 0;
    while (!scanner.at_end()) {
        const char first = scanner.rest().front();
        const bool is_letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
        if (is_letter) {
            command = scanner.character();
        } else if (command == 0 || command == 'Z' || command == 'z') {
            break;
        } else if (command == 'M' || command == 'm') { // further points of a move are lines
            command = command == 'M' ? 'L' : 'l';
        }
        if (path.empty() && command != 'M' && command != 'm') {
            break;
        }
        const bool is_relative = command >= 'a';
        const Point origin = is_relative ? current : Point{};
        const char kind = is_relative ? static_cast<char>(command - 'a' + 'A') : command;
        bool is_right = true;
        const auto number = [&] {
            const auto value = scanner.number();
            is_right = is_right && value && std::isfinite(*value);
            return value.value_or(0.0F);
        };
        const auto point = [&] {
            const float x = number();
            const float y = number();
            return Point{origin.x + x, origin.y + y};
        };
        const auto reflected = [&](std::string_view kinds) {
            return kinds.find(last) != std::string_view::npos
                       ? Point{2 * current.x - control.x, 2 * current.y - control.y}
                       : current;
        };
        Point p[3];
        switch (kind) {
        case 'M':
            p[0] = point();
            if (is_right) {
                path.move_to(p[0]);
                current = start = p[0];
            }
            break;
        case 'L':
        case 'T':
            p[0] = point();
            if (is_right && kind == 'L') {
                path.line_to(p[0]);
            } else if (is_right) {
                control = reflected("QT");
                path.quad_to(control, p[0]);
            }
            current = p[0];
            break;
        case 'H':
        case 'V': {
            const float value = number();
            p[0] = kind == 'H' ? Point{origin.x + value, current.y} : Point{current.x, origin.y + value};
            if (is_right) {
                path.line_to(p[0]);
            }
            current = p[0];
            break;
        }
        case 'Q':
            p[0] = point();
            p[1] = point();
            if (is_right) {
                path.quad_to(p[0], p[1]);
            }
            control = p[0];
            current = p[1];
            break;
        case 'C':
        case 'S':
            p[0] = kind == 'C' ? point() : reflected("CS");
            p[1] = point();
            p[2] = point();
            if (is_right) {
                path.cubic_to(p[0], p[1], p[2]);
            }
            control = p[1];
            current = p[2];
            break;
        case 'A': {
            Arc arc;
            arc.rx = number();
            arc.ry = number();
            arc.rotation = number() * std::numbers::pi_v<float> / 180;
            const auto is_large = scanner.flag(), is_sweep = scanner.flag();
            is_right = is_right && is_large && is_sweep;
            p[0] = point();
            if (is_right) {
                arc.is_large = *is_large;
                arc.is_sweep = *is_sweep;
                path.arc_to(arc, p[0]);
                current = p[0];
            }
            break;
        }
        case 'Z':
            path.close();
            current = start;
            break;
        default: is_right = false;
        }
        if (!is_right) {
            break;
        }
        last = kind;
        unread = scanner.rest();
    }
    if (parsed != nullptr) {
        *parsed = trimmed(unread).empty() ? text.size() : text.size() - unread.size();
    }
    return path;
}

} // namespace weir::svg
