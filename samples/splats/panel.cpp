#include "splats/panel.hpp"

#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <utility>

#include <imgui.h>

#include "common/gui.hpp"

namespace samples::splats {

namespace {

void add_picture(PictureControl& picture) {
    ImGui::Checkbox("anti-aliasing", &picture.antialias);
    ImGui::SameLine();
    ImGui::ColorEdit3("background", picture.background.data(), ImGuiColorEditFlags_NoInputs);
    if (picture.max_degree > 0) {
        ImGui::SliderInt("degree", &picture.degree, 0, picture.max_degree);
    }
}

void add_movement(CameraControl& camera) {
    if (ImGui::RadioButton("orbit", !camera.flies)) {
        camera.flies = false;
    }
    ImGui::SameLine();
    if (ImGui::RadioButton("look around", camera.flies)) {
        camera.flies = true;
    }
    ImGui::SliderFloat("speed", &camera.speed, 0.05F, 20, "%.2f", ImGuiSliderFlags_Logarithmic);
    float field_of_view = camera.field_of_view();
    if (ImGui::SliderFloat("field of view", &field_of_view, 10, 120, "%.0f degrees")) {
        camera.set_field_of_view(field_of_view);
    }
}

void add_path(CameraControl& camera) {
    const Path& path = camera.path();
    bool is_playing = camera.is_playing();
    if (ImGui::Checkbox("play", &is_playing)) {
        camera.play(is_playing);
    }
    ImGui::SameLine();
    auto time = static_cast<float>(camera.time());
    if (ImGui::SliderFloat("path", &time, static_cast<float>(path.first_time()), static_cast<float>(path.last_time()),
                           camera.is_free() ? "off the path" : "%.2f s")) {
        camera.go_to(time);
    }
    if (ImGui::Button("add key frame")) {
        camera.add_key_frame();
    }
    ImGui::SameLine();
    ImGui::BeginDisabled(camera.recorded().size() < 2);
    if (ImGui::Button("remove")) {
        camera.remove_key_frame();
    }
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::Text("%zu", camera.recorded().size());
    ImGui::SliderFloat("seconds apart", &camera.key_seconds, 0.1F, 10, "%.1f");
}

void add_clouds(std::vector<CloudControl>& clouds) {
    for (CloudControl& cloud : clouds) {
        ImGui::PushID(&cloud);
        ImGui::Checkbox("##visible", &cloud.is_visible);
        ImGui::SameLine();
        ImGui::ColorEdit3("##tint", cloud.tint.data(), ImGuiColorEditFlags_NoInputs);
        ImGui::SameLine();
        ImGui::SetNextItemWidth(6 * ImGui::GetFontSize());
        ImGui::SliderFloat("##opacity", &cloud.opacity, 0, 1, "%.2f");
        ImGui::SameLine();
        ImGui::Text("%s, %u", cloud.name.c_str(), cloud.splats);
        ImGui::PopID();
    }
}

void add_times(const RecentTimes& times) {
    ImGui::Text("frame %.2f ms, GPU %.3f ms", times.frame_ms, times.gpu_ms);
    if (ImGui::BeginTable("times", 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit)) {
        for (const auto& [name, ms] : times.stages) {
            ImGui::TableNextColumn();
            ImGui::Text("%-12s", name.c_str());
            ImGui::TableNextColumn();
            ImGui::Text("%9.3f ms", ms);
        }
        ImGui::EndTable();
    }
    const std::vector<float>& curve = times.frames_gpu_ms;
    if (!curve.empty()) {
        ImGui::PlotLines("##curve", curve.data(), static_cast<int>(curve.size()), 0, nullptr, 0, FLT_MAX,
                         {20 * ImGui::GetFontSize(), 3 * ImGui::GetFontSize()});
    }
}

class ImGuiPanel final : public Panel {
public:
    explicit ImGuiPanel(std::unique_ptr<Gui> gui) : gui_(std::move(gui)) {}

    [[nodiscard]] bool takes(const WindowEvent& event) const override { return Gui::takes(event); }
    [[nodiscard]] bool takes_keys() const override { return Gui::takes_keys(); }

    weir::Result<> record(const SwapchainFrame& frame, const PanelNumbers& numbers, Controls& controls) override {
        return gui_->record(frame, "splats", [&] {
            ImGui::PushItemWidth(10 * ImGui::GetFontSize());
            add_picture(controls.picture);
            add_clouds(controls.picture.clouds);
            ImGui::Separator();
            add_movement(controls.camera);
            add_path(controls.camera);
            if (ImGui::Button("write picture")) {
                controls.wants_picture = true;
            }
            ImGui::SameLine();
            ImGui::TextUnformatted(numbers.message.c_str());
            ImGui::Separator();
            ImGui::TextDisabled("%s", numbers.device.device_name.c_str());
            if (numbers.report) {
                ImGui::Text("%u splats visible, %u pairs with blocks", numbers.report->counts.visible,
                            numbers.report->counts.pairs);
            }
            add_times(numbers.times);
            ImGui::PopItemWidth();
        });
    }

private:
    std::unique_ptr<Gui> gui_;
};

} // namespace

weir::Result<std::unique_ptr<Panel>> Panel::create(const PictureWindow& window, std::uint32_t frames_in_flight) {
    return Gui::create(window, frames_in_flight).map([](std::unique_ptr<Gui> gui) -> std::unique_ptr<Panel> {
        return std::make_unique<ImGuiPanel>(std::move(gui));
    });
}

} // namespace samples::splats
