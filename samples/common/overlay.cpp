#include "common/overlay.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "common/propagate.hpp"

namespace samples {

namespace {

using weir::paths::Path;
using weir::paths::Point;

/// Strokes of the characters from space to Z, separated by spaces. Each stroke is a list of points: a digit for x from
/// 0 to 4, a digit for y from 0 to 6, downwards.
constexpr std::array<std::string_view, 59> letters = {
    "",                                    // space
    "2024 2626",                           // !
    "1011 3031",                           // "
    "1115 3135 0242 0444",                 // #
    "4110011333441605 2026",               // $
    "0640 0101 4545",                      // %
    "4610113104051636",                    // &
    "2021",                                // '
    "30212536",                            // (
    "10212516",                            // )
    "0343 1234 3214",                      // *
    "0343 2125",                           // +
    "2617",                                // ,
    "0343",                                // -
    "2626",                                // .
    "0640",                                // /
    "103041453616050110 3214",             // 0
    "112026 1636",                         // 1
    "01103041420646",                      // 2
    "0110304142334445361605 1333",         // 3
    "36300444",                            // 4
    "400003334445361605",                  // 5
    "4130100105163645443303",              // 6
    "00404116",                            // 7
    "103041423313020110 1304051636454433", // 8
    "0516364541301001021343",              // 9
    "2222 2525",                           // :
    "2222 2517",                           // ;
    "400346",                              // <
    "0242 0444",                           // =
    "004306",                              // >
    "0110304142332324 2626",               // ?
    "3414123233444130100105163646",        // @
    "0602204246 0444",                     // A
    "0006 003041423303 3344453606",        // B
    "4130100105163645",                    // C
    "0006 002042442606",                   // D
    "40000646 0333",                       // E
    "400006 0333",                         // F
    "41301001051636454323",                // G
    "0006 4046 0343",                      // H
    "1030 2026 1636",                      // I
    "4045361605",                          // J
    "0006 400346",                         // K
    "000646",                              // L
    "0600234046",                          // M
    "06004640",                            // N
    "103041453616050110",                  // O
    "06003041423303",                      // P
    "103041453616050110 2446",             // Q
    "06003041423303 2346",                 // R
    "413010010213334445361605",            // S
    "0040 2026",                           // T
    "000516364540",                        // U
    "002640",                              // V
    "0016233640",                          // W
    "0046 4006",                           // X
    "002340 2326",                         // Y
    "00400646",                            // Z
};
constexpr std::size_t most_lines = 16;  ///< maximum number of lines of a character
constexpr char most_lines_letter = '8'; ///< character that has most_lines lines

// In units of a character. One unit is 1.5 pixels.
constexpr float unit = 1.5F, advance = 6, leading = 11, margin = 8;
constexpr float width = 2 * margin + advance * overlay_columns - 2;
constexpr float height = 2 * margin + leading * (overlay_rows - 1) + 6;

Point point_of(std::string_view digits) {
    return {static_cast<float>(digits[0] - '0'), static_cast<float>(digits[1] - '0')};
}

/// Returns the scene of an overlay. All scenes of one scale have equal numbers of paths, lines and draws.
weir::paths::Scene overlay_scene(const std::vector<std::string>& text, float scale) {
    const float size = unit * scale;
    std::size_t lines = 0;
    Path strokes;
    const auto add_line = [&](Point from, Point to) {
        strokes.move_to({from.x * size, from.y * size}).line_to({to.x * size, to.y * size});
        ++lines;
    };
    for (std::size_t row = 0; row < text.size() && row < overlay_rows; ++row) {
        for (std::size_t column = 0; column < text[row].size() && column < overlay_columns; ++column) {
            const auto byte = static_cast<unsigned char>(text[row][column]);
            const std::size_t index = (byte >= 'a' && byte <= 'z' ? byte - 'a' + 'A' : byte) - std::size_t{' '};
            const std::string_view letter = letters[index < letters.size() ? index : '-' - ' '];
            const float left = margin + advance * static_cast<float>(column);
            const float top = margin + leading * static_cast<float>(row);
            for (std::size_t i = 0; i + 4 <= letter.size(); i += 2) {
                if (letter[i + 2] == ' ') {
                    i += 1; // skip the space before the next stroke
                    continue;
                }
                const Point a = point_of(letter.substr(i)), b = point_of(letter.substr(i + 2));
                const float dot = a == b ? 0.01F : 0; // a line must have a length
                add_line({left + a.x, top + a.y}, {left + b.x + dot, top + b.y});
            }
        }
    }
    while (lines < std::size_t{overlay_rows} * overlay_columns * most_lines) { // pad with lines outside the picture
        add_line({2 * width, 2 * height}, {2 * width + 1, 2 * height});
    }
    weir::paths::Scene scene;
    const Path ground = Path().add_rect(0, 0, width * size, height * size, 4 * size, 4 * size);
    scene.fill(scene.add_outline(ground), scene.add_paint({0.06F, 0.07F, 0.1F, 0.85F}));
    scene.stroke(scene.add_outline(strokes), scene.add_paint({0.92F, 0.95F, 1, 1}),
                 {.width = 0.85F * size, .cap = weir::paths::Cap::round});
    return scene;
}

} // namespace

weir::Result<std::unique_ptr<TextOverlay>> TextOverlay::create(const WindowDevice& device, float scale,
                                                               std::uint32_t frames_in_flight) {
    auto renderer = weir::paths::FrameRenderer::create(device.gpu(), overlay_scene({}, scale),
                                                       {.frames_in_flight = frames_in_flight});
    SAMPLES_PROPAGATE(renderer);
    std::unique_ptr<TextOverlay> made(new TextOverlay(std::move(*renderer), scale));
    made->view_ = {.width = static_cast<std::uint32_t>(std::ceil(width * unit * scale)),
                   .height = static_cast<std::uint32_t>(std::ceil(height * unit * scale))};
    auto picture = Picture::create(device, {made->view_.width, made->view_.height});
    SAMPLES_PROPAGATE(picture);
    made->picture_ = std::move(*picture);
    // Draw the most complex text first, so that the renderer allocates memory for any text now. Then draw an empty one.
    for (const char letter : {most_lines_letter, ' '}) {
        const std::vector<std::string> text(overlay_rows, std::string(overlay_columns, letter));
        auto done = made->renderer_.update(overlay_scene(text, scale));
        done = done.and_then([&] { return made->renderer_.settle(made->view_, made->picture_->view()); });
        SAMPLES_PROPAGATE(done);
    }
    return made;
}

weir::Result<> TextOverlay::record(VkCommandBuffer commands, const std::vector<std::string>& text) {
    return renderer_.update(overlay_scene(text, scale_)).and_then([&] {
        return renderer_.record(commands, view_, picture_->view());
    });
}

} // namespace samples
