#include <weir/paths/scene.hpp>

#include <algorithm>

namespace weir::paths {

namespace {

constexpr std::uint32_t block = 64; ///< number of draws with one time of their latest edit

bool have_same_owner(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

} // namespace

void Scene::touch(std::uint32_t draw) {
    if (draw_edits_.size() <= draw / block) {
        draw_edits_.resize(draw / block + 1);
    }
    draw_edits_[draw / block] = ++edits_;
}

void Scene::move(std::uint32_t draw, const Transform& transform) {
    draws_[draw].transform = transform;
    touch(draw);
}

void Scene::recolor(std::uint32_t draw, PaintId paint) {
    if ((draws_[draw].flags & draw_is_effect) == 0) {
        set_paint(draws_[draw], paint.index);
        touch(draw);
    }
}

void Scene::set_visible(std::uint32_t draw, bool is_visible) {
    DrawRecord& record = draws_[draw];
    record.flags = is_visible ? record.flags & ~draw_is_hidden : record.flags | draw_is_hidden;
    touch(draw);
}

SceneState Scene::state() const {
    SceneState state;
    state.scene_ = identity_.key;
    state.texels_ = texels_;
    state.edits_ = edits_;
    return state;
}

bool Scene::is_later_than(const SceneState& state) const {
    return have_same_owner(state.scene_, identity_.key) && edits_ >= state.edits_;
}

std::vector<DrawRange> Scene::changed_draws(const SceneState& state) const {
    std::vector<DrawRange> changed;
    const auto count = static_cast<std::uint32_t>(draws_.size());
    for (std::uint32_t i = 0; i < draw_edits_.size(); ++i) {
        if (draw_edits_[i] <= state.edits_) {
            continue;
        }
        const DrawRange draws{i * block, std::min(count, (i + 1) * block)};
        if (!changed.empty() && changed.back().end == draws.first) {
            changed.back().end = draws.end;
        } else {
            changed.push_back(draws);
        }
    }
    return changed;
}

bool Scene::has_texels_of(const SceneState& state) const {
    return have_same_owner(state.texels_, texels_);
}

} // namespace weir::paths
