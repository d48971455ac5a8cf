#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <weir/paths/effects.hpp>
#include <weir/paths/scene.hpp>

namespace weir::tests {

/// Returns a path of lines and curves. Some end on the edges of tiles.
inline paths::Path random_path(std::mt19937& random, float size) {
    std::uniform_real_distribution<float> place(-0.3F * size, 1.3F * size);
    const auto point = [&] { return paths::Point{place(random), place(random)}; };
    paths::Path path;
    for (std::uint32_t subpaths = random() % 3 + 1; subpaths != 0; --subpaths) {
        path.move_to(point());
        for (std::uint32_t parts = random() % 6 + 1; parts != 0; --parts) {
            switch (random() % 4) {
            case 0: path.line_to(point()); break;
            case 1: path.quad_to(point(), point()); break;
            case 2: path.cubic_to(point(), point(), point()); break;
            default: { // ends on whole pixels, and on the edges of tiles
                const paths::Point p = point();
                path.line_to({std::round(p.x / 16) * 16, std::round(p.y / 4) * 4});
            }
            }
        }
        if (random() % 2 == 0) {
            path.close();
        }
    }
    return path;
}

/// Contents of random scenes in addition to fills and strokes in plain colors.
struct Variety {
    bool dashes = false;
    bool gradients = false; ///< and blurred rectangles
    bool layers = false, images = false;
    bool operators = false;   ///< layers with Porter-Duff operators
    bool edges = false;       ///< draws without anti-aliasing, clipped miters, separate caps, strokes in pixels
    bool effects = false;     ///< effects of layers
    std::uint32_t nested = 0; ///< number of layers that are nested in one another
};

/// A scene of a few draws, most of them partly outside of a picture of `size` x `size` pixels.
class RandomScene {
public:
    /// `begun`: a scene to which draws are added.
    RandomScene(std::mt19937& random, float size, Variety variety, paths::Scene begun = {})
        : random_(random), size_(size), variety_(variety), scene_(std::move(begun)),
          first_draw_(static_cast<std::uint32_t>(scene_.draws().size())) {
        use_features();
        add_nested(variety.nested);
        add_draws(random() % 6 + 1, 0);
        edit();
    }
    [[nodiscard]] const paths::Scene& scene() const { return scene_; }

private:
    /// Uses the features of the variety once, invisibly. Otherwise scenes would differ in the kernels that they need,
    /// and drivers on the CPU compile slowly.
    void use_features() {
        if (variety_.gradients) {
            scene_.add_paint(paths::SweepGradient{});
            scene_.add_blurred_rect({.rect = {0, 0, 1, 1}});
        }
        if (variety_.images) {
            external_image({1, 1, white_}, true);
        }
        if (variety_.operators) {
            scene_.push_layer({.composite = paths::Composite::plus});
            scene_.pop_layer();
        }
        if (variety_.edges) {
            scene_.set_antialias(paths::Antialias::none);
            scene_.fill(scene_.add_outline({}), scene_.add_paint({0, 0, 0, 1}));
            scene_.set_antialias(paths::Antialias::area);
        }
    }

    float one() { return std::uniform_real_distribution<float>(0, 1)(random_); }
    paths::Color color() { return {one(), one(), one(), random_() % 2 == 0 ? 1 : one()}; }
    paths::Point point() { return {size_ * one(), size_ * one()}; }

    paths::Transform transform() {
        return random_() % 2 == 0
                   ? paths::Transform{}
                   : paths::Transform::translation(size_ * one(), 0) * paths::Transform::rotation(6 * one()) *
                         paths::Transform::scaling(2 * one(), one() - 0.5F);
    }

    /// Returns an image of any colors. Some are larger than the picture.
    paths::BitmapId image() {
        const std::uint32_t width = random_() % 40 + 1, height = random_() % (random_() % 4 == 0 ? 300 : 20) + 1;
        std::vector<std::uint32_t> pixels(std::size_t{width} * height);
        const std::uint32_t alpha = random_() % 2 == 0 ? 0xFF000000U : 0;
        std::generate(pixels.begin(), pixels.end(), [&] { return random_() | alpha; });
        if (random_() % 3 == 0) {
            return external_image({width, height, pixels}, alpha != 0);
        }
        return scene_.add_bitmap({width, height, pixels});
    }

    /// Adds an external image. Tests bind an image with the pixels of Scene::external_texels, which are premultiplied.
    paths::BitmapId external_image(const paths::Bitmap& bitmap, bool is_opaque) {
        const auto index = static_cast<std::uint32_t>(scene_.external_images().size());
        const paths::BitmapId id = scene_.add_external_image(
            {.width = bitmap.width, .height = bitmap.height, .is_opaque = is_opaque, .is_premultiplied = true});
        scene_.set_external_pixels(index, bitmap);
        return id;
    }

    paths::PaintId paint() {
        if (variety_.images && random_() % 2 == 0) {
            const float pixel = 4 * one(); // size of a pixel of the image in the space of the draw
            return scene_.add_paint(paths::ImagePaint{
                .bitmap = image(),
                .filter = static_cast<paths::Filter>(random_() % 3),
                .across = static_cast<paths::Spread>(random_() % 3),
                .down = static_cast<paths::Spread>(random_() % 3),
                .transform = transform() * paths::Transform::scaling(pixel, random_() % 2 == 0 ? pixel : one()),
                .opacity = random_() % 2 == 0 ? 1 : one()});
        }
        if (!variety_.gradients || random_() % 2 == 0) {
            return scene_.add_paint(color());
        }
        if (random_() % 6 == 0) {
            return scene_.add_blurred_rect({.rect = region(),
                                            .radius = random_() % 2 == 0 ? 0 : size_ * one() / 2,
                                            .deviation = 0.3F + 10 * one() * one(),
                                            .color = color(),
                                            .is_inverted = random_() % 3 == 0});
        }
        paths::Gradient gradient{.spread = static_cast<paths::Spread>(random_() % 3),
                                 .transform = transform(),
                                 .is_premultiplied = random_() % 2 == 0};
        float offset = 0;
        for (std::uint32_t stops = random_() % 5; stops != 0; --stops) {
            gradient.stops.push_back({offset, color()});
            offset = random_() % 4 == 0 ? offset : std::min(1.0F, offset + one());
        }
        switch (random_() % 3) {
        case 0: return scene_.add_paint(paths::LinearGradient{gradient, point(), point()});
        case 1: return scene_.add_paint(paths::SweepGradient{gradient, point(), 6 * one(), 6 * one()});
        default: break;
        }
        return scene_.add_paint(
            paths::RadialGradient{gradient, point(), size_ * one(), point(), random_() % 2 == 0 ? 0 : size_ * one()});
    }

    paths::Rect region() {
        const paths::Point p = point();
        return {p.x - size_ / 2, p.y - size_ / 2, p.x + size_ * one(), p.y + size_ * one()};
    }

    paths::effect::Light light() {
        namespace effect = paths::effect;
        const paths::Point at = point(), target = point();
        switch (random_() % 3) {
        case 0: return effect::DistantLight{7 * one(), 2 * one()};
        case 1: return effect::PointLight{at.x, at.y, 5 + 30 * one()};
        default:
            return effect::SpotLight{
                at.x,     at.y, 5 + 30 * one(), target.x,
                target.y, 0,    1 + 9 * one(),  random_() % 2 == 0 ? std::optional(one()) : std::nullopt};
        }
    }

    paths::effect::Work work() {
        namespace effect = paths::effect;
        const auto function = [&] {
            const auto kind = static_cast<effect::Curve>(random_() % 5);
            // no jumps, where the rounding of colors would matter
            return effect::Function{kind == effect::Curve::discrete ? effect::Curve::table : kind,
                                    {one(), one() + 0.5F, one()}};
        };
        switch (random_() % 16) {
        case 0: return effect::Blur{8 * one() * one(), random_() % 3 == 0 ? 0 : 8 * one()};
        case 1: return effect::Offset{30 * one() - 15, 30 * one() - 15};
        case 2: return effect::Flood{color()};
        case 3: return effect::Blend{static_cast<paths::Blend>(random_() % 12)};
        case 4: return effect::Composite{static_cast<effect::Operator>(random_() % 7), {one(), one(), one(), 0}};
        case 5:
            return random_() % 2 == 0 ? effect::ColorMatrix::saturation(one())
                                      : effect::ColorMatrix::hue_rotation(one());
        case 6: return effect::Transfer{function(), function(), function(), function()};
        case 7: return effect::Morphology{random_() % 2 == 0, 4 * one(), random_() % 3 == 0 ? 0 : 4 * one()};
        case 8: return effect::Tile{};
        case 9: return effect::Paint{paint(), transform()};
        case 10: return effect::DiffuseLighting{light(), color(), 8 * one() - 2, 0.5F + one()};
        case 11: return effect::SpecularLighting{light(), color(), 8 * one() - 2, 0.5F + one(), 1 + 19 * one()};
        case 12:
            return effect::Turbulence{0.1F * one(),
                                      0.1F * one(),
                                      static_cast<std::uint32_t>(random_() % 5),
                                      static_cast<std::int32_t>(random_()),
                                      random_() % 2 == 0,
                                      random_() % 2 == 0};
        case 13: // by alpha, since the other components of nearly transparent colors depend on rounding
            return effect::Displacement{40 * one() - 20};
        case 14: {
            effect::Convolution matrix{.columns = static_cast<std::uint32_t>(random_() % 6 + 1),
                                       .rows = static_cast<std::uint32_t>(random_() % 6 + 1)};
            for (std::uint32_t i = matrix.columns * matrix.rows; i != 0; --i) {
                matrix.values.push_back(one() - 0.3F);
            }
            matrix.divisor = static_cast<float>(matrix.columns) * (0.5F + one());
            matrix.bias = one() - 0.5F;
            matrix.target_x = static_cast<std::uint32_t>(random_() % matrix.columns);
            matrix.target_y = static_cast<std::uint32_t>(random_() % matrix.rows);
            matrix.edge = static_cast<effect::Edge>(random_() % 3);
            return matrix;
        }
        default: return effect::Merge{};
        }
    }

    /// Returns an effect of any steps and inputs.
    paths::EffectId effect() {
        paths::Effect effect;
        effect.region = random_() % 4 == 0 ? effect.region : region();
        effect.transform = random_() % 2 == 0 ? paths::Transform{} : transform();
        for (std::uint32_t steps = random_() % 6; steps != 0; --steps) {
            paths::effect::Step step{.work = work(), .is_linear = random_() % 3 == 0};
            for (std::uint32_t inputs = random_() % 4; inputs != 0; --inputs) {
                const std::uint32_t earlier = random_() % 8;
                step.inputs.push_back(earlier < effect.steps.size() ? paths::effect::Input{earlier}
                                      : earlier == 7                ? paths::effect::source_alpha
                                                                    : paths::effect::source);
            }
            if (random_() % 3 == 0) {
                step.region = region();
            }
            effect.add(std::move(step));
        }
        return scene_.add_effect(effect);
    }

    /// Begins a layer inside a clip that earlier layers may use too.
    void push_some_clip(paths::OutlineId outline, paths::FillRule rule, const paths::Layer& layer) {
        if (clips_.empty() || random_() % 2 == 0) {
            clips_.push_back(scene_.add_clip(outline, transform(), rule));
        }
        scene_.push_clip(clips_[random_() % clips_.size()], layer);
    }

    /// Adds layers in one another, with little loss of opacity, and draws before and after some of them.
    void add_nested(std::uint32_t layers) {
        if (layers == 0) {
            return;
        }
        const auto add_draw = [&] {
            scene_.fill(scene_.add_outline(random_path(random_, size_)), paint(), transform());
        };
        if (random_() % 2 == 0) {
            add_draw();
        }
        const paths::Layer layer{.opacity = 1 - 0.02F * one()};
        const float reach = 2 * size_;
        const paths::OutlineId most =
            scene_.add_outline(paths::Path().add_rect(size_ * one() / 2, -reach, reach, 2 * reach));
        switch (random_() % 8) {
        case 0: scene_.push_clip(most, {}, paths::FillRule::nonzero, layer); break;
        case 1:
            scene_.begin_mask(paths::Mask::luminance);
            scene_.fill(most, scene_.add_paint({1, 1, 1 - 0.1F * one(), 1}));
            scene_.end_mask();
            scene_.push_layer(layer);
            break;
        default: scene_.push_layer(layer);
        }
        add_nested(layers - 1);
        if (random_() % 4 == 0) {
            add_draw();
        }
        scene_.pop_layer();
    }

    void add_draws(std::uint32_t draws, int depth) {
        for (; draws != 0; --draws) {
            if (variety_.edges) {
                scene_.set_antialias(static_cast<paths::Antialias>(random_() % 2));
            }
            const paths::OutlineId outline = scene_.add_outline(random_path(random_, size_));
            const paths::FillRule rule = random_() % 2 == 0 ? paths::FillRule::nonzero : paths::FillRule::even_odd;
            if (variety_.layers && depth < 4 && random_() % 3 == 0) {
                paths::Layer layer{.opacity = one(),
                                   .blend = static_cast<paths::Blend>(random_() % 16),
                                   .composite = static_cast<paths::Composite>(variety_.operators ? random_() % 13 : 0)};
                if (variety_.effects && random_() % 2 == 0) {
                    layer.effect = effect();
                }
                if (const std::uint32_t kind = random_() % 5; kind < 3) {
                    scene_.begin_mask(static_cast<paths::Mask>(kind));
                    add_draws(random_() % 3, depth + 1);
                    scene_.end_mask();
                    scene_.push_layer(layer);
                } else if (kind == 3) {
                    push_some_clip(outline, rule, layer);
                } else {
                    scene_.push_layer(layer);
                }
                add_draws(random_() % 4, depth + 1);
                scene_.pop_layer();
            }
            if (random_() % 2 == 0) {
                scene_.fill(outline, paint(), transform(), rule);
            } else {
                paths::Stroke stroke{.width = 20 * one() * one(),
                                     .join = static_cast<paths::Join>(random_() % (variety_.edges ? 4 : 3)),
                                     .cap = static_cast<paths::Cap>(random_() % 3),
                                     .miter_limit = 1 + 4 * one()};
                if (variety_.edges) {
                    stroke.end_cap = static_cast<paths::Cap>(random_() % 3);
                    stroke.is_non_scaling = random_() % 3 == 0;
                }
                for (std::uint32_t dashes = variety_.dashes ? random_() % 5 : 0; dashes != 0; --dashes) {
                    stroke.dashes.push_back(random_() % 5 == 0 ? 0 : 20 * one());
                    stroke.dash_offset = 50 * one() - 20;
                }
                scene_.stroke(outline, paint(), stroke, transform());
            }
            if (random_() % 8 == 0) {
                add_glyphs(outline);
            }
        }
    }

    /// Adds a run of text: small copies of one outline.
    void add_glyphs(paths::OutlineId outline) {
        std::vector<paths::Glyph> run(random_() % 5);
        for (paths::Glyph& glyph : run) {
            glyph = {outline, {20 * size_ * one(), 20 * size_ * one()}};
        }
        scene_.fill_glyphs(run, paint(), transform() * paths::Transform::scaling(0.1F * one(), 0.1F * one()));
    }

    /// Moves, recolors and hides some draws. Later scenes do not depend on it.
    void edit() {
        const std::mt19937 before = random_;
        for (std::uint32_t draw = first_draw_; draw < scene_.draws().size(); ++draw) {
            switch (random_() % 16) {
            case 0: scene_.move(draw, transform()); break;
            case 1: scene_.recolor(draw, paint()); break;
            case 2: scene_.set_visible(draw, false); break;
            default: break;
            }
        }
        random_ = before;
    }

    std::mt19937& random_;
    float size_;
    Variety variety_;
    paths::Scene scene_;
    std::uint32_t first_draw_ = 0;
    std::vector<paths::ClipId> clips_;
    std::array<std::uint32_t, 1> white_ = {~0U};
};

} // namespace weir::tests
