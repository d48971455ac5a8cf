#include "paths/drawings.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include <weir/svg/document.hpp>

#include "common/command_line.hpp"
#include "common/files.hpp"
#include "common/paths.hpp"
#include "common/propagate.hpp"

namespace weir::bench {

namespace {

using paths::Transform;

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30; // maximum size of a file
constexpr paths::Color white{1, 1, 1, 1};

bool read_size(std::string_view text, paths::View& view) {
    const std::size_t x = text.find('x');
    const auto fits = [](std::uint32_t n) { return n >= 1 && n <= paths::max_pixels; };
    return x != std::string_view::npos && samples::parse_number(text.substr(0, x), view.width) &&
           samples::parse_number(text.substr(x + 1), view.height) && fits(view.width) && fits(view.height);
}

/// Wraps a coordinate into [0, end).
float wrapped(float place, float end) {
    return place - end * std::floor(place / end);
}

} // namespace

Result<Drawing> drawing_of(const std::string& file) {
    const std::size_t at = file.rfind('@');
    const std::string path = file.substr(0, at);
    Drawing drawing{.name = samples::name_of(samples::path_of(path).stem()), .view = {.background = white}};
    if (at != std::string::npos && !read_size(std::string_view(file).substr(at + 1), drawing.view)) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "'" + file + "' is not FILE@WIDTHxHEIGHT"});
    }
    std::string bytes;
    const auto read = samples::append_file(path, most_bytes, bytes);
    SAMPLES_PROPAGATE(read);
    if (!*read) {
        return samples::io_error(path, "is larger than 1 GiB");
    }
    auto svg = svg::read(bytes, {.name = path, .folder = samples::path_of(path).parent_path() / "."});
    SAMPLES_PROPAGATE(svg);
    paths::View& view = drawing.view;
    if (at == std::string::npos) {
        const auto pixels = [](float size) {
            return static_cast<std::uint32_t>(std::clamp(std::ceil(size), 1.0F, float{paths::max_pixels}));
        };
        view.width = pixels(svg->width);
        view.height = pixels(svg->height);
    }
    const float scale =
        std::min(static_cast<float>(view.width) / svg->width, static_cast<float>(view.height) / svg->height);
    view.transform = Transform::scaling(scale, scale);
    drawing.scene = std::move(svg->scene);
    return drawing;
}

Drawing zoomed(const Drawing& drawing, float zoom) {
    Drawing result = drawing;
    result.name += " x " + std::to_string(std::lround(zoom));
    const float x = static_cast<float>(drawing.view.width) / 2, y = static_cast<float>(drawing.view.height) / 2;
    result.view.transform = Transform::translation(x, y) * Transform::scaling(zoom, zoom) *
                            Transform::translation(-x, -y) * drawing.view.transform;
    return result;
}

Drawing text_page(const Font& font, std::uint32_t glyphs) {
    constexpr std::string_view text = "The quick brown fox jumps over the lazy dog. Pack my box with five dozen liquor "
                                      "jugs! Sphinx of black quartz, judge my vow: 0123456789 (and 3 % of it). ";
    constexpr float leading = 1.25F, margin = 60;                       // ems, pixels
    const float em = 20 * std::sqrt(5000 / static_cast<float>(glyphs)); // pixels: they fill the page
    Drawing page{.name = "text", .view = {.width = 1240, .height = 1754, .background = white}};
    std::map<char, paths::OutlineId> outlines;
    for (const auto& [letter, glyph] : font) {
        if (!glyph.outline.empty()) {
            outlines[letter] = page.scene.add_outline(glyph.outline);
        }
    }
    const float line_end = (static_cast<float>(page.view.width) - 2 * margin) / em; // ems
    std::vector<paths::Glyph> run;
    paths::Point pen{0, 1};
    for (std::size_t i = 0; run.size() < glyphs && !outlines.empty(); ++i) {
        const char letter = text[i % text.size()];
        if (const auto outline = outlines.find(letter); outline != outlines.end()) {
            run.push_back({outline->second, pen});
        }
        pen.x += font.at(letter).advance;
        if (letter == ' ') {
            float word_end = pen.x;
            for (std::size_t k = i + 1; text[k % text.size()] != ' '; ++k) {
                word_end += font.at(text[k % text.size()]).advance;
            }
            pen = word_end > line_end ? paths::Point{0, pen.y + leading} : pen;
        }
    }
    page.scene.fill_glyphs(run, page.scene.add_paint({0.1F, 0.1F, 0.1F, 1}),
                           Transform::translation(margin, margin) * Transform::scaling(em, em));
    return page;
}

MovingRectangles::MovingRectangles(std::uint32_t count)
    : drawing_{.name = "rectangles", .view = {.width = 1920, .height = 1080, .background = white}} {
    std::mt19937 random(1);
    const auto between = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random()) / static_cast<float>(std::mt19937::max());
    };
    paths::Scene& scene = drawing_.scene;
    const paths::OutlineId unit = scene.add_outline(paths::Path().add_rect(0, 0, 1, 1));
    for (std::uint32_t i = 0; i < count; ++i) {
        Rectangle made{{between(0, 1920), between(0, 1080)}, {}, between(4, 40), between(4, 40)};
        made.speed = {between(-4, 4), between(-4, 4)};
        rectangles_.push_back(made);
        const paths::Color color{between(0, 1), between(0, 1), between(0, 1), between(0.3F, 1)};
        scene.fill(unit, scene.add_paint(color));
    }
    step();
}

void MovingRectangles::step() {
    for (std::uint32_t i = 0; i < rectangles_.size(); ++i) {
        Rectangle& r = rectangles_[i];
        r.place = {wrapped(r.place.x + r.speed.x, 1920), wrapped(r.place.y + r.speed.y, 1080)};
        drawing_.scene.move(i, Transform::translation(r.place.x, r.place.y) * Transform::scaling(r.width, r.height));
    }
}

} // namespace weir::bench
