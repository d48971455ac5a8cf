#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weir/text/draw.hpp>

#include "svg/reader.hpp"
#include "svg/text_path.hpp"

namespace weir::svg {

/// Fonts of a document. Fonts of the system are searched at the first text.
struct TextFonts {
    weir::text::Fonts fonts;
};

/// Reads a text element, finds the places of its glyphs, and draws them. In three steps: the characters of all elements
/// with their attributes; chunks of text with absolute positions, which are shaped; clusters of glyphs with their
/// places.
class TextReader {
public:
    TextReader(Reader& reader, const Reader::Place& place, const pugi::xml_node& node, const Style& style);
    /// Draws all glyphs and lines.
    void draw();
    /// Returns the bounding box: the union of all glyph cells, from ascent to descent. nullopt without glyphs.
    [[nodiscard]] std::optional<weir::paths::Rect> box() const;

private:
    using Node = pugi::xml_node;
    using Transform = weir::paths::Transform;
    using Path = weir::paths::Path;

    /// Lines of text-decoration. They have the paint of the element that declares them.
    struct Decoration {
        std::uint32_t lines = 0;
        Style style;
    };
    /// Length of an element's text: textLength and lengthAdjust.
    struct Fit {
        float length = 0;
        bool scales_glyphs = false;
    };
    /// Characters of one element with its style.
    struct Span {
        Style style;
        std::vector<Decoration> decorations;
        float shift = 0;                      ///< sum of baseline shifts, upwards
        std::optional<float> baseline;        ///< result of find_baseline
        std::optional<std::size_t> path, fit; ///< index in paths_, in fits_
        /// Elements with unicode-bidi that enclose the span: a number, and a character of Unicode that begins the
        /// element.
        std::vector<std::pair<std::size_t, std::string_view>> directions;
        bool is_displayed = true;
    };
    struct Character {
        std::size_t offset = 0, size = 0; ///< place in text_
        std::size_t span = 0;
        bool is_removed = false;   ///< by the rules of white space
        bool starts_chunk = false; ///< first character of a textPath, or after it
        std::optional<float> x, y;
        float dx = 0, dy = 0, rotation = 0; ///< degrees
    };
    /// An element with attributes that place its characters.
    struct Placing {
        Node node;
        Style style;
        std::size_t first = 0, end = 0; ///< characters
    };
    /// Text with one absolute position: indices of characters.
    using Chunk = std::vector<std::size_t>;
    /// Glyphs that belong together: a letter with its marks, or a ligature.
    struct Cluster {
        std::size_t line = 0, first = 0, count = 0; ///< glyphs of a line in lines_
        std::size_t character = 0, span = 0;
        float start = 0;              ///< position in the line
        float width = 0, advance = 0; ///< without and with spacing
        float ascent = 0, descent = 0;
        Transform transform;    ///< from the cluster's origin to the user space
        bool is_placed = false; ///< false: beyond the end of a path
        bool is_moved = false;  ///< interrupts lines
    };

    // text_content.cpp: characters
    void collect(const Node& node, const Span& span);
    void collect_element(const Node& node, const Span& parent);
    void add_text(std::string_view text, const Span& span);
    void add_fit(const Node& node, Span& span);
    void add_direction(Span& span);
    void remove_spaces();
    void place_characters(const Placing& placing);
    [[nodiscard]] std::vector<float> lengths(const Placing& placing, const char* name, Reader::Along along) const;

    // text_layout.cpp: places
    [[nodiscard]] std::vector<Chunk> chunks() const;
    void layout(const Chunk& chunk);
    /// Text of a chunk for the shaper, with the characters of Unicode that unicode-bidi means.
    struct ChunkText {
        std::string text;
        std::vector<weir::text::Span> spans;
        std::vector<std::size_t> starts;     ///< in `text`, for each of `characters`
        std::vector<std::size_t> characters; ///< indices in characters_; `added` for other characters
        std::vector<std::size_t> span_of;    ///< index in spans_, for each of `spans`
    };
    static constexpr auto added = static_cast<std::size_t>(-1);
    [[nodiscard]] ChunkText text_of(const Chunk& chunk) const;
    std::vector<Cluster> shape(const Chunk& chunk);
    void fit(std::vector<Cluster>& clusters);
    void place_in_line(const Chunk& chunk, std::vector<Cluster>& clusters);
    void place_on_path(const Chunk& chunk, std::vector<Cluster>& clusters);
    void turn_upright(Cluster& cluster) const;
    /// Returns the shift of a chunk by text-anchor.
    [[nodiscard]] float anchored(const Chunk& chunk, const std::vector<Cluster>& clusters) const;
    /// Returns the distance from the baseline at which the glyphs of a span are drawn, downwards.
    [[nodiscard]] float baseline(Span& span);
    [[nodiscard]] float find_baseline(const Span& span);
    [[nodiscard]] float own_shift(const Style& style);
    [[nodiscard]] weir::text::Metrics metrics(const Style& style);

    // text.cpp: drawing
    void draw_span(std::size_t first, std::size_t end);
    void draw_lines(std::size_t first, std::size_t end, bool is_above);
    using GlyphVisitor = std::function<void(const weir::text::Font&, std::uint32_t, const Transform&)>;
    /// Calls `visit` with the font, the glyph and its transform from size 1 to the user space.
    void for_each_glyph(const Cluster& cluster, const GlyphVisitor& visit) const;
    void draw_path(const Path& path, const Style& style);
    /// Draws a glyph that has colors of its own.
    void draw_color_glyph(const weir::text::Font& font, std::uint32_t glyph, const Transform& transform,
                          const Style& style);
    [[nodiscard]] weir::text::Fonts& fonts();

    Reader& reader_;
    const Reader::Place& place_;
    Node node_;
    bool is_vertical_ = false, splits_ = false;
    std::size_t directions_ = 0;
    std::string text_;
    std::vector<Span> spans_;
    std::vector<Character> characters_;
    std::vector<Placing> placings_;
    std::vector<Fit> fits_;
    std::deque<TextPath> paths_;
    std::deque<weir::text::Line> lines_;
    std::vector<Cluster> clusters_;
    weir::text::SceneText glyphs_{reader_.drawing_.scene}; ///< glyphs with colors of their own
    weir::paths::Point pen_;                               ///< end of the previous chunk
};

/// Returns the style of weir::text.
weir::text::TextStyle text_style_of(const Style& style);

} // namespace weir::svg
