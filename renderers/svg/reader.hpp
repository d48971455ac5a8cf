#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pugixml.hpp>
#include <weir/paths/scene.hpp>
#include <weir/svg/document.hpp>

#include "svg/css.hpp"
#include "svg/images.hpp"
#include "svg/style.hpp"

namespace weir::svg {

class TextReader;
struct TextFonts;

/// Returns the bounding box of a transformed box.
weir::paths::Rect bounds_of(const weir::paths::Transform& transform, const weir::paths::Rect& box);

/// Parses the transform of a paint server. One that is missing, invalid or reduces an axis to a point counts as the
/// identity. Returns nullopt for others without inverse: then nothing is painted.
std::optional<weir::paths::Transform> server_transform(std::string_view text);

/// Traverses a document and draws it into a scene.
class Reader {
public:
    /// Image files must be in `folder` or below it.
    Reader(const pugi::xml_document& document, Drawing& drawing, std::filesystem::path folder = {})
        : document_(document), drawing_(drawing), folder_(std::move(folder)) {}
    /// Draws the document. Errors: those of `read_svg`.
    weir::Result<> read(const ReadOptions& options);

private:
    friend class FilterReader;
    friend class TextReader;
    using Node = pugi::xml_node;
    using Transform = weir::paths::Transform;

    /// Fill and stroke of the element that a marker or a `use` belongs to: the values of context-fill and
    /// context-stroke.
    struct ContextPaint {
        PaintValue fill, stroke;
    };
    /// Context in which an element is drawn.
    struct Place {
        Transform transform;         ///< from the user space to the picture
        Style style;                 ///< style of the parent
        float width = 0, height = 0; ///< size of the viewport, for percentages
        std::optional<ContextPaint> context = {};
        bool is_clip = false;                      ///< inside a clip path, where only filled shapes are drawn
        std::optional<weir::paths::Rect> box = {}; ///< bounding box for paints, if it is not that of the path
    };
    /// A gradient or a pattern. It takes missing attributes from the elements that it refers to.
    struct Server {
        std::vector<Node> chain;
        [[nodiscard]] const char* attribute(const char* name) const;
        /// Considers only elements of the same kind: x of a pattern, r of a radial gradient.
        [[nodiscard]] const char* own_attribute(const char* name) const;
        [[nodiscard]] bool has(const char* name) const { return *attribute(name) != 0; }
    };

    // reader.cpp: elements and shared functions
    /// Collects ids and style sheets, and determines the size of the document.
    weir::Result<> prepare(const std::string& name);
    /// Returns the declarations of CSS for an element. Valid until the next call.
    [[nodiscard]] const Properties& css_of(const Node& node) const;
    [[nodiscard]] Style style_at(const Node& node, const Style& parent) const;
    /// Returns the style of an element at its place in the document. It inherits from its parents there, not from
    /// elements that refer to it.
    [[nodiscard]] Style style_in_document(const Node& node) const;
    void draw_children(const Node& node, const Place& place);
    void draw(const Node& node, const Place& place);
    void draw_svg(const Node& node, const Place& place, bool is_root, std::optional<float> width = {},
                  std::optional<float> height = {});
    void draw_use(const Node& node, const Place& place);
    /// Draws `content` within the layers that the element's clip path, mask, opacity and blend mode need.
    void draw_in_layers(const Node& node, const Style& style, const Place& place, const std::function<void()>& content);
    [[nodiscard]] Node find(std::string_view id) const;
    [[nodiscard]] Node linked(const Node& node) const; ///< target of href
    /// Returns fill and stroke as the context of a used element. Gradients and patterns keep their space.
    [[nodiscard]] static ContextPaint context_of(const Style& style, const Place& place,
                                                 const std::optional<weir::paths::Rect>& box);
    /// Replaces context-fill and context-stroke by their values.
    static void use_context(Style& style, const Place& place);
    /// Enters a node. Returns false if it is already entered. Fails if it is nested too deeply.
    bool enter(const Node& node);
    [[nodiscard]] bool is_entered(const Node& node) const;
    void leave() { entered_.pop_back(); }
    bool may_draw(std::size_t segments);
    void warn(const std::string& what);
    /// Reports what the document asks for and the reader ignores.
    void warn_of_unsupported();

    // document.cpp
    void draw_root(const Transform& transform);
    /// Draws the element that `ReadOptions::element` names.
    void draw_only_element();

    // conditions.cpp: conditional processing
    [[nodiscard]] static bool is_for_us(const Node& node); ///< evaluates conditional processing attributes
    void draw_switch(const Node& node, const Place& place);

    // geometry.cpp: lengths, shapes, transforms, boxes
    enum class Along : std::uint8_t { width, height, diagonal };
    [[nodiscard]] static float pixels(const Length& length, const Place& place, const Style& style, Along along);
    /// Returns the text of a property of CSS or of the attribute with the same name.
    [[nodiscard]] static std::string_view geometry(const Node& node, const char* name, const Style& style);
    [[nodiscard]] static std::optional<float> length(const Node& node, const char* name, const Place& place,
                                                     const Style& style, Along along);
    [[nodiscard]] Transform transform_at(const Node& node, const Place& place, const Style& style) const;
    [[nodiscard]] static Transform use_translation(const Node& use, const Place& place, const Style& style);
    /// Applies `transform` about the origin that `text` describes, in the space of `box`.
    [[nodiscard]] static Transform about(const Transform& transform, std::string_view text, const Place& place,
                                         const Style& style, const weir::paths::Rect& box);
    /// Attributes viewBox and preserveAspectRatio.
    struct ViewBox {
        ViewBox(const Node& node)
            : box(node.attribute("viewBox").value()), ratio(node.attribute("preserveAspectRatio").value()) {}
        ViewBox(const char* of_box, const char* of_ratio) : box(of_box), ratio(of_ratio) {}
        const char* box;
        const char* ratio;
    };
    [[nodiscard]] static std::optional<Transform> view_box(const ViewBox& view, float width, float height,
                                                           float* box_width, float* box_height);
    [[nodiscard]] static std::optional<weir::paths::Path> shape(const Node& node, const Place& place,
                                                                const Style& style);
    /// Adds all shapes of an element, in its user space.
    void add_geometry(const Node& node, const Place& place, const Transform& transform, weir::paths::Path& path);
    /// Returns the bounding box of an element's shapes, in its user space.
    [[nodiscard]] std::optional<weir::paths::Rect> box_of(const Node& node, const Place& place);

    // painting.cpp: fills, strokes, gradients, patterns
    void draw_shape(const Node& node, const weir::paths::Path& path, const Style& style, const Place& place);
    void draw_fill(const weir::paths::Path& path, weir::paths::OutlineId outline, const Style& style,
                   const Place& place);
    void draw_stroke(const weir::paths::Path& path, weir::paths::OutlineId outline, const Style& style,
                     const Place& place);
    [[nodiscard]] weir::paths::Stroke stroke_of(const Style& style, const Place& place) const;
    /// Returns the paint; empty if nothing must be painted. A single tile of a pattern is painted by the function
    /// itself, through a mask that `cover` draws.
    std::optional<weir::paths::PaintId> paint_of(const PaintValue& value, float opacity, const weir::paths::Rect& box,
                                                 const Place& place, const std::function<void()>& cover,
                                                 const weir::paths::Rect& painted);
    [[nodiscard]] Server server(const Node& node) const;
    std::optional<weir::paths::PaintId> gradient(const Node& node, float opacity, const weir::paths::Rect& box,
                                                 const Place& place, const Transform& to_draw);

    // patterns.cpp
    /// A pattern in the space of an element.
    struct Pattern {
        Node owner;                                ///< element with the contents
        float x = 0, y = 0, width = 0, height = 0; ///< first tile, in the space of the pattern
        Transform transform;                       ///< from the space of the pattern to that of the element
        Transform to_tile;                         ///< from the space of the contents to a tile at the origin
        Place inner;                               ///< place of the contents, except for its transform
        /// Returns the transform from a tile at the origin to the element.
        [[nodiscard]] Transform corner(float column, float row) const {
            return transform * Transform::translation(x + column * width, y + row * height);
        }
    };
    /// Returns nullopt if the pattern is not valid or is in use by itself.
    [[nodiscard]] std::optional<Pattern> pattern_of(const Node& node, const weir::paths::Rect& box, const Place& place);
    /// Moves tiles to whole pixels of the picture, as resvg does: their size, and without rotation also their corners.
    /// `width` and `height` are the pixels of a tile.
    [[nodiscard]] Pattern snapped_to_pixels(const Pattern& pattern, const Transform& in_picture, float width,
                                            float height);
    std::optional<weir::paths::PaintId> pattern_paint(const Pattern& pattern, float opacity, const Place& place,
                                                      const Transform& to_draw, const std::function<void()>& cover,
                                                      const weir::paths::Rect& painted);
    /// Draws tiles [left, right) x [top, bottom).
    void draw_tiles(const Pattern& pattern, const Place& place, const weir::paths::Rect& tiles);
    /// Returns true if contents extend beyond a tile. Otherwise a clip would draw the edges of a tile twice.
    [[nodiscard]] bool is_tile_clipped(const Pattern& pattern);
    /// Draws contents into a bitmap. They are in units of its pixels.
    weir::paths::BitmapId drawn(std::uint32_t width, std::uint32_t height, const std::function<void()>& content);
    /// Draws a tile into a bitmap, or returns one with equal pixels.
    weir::paths::BitmapId bitmap_of(const Pattern& pattern, std::uint32_t width, std::uint32_t height);

    // masking.cpp: clip paths, masks, markers
    /// Begins a layer inside a clip path.
    void push_clip(const Node& clip, const Node& element, const Place& place, const weir::paths::Layer& layer = {});
    void draw_clip(const Node& clip, const Node& element, const Place& place);
    /// Returns the region of a mask or a filter, from its attributes x, y, width and height. Returns nullopt if it is
    /// empty.
    [[nodiscard]] static std::optional<weir::paths::Rect>
    effect_region(const Server& attributes, bool in_user_space, const weir::paths::Rect& box, const Place& place);
    bool begin_mask(const Node& mask, const Node& element, const Place& place);
    void draw_markers(const weir::paths::Path& path, const Style& style, const Place& place);
    void draw_marker(const Node& marker, weir::paths::Point at, float angle, bool is_start, const Style& style,
                     const Place& place, const weir::paths::Rect& shape_box);

    // filters.cpp
    /// Adds the effects of an element, in the order in which they apply. Returns nullopt if it must not be drawn.
    [[nodiscard]] std::optional<std::vector<weir::paths::EffectId>> effects_of(const Node& node, const Style& style,
                                                                               const Place& place);

    // pictures.cpp: images
    /// Contents of an image element: pixels or another document.
    struct Image {
        float width = 0, height = 0; ///< own size; 0: cannot be drawn
        std::string format;          ///< name of a format that cannot be read; otherwise empty
        Raster raster;
        std::map<std::uint32_t, weir::paths::BitmapId> bitmaps; ///< in each scene that uses the raster, by `scene_`
        std::unique_ptr<pugi::xml_document> document;
        std::unique_ptr<Reader> reader; ///< reader of the document; null for pixels
    };
    void draw_image(const Node& node, const Style& style, const Place& place);
    /// Draws an image into the rectangle from 0, 0 to `width`, `height`. `ratio` is preserveAspectRatio.
    void draw_image(Image& image, float width, float height, const char* ratio, const Style& style,
                    const Transform& transform);
    Image& image_of(const Node& node);
    weir::paths::BitmapId bitmap_of(Image& image);
    void draw_document(Image& image, const Transform& to);

    // text.cpp, or no_text.cpp without weir::text
    void draw_text(const Node& node, const Style& style, const Place& place);
    /// Adds the fonts of @font-face to those of the document.
    void add_font_faces();
    /// Adds the bounding box of a text.
    void add_text_box(const Node& node, const Style& style, const Place& place, const Transform& transform,
                      weir::paths::Path& path);

    const pugi::xml_document& document_;
    Drawing& drawing_;
    std::filesystem::path folder_;
    bool draws_text_ = true;       ///< false in a glyph, whose text could need the glyph
    std::string only_element_;     ///< id of the only element to draw; empty: the whole document
    Style initial_;                ///< style that the root inherits
    float width_ = 0, height_ = 0; ///< size of the document
    bool is_image_ = false;        ///< the document is an image in another document
    bool is_in_fe_image_ = false;  ///< an element is drawn for feImage
    std::map<std::string, Node, std::less<>> ids_;
    StyleSheet sheet_;
    mutable Node css_node_; ///< argument and result of the last call of css_of
    mutable Properties css_;
    std::vector<Node> entered_;
    std::size_t elements_ = 0, segments_ = 0;
    std::uint32_t scene_ = 0;  ///< number of the current scene: 0 for the drawing's, another one for each pattern tile
    std::uint32_t scenes_ = 1; ///< number of the next scene
    float scale_ = 1;          ///< pixels of the picture per pixel of the current scene
    std::map<std::pair<Node, std::vector<float>>, weir::paths::BitmapId> tiles_; ///< by contents and size
    std::map<Node, Image> images_;
    std::shared_ptr<TextFonts> fonts_;
    /// A scene, a clip path, and the bits of the transform and of the viewport of the elements that it clips.
    using ClipSpace = std::tuple<std::uint32_t, Node, std::array<std::uint32_t, 8>>;
    std::map<ClipSpace, weir::paths::ClipId> clips_;
    std::map<std::string, std::size_t> not_drawn_;
    std::optional<weir::Error> error_; ///< first error
};

} // namespace weir::svg
