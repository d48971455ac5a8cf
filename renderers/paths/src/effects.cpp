#include <weir/paths/effects.hpp>

#include <cmath>
#include <utility>

namespace weir::paths {

namespace effect {

ColorMatrix ColorMatrix::saturation(float factor) {
    const float s = factor;
    return {{0.213F + 0.787F * s,
             0.715F - 0.715F * s,
             0.072F - 0.072F * s,
             0,
             0, //
             0.213F - 0.213F * s,
             0.715F + 0.285F * s,
             0.072F - 0.072F * s,
             0,
             0, //
             0.213F - 0.213F * s,
             0.715F - 0.715F * s,
             0.072F + 0.928F * s,
             0,
             0, //
             0,
             0,
             0,
             1,
             0}};
}

ColorMatrix ColorMatrix::hue_rotation(float angle) {
    const float c = std::cos(angle), s = std::sin(angle);
    return {{0.213F + c * 0.787F - s * 0.213F,
             0.715F - c * 0.715F - s * 0.715F,
             0.072F - c * 0.072F + s * 0.928F,
             0,
             0,
             0.213F - c * 0.213F + s * 0.143F,
             0.715F + c * 0.285F + s * 0.140F,
             0.072F - c * 0.072F - s * 0.283F,
             0,
             0,
             0.213F - c * 0.213F - s * 0.787F,
             0.715F - c * 0.715F + s * 0.715F,
             0.072F + c * 0.928F + s * 0.072F,
             0,
             0,
             0,
             0,
             0,
             1,
             0}};
}

ColorMatrix ColorMatrix::luminance_to_alpha() {
    return {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2125F, 0.7154F, 0.0721F, 0, 0}};
}

} // namespace effect

effect::Input Effect::add_drop_shadow(effect::Input input, effect::Blur blur, effect::Offset offset, const Color& color,
                                      const std::optional<Rect>& step_region, bool is_linear) {
    const auto add_step = [&](effect::Work work, std::vector<effect::Input> inputs) {
        return add({std::move(work), std::move(inputs), step_region, is_linear});
    };
    const effect::Input moved = add_step(offset, {add_step(blur, {input})});
    const effect::Input shadow =
        add_step(effect::Composite{effect::Operator::in}, {add_step(effect::Flood{color}, {}), moved});
    return add_step(effect::Merge{}, {shadow, input});
}

EffectId Scene::add_effect(const Effect& effect) {
    effects_.push_back(std::make_shared<const Effect>(effect));
    return {static_cast<std::uint32_t>(effects_.size()) - 1};
}

} // namespace weir::paths
