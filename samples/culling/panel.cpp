#include "culling/panel.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include <imgui.h>

#include "common/gui.hpp"

namespace samples::culling {

namespace {

/// Formats a number with commas: "1,234,567".
std::string with_commas(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) {
        text.insert(at - 3, 1, ',');
    }
    return text;
}

void add_ms(double ms) {
    ImGui::TableNextColumn();
    ImGui::Text("%9.3f", ms);
}

/// Begins a table: names in the first column, numbers of one width in the others.
bool begin_table(const char* name, std::initializer_list<const char*> columns) {
    if (!ImGui::BeginTable(name, static_cast<int>(columns.size()),
                           ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit)) {
        return false;
    }
    for (const char* column : columns) {
        ImGui::TableSetupColumn(column);
    }
    ImGui::TableHeadersRow();
    return true;
}

void add_switches(Controls& controls) {
    ImGui::Checkbox("frustum", &controls.switches.frustum);
    ImGui::SameLine();
    ImGui::Checkbox("occlusion", &controls.switches.occlusion);
    ImGui::SameLine();
    ImGui::Checkbox("levels", &controls.switches.levels);
}

void add_flight(Controls& controls) {
    Flight& flight = controls.flight;
    bool is_paused = flight.is_paused() || !flight.is_on_path();
    if (ImGui::Checkbox("pause", &is_paused)) {
        flight.pause(is_paused);
    }
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-FLT_MIN);
    auto frame = static_cast<float>(flight.frame());
    if (ImGui::SliderFloat("##path", &frame, 0, path_frames - 1,
                           flight.is_on_path() ? "frame %.0f of the path" : "off the path")) {
        flight.go_to(frame);
    }
    ImGui::AlignTextToFramePadding();
    ImGui::Text("exposure");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::SliderFloat("##exposure", &controls.stops, -4, 4, "%+.1f stops");
}

void add_counts(const PanelNumbers& numbers) {
    const Report& counts = numbers.counts;
    ImGui::Text("%s of %s instances in the view", with_commas(counts.inside).c_str(),
                with_commas(numbers.instances).c_str());
    if (begin_table("counts", {"drawn", "    first", "     late", "transparent"})) {
        const auto add_row = [](const char* name, const uint(&parts)[3]) {
            ImGui::TableNextColumn();
            ImGui::Text("%-16s", name);
            for (std::size_t part = 0; part < 3; ++part) {
                ImGui::TableNextColumn();
                ImGui::Text("%*s", part == 2 ? 11 : 9, with_commas(parts[part]).c_str());
            }
        };
        add_row("instances", counts.instances);
        add_row("draw commands", counts.draws);
        add_row("triangles", counts.triangles);
        ImGui::EndTable();
    }
}

/// Adds a tree of stages and their passes.
void add_times(const FrameTimes& times) {
    ImGui::Text("frame %.1f ms, CPU %.2f ms", times.frame_ms, times.cpu_ms);
    if (!begin_table("times", {"on the GPU", "       ms"})) {
        return;
    }
    for (std::size_t stage = 0; stage < stage_names.size(); ++stage) {
        ImGui::TableNextColumn();
        const bool is_open = ImGui::TreeNodeEx(stage_names[stage], ImGuiTreeNodeFlags_SpanFullWidth);
        add_ms(times.stages_ms[stage]);
        if (!is_open) {
            continue;
        }
        for (const FrameTimes::Pass& pass : times.passes) {
            if (pass.stage == stage) {
                ImGui::TableNextColumn();
                ImGui::TreeNodeEx(&pass, ImGuiTreeNodeFlags_Leaf | ImGuiTreeNodeFlags_NoTreePushOnOpen, "%s",
                                  pass.name.c_str());
                add_ms(pass.ms);
            }
        }
        ImGui::TreePop();
    }
    ImGui::TableNextColumn();
    ImGui::Text("all");
    add_ms(times.gpu_ms);
    ImGui::EndTable();
}

class ImGuiPanel final : public Panel {
public:
    explicit ImGuiPanel(std::unique_ptr<Gui> gui) : gui_(std::move(gui)) {}

    [[nodiscard]] bool takes(const WindowEvent& event) const override { return Gui::takes(event); }
    [[nodiscard]] bool takes_keys() const override { return Gui::takes_keys(); }

    weir::Result<> record(const SwapchainFrame& frame, const PanelNumbers& numbers, Controls& controls) override {
        return gui_->record(frame, "culling", [&] {
            add_switches(controls);
            add_flight(controls);
            ImGui::Separator();
            ImGui::TextDisabled("%s", numbers.device.device_name.c_str());
            add_counts(numbers);
            ImGui::Separator();
            add_times(numbers.times);
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

} // namespace samples::culling
