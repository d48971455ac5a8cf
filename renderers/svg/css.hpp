#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "svg/selectors.hpp"

namespace samples {

/// Properties of an element, by name.
using Properties = std::map<std::string, std::string, std::less<>>;

/// Parses the declarations of a style attribute or a rule: "fill: red; stroke: none".
void add_declarations(std::string_view text, Properties& properties, Properties& important);

/// The rules of all style elements of a document. Skips at-rules, and rules whose selectors are not supported.
class StyleSheet {
public:
    void add(std::string_view text);
    /// Adds the declarations of all rules that match an element, the less specific ones first.
    void apply(const pugi::xml_node& element, Properties& properties, Properties& important) const;
    /// Returns the skipped rules that a browser might apply: "@import", "selector of CSS".
    [[nodiscard]] const std::vector<std::string>& skipped() const { return skipped_; }
    /// Calls `visit(name, value)` for each declaration.
    template <class Visit>
    void visit_declarations(const Visit& visit) const {
        for (const auto& block : blocks_) {
            for (const Properties* declared : {&block->properties, &block->important}) {
                for (const auto& [name, value] : *declared) {
                    visit(name, value);
                }
            }
        }
    }

private:
    struct Block {
        Properties properties, important;
    };
    struct Rule {
        Selector selector;
        const Block* block;
    };
    void add_rule(std::string_view selectors, std::string_view declarations);

    std::vector<std::unique_ptr<const Block>> blocks_;
    std::vector<Rule> rules_; ///< sorted by specificity
    std::vector<std::string> skipped_;
};

} // namespace samples
