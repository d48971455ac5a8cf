#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

namespace samples {

/// Properties of an element, by name.
using Properties = std::map<std::string, std::string, std::less<>>;

/// Parses the declarations of a style attribute or a rule: "fill: red; stroke: none".
void add_declarations(std::string_view text, Properties& properties, Properties& important);

/// The rules of all style elements of a document. Supports selectors of types, classes, ids, attributes and first
/// children, and the descendant, child and sibling combinators. Skips rules with other selectors, and at-rules.
class StyleSheet {
public:
    void add(std::string_view text);
    /// Adds the declarations of all rules that match an element, the less specific ones first.
    void apply(const pugi::xml_node& element, Properties& properties, Properties& important) const;
    [[nodiscard]] bool empty() const { return rules_.empty(); }

private:
    /// Conditions for one element of a selector.
    struct Compound {
        char combinator = ' '; ///< combinator with the previous compound: ' ', '>' or '+'
        std::string type;      ///< empty: any
        std::vector<std::string> classes;
        std::string id;
        struct Attribute {
            std::string name, value;
            char match; ///< 0: the attribute exists; otherwise '=', '~', '|', '^', '$' or '*'
        };
        std::vector<Attribute> attributes;
        bool is_first_child = false;
    };
    struct Rule {
        std::vector<Compound> selector;
        std::uint32_t specificity = 0;
        Properties properties, important;
    };
    static bool read_selector(std::string_view text, Rule& rule);
    static bool matches(const Compound& compound, const pugi::xml_node& element);
    static bool matches(const Rule& rule, std::size_t compound, const pugi::xml_node& element);

    std::vector<Rule> rules_; ///< sorted by specificity
};

} // namespace samples
