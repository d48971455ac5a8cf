#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <pugixml.hpp>

#include "svg/selectors.hpp"

namespace weir::svg {

/// Properties of an element, by name.
using Properties = std::map<std::string, std::string, std::less<>>;

/// Calls `visit(name, value, is_important)` for each declaration of a text like "fill: red; stroke: none".
void for_declarations(std::string_view text,
                      const std::function<void(const std::string&, std::string_view, bool)>& visit);

/// Parses the declarations of a style attribute or a rule: "fill: red; stroke: none".
void add_declarations(std::string_view text, Properties& properties, Properties& important);

/// Replaces each var(--name, fallback) in a value. `custom` has the values of names. Returns nullopt if a name has no
/// value and there is no fallback, or if they refer to each other too often.
std::optional<std::string> substituted(std::string_view value, const Properties& custom);

/// The rules of all style elements of a document. Skips at-rules except for @font-face, and rules whose selectors are
/// not supported.
class StyleSheet {
public:
    void add(std::string_view text);
    /// Adds the declarations of all rules that match an element, the less specific ones first.
    void apply(const pugi::xml_node& element, Properties& properties, Properties& important) const;
    /// Returns the names of what was skipped and a browser might apply: "@import", "selector of CSS", "var()".
    [[nodiscard]] const std::vector<std::string>& skipped() const { return skipped_; }
    /// Returns the descriptors of each @font-face.
    [[nodiscard]] const std::vector<Properties>& font_faces() const { return font_faces_; }

private:
    struct Block {
        Properties properties, important;
    };
    struct Rule {
        Selector selector;
        const Block* block;
    };
    void add_rule(std::string_view selectors, std::string_view declarations);
    void add_font_face(std::string_view rule);

    std::vector<std::unique_ptr<const Block>> blocks_;
    std::vector<Rule> rules_; ///< sorted by specificity
    /// Indices of rules by the key of their selectors, so that an element is compared with few of them.
    std::unordered_map<std::string, std::vector<std::size_t>> by_key_;
    std::vector<std::string> skipped_;
    std::vector<Properties> font_faces_;
};

} // namespace weir::svg
