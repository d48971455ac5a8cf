#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

namespace weir::svg {

/// A CSS selector: types, classes, ids, attributes, the combinators ' ', '>', '+' and '~', and the pseudo-classes that
/// depend on the document alone: :root, :empty, :not(), :is(), :where(), :first-child, :nth-child() and their kin.
/// Pseudo-elements, and pseudo-classes of user actions, match nothing.
class Selector {
public:
    /// Parses one selector. Returns nullopt if it is invalid or not supported.
    static std::optional<Selector> parse(std::string_view text);
    [[nodiscard]] bool matches(const pugi::xml_node& element) const;
    /// Returns an id ("#id"), a class (".class") or a type that each matching element has; "" if there is none.
    [[nodiscard]] std::string key() const;
    /// Ids count 2^16, classes, attributes and pseudo-classes 2^8, types 1.
    [[nodiscard]] std::uint32_t specificity() const { return specificity_; }

private:
    struct Attribute {
        std::string name, value;
        char match = 0; ///< 0: the attribute exists; otherwise '=', '~', '|', '^', '$' or '*'
    };
    /// Position among the siblings, counted from 1: step * n + offset for some n >= 0.
    struct Position {
        int step = 0, offset = 1;
        bool from_end = false, of_type = false;
    };
    struct List {
        std::vector<Selector> selectors;
        bool is_negated = false; ///< :not()
    };
    /// Conditions for one element of a selector.
    struct Compound {
        char combinator = ' '; ///< combinator with the previous compound
        std::string type;      ///< empty: any
        std::vector<std::string> classes;
        std::string id;
        std::vector<Attribute> attributes;
        std::vector<Position> positions;
        std::vector<List> lists; ///< :not(), :is(), :where()
        bool is_root = false, is_empty = false, is_never = false;
    };
    class Parser;

    [[nodiscard]] static bool matches(const Compound& compound, const pugi::xml_node& element);
    [[nodiscard]] bool matches(std::size_t compound, const pugi::xml_node& element) const;

    std::vector<Compound> compounds_;
    std::uint32_t specificity_ = 0;
};

/// Removes and returns the first word of a list that is separated by white space; "" at its end.
std::string_view take_word(std::string_view& list);

} // namespace weir::svg
