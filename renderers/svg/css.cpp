#include "svg/css.hpp"

#include <algorithm>

#include "svg/style.hpp"
#include "svg/syntax.hpp"

namespace samples {

namespace {

std::string without_comments(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t begin = text.find("/*");
        result += text.substr(0, begin);
        if (begin == std::string_view::npos) {
            break;
        }
        const std::size_t end = text.find("*/", begin + 2);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
    }
    return result;
}

bool has_word(std::string_view list, std::string_view word) {
    Scanner scanner(list);
    while (!scanner.at_end()) {
        const std::string_view rest = scanner.rest();
        const std::size_t end = std::min(rest.size(), rest.find_first_of(" \t\r\n"));
        if (rest.substr(0, end) == word) {
            return true;
        }
        scanner = Scanner(rest.substr(end));
    }
    return false;
}

pugi::xml_node element_before(pugi::xml_node node) {
    do {
        node = node.previous_sibling();
    } while (node && node.type() != pugi::node_element);
    return node;
}

} // namespace

void add_declarations(std::string_view all, Properties& properties, Properties& important) {
    const std::string text = without_comments(all);
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.size(), rest.find(';'));
        const std::string_view declaration = rest.substr(0, end);
        rest.remove_prefix(std::min(rest.size(), end + 1));
        const std::size_t colon = declaration.find(':');
        if (colon == std::string_view::npos) {
            continue;
        }
        std::string_view value = trimmed(declaration.substr(colon + 1));
        const std::size_t mark = value.find('!');
        const bool is_important = mark != std::string_view::npos && trimmed(value.substr(mark + 1)) == "important";
        value = trimmed(value.substr(0, mark));
        const std::string name = lower(trimmed(declaration.substr(0, colon)));
        if (!is_value(name, value)) {
            continue;
        }
        if (name == "marker") { // shorthand for all three
            for (const char* one : {"marker-start", "marker-mid", "marker-end"}) {
                (is_important ? important : properties)[one] = value;
            }
            continue;
        }
        (is_important ? important : properties)[name] = value;
    }
}

void StyleSheet::add(std::string_view all) {
    const std::string text = without_comments(all);
    std::string_view rest = text;
    while (!(rest = trimmed(rest)).empty()) {
        if (rest.starts_with("<!--") || rest.starts_with("-->")) {
            rest.remove_prefix(rest.front() == '<' ? 4 : 3);
            continue;
        }
        const std::size_t open = rest.find('{');
        if (rest.front() == '@') { // skip to its end, including nested blocks
            std::size_t at = 0, depth = 0;
            for (; at < rest.size(); ++at) {
                depth += rest[at] == '{' ? 1 : 0;
                if ((rest[at] == ';' && depth == 0) || (rest[at] == '}' && --depth == 0)) {
                    break;
                }
            }
            rest.remove_prefix(std::min(rest.size(), at + 1));
            continue;
        }
        const std::size_t close = open == std::string_view::npos ? open : rest.find('}', open);
        if (open == std::string_view::npos) {
            return;
        }
        std::string_view selectors = rest.substr(0, open);
        Rule declared;
        add_declarations(rest.substr(open + 1, close == std::string_view::npos ? close : close - open - 1),
                         declared.properties, declared.important);
        rest.remove_prefix(close == std::string_view::npos ? rest.size() : close + 1);
        while (!selectors.empty()) {
            const std::size_t comma = std::min(selectors.size(), selectors.find(','));
            Rule rule = declared;
            if (read_selector(trimmed(selectors.substr(0, comma)), rule)) {
                rules_.push_back(std::move(rule));
            }
            selectors.remove_prefix(std::min(selectors.size(), comma + 1));
        }
    }
    std::stable_sort(rules_.begin(), rules_.end(),
                     [](const Rule& a, const Rule& b) { return a.specificity < b.specificity; });
}

bool StyleSheet::read_selector(std::string_view text, Rule& rule) {
    char combinator = ' ';
    while (!text.empty()) {
        Compound compound;
        compound.combinator = combinator;
        bool has_part = false;
        const auto name = [&] {
            Scanner scanner(text);
            const std::string_view word = text.empty() || text.front() == ' ' ? std::string_view() : scanner.word();
            text.remove_prefix(word.size());
            return std::string(word);
        };
        for (;; has_part = true) {
            const char c = text.empty() ? ' ' : text.front();
            if (c == '*') {
                text.remove_prefix(1);
            } else if (c == '.') {
                text.remove_prefix(1);
                compound.classes.push_back(name());
                rule.specificity += 0x100;
            } else if (c == '#') {
                text.remove_prefix(1);
                compound.id = name();
                rule.specificity += 0x10000;
            } else if (c == '[') {
                const std::size_t end = text.find(']');
                if (end == std::string_view::npos) {
                    return false;
                }
                const std::string_view body = text.substr(1, end - 1);
                const std::size_t equal = body.find('=');
                Compound::Attribute attribute{std::string(trimmed(body.substr(0, equal))), "", 0};
                if (equal != std::string_view::npos) {
                    attribute.match = '=';
                    if (!attribute.name.empty() &&
                        std::string_view("~|^$*").find(attribute.name.back()) != std::string_view::npos) {
                        attribute.match = attribute.name.back();
                        attribute.name.pop_back();
                    }
                    std::string_view value = trimmed(body.substr(equal + 1));
                    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')) {
                        value = value.substr(1, value.size() - 2);
                    }
                    attribute.value = value;
                }
                compound.attributes.push_back(attribute);
                rule.specificity += 0x100;
                text.remove_prefix(end + 1);
            } else if (c == ':') {
                text.remove_prefix(1);
                if (name() != "first-child") {
                    return false;
                }
                compound.is_first_child = true;
                rule.specificity += 0x100;
            } else {
                const std::string type = has_part ? std::string() : name();
                if (type.empty()) {
                    break;
                }
                compound.type = type;
                rule.specificity += 1;
            }
        }
        if (!has_part) {
            return false;
        }
        rule.selector.push_back(std::move(compound));
        text = trimmed(text);
        combinator = ' ';
        if (!text.empty() && (text.front() == '>' || text.front() == '+')) {
            combinator = text.front();
            text = trimmed(text.substr(1));
        }
    }
    return !rule.selector.empty();
}

bool StyleSheet::matches(const Compound& compound, const pugi::xml_node& element) {
    if (!compound.type.empty() && compound.type != element.name()) {
        return false;
    }
    if (!compound.id.empty() && compound.id != element.attribute("id").value()) {
        return false;
    }
    if (compound.is_first_child && element_before(element)) {
        return false;
    }
    const std::string_view classes = element.attribute("class").value();
    if (!std::all_of(compound.classes.begin(), compound.classes.end(),
                     [&](const std::string& name) { return has_word(classes, name); })) {
        return false;
    }
    return std::all_of(compound.attributes.begin(), compound.attributes.end(), [&](const Compound::Attribute& wanted) {
        const pugi::xml_attribute attribute = element.attribute(wanted.name.c_str());
        const std::string_view value = attribute.value();
        switch (wanted.match) {
        case 0: return !attribute.empty();
        case '=': return !attribute.empty() && value == wanted.value;
        case '~': return has_word(value, wanted.value);
        case '|': return value == wanted.value || value.starts_with(wanted.value + "-");
        case '^': return value.starts_with(wanted.value);
        case '$': return value.ends_with(wanted.value);
        default: return value.find(wanted.value) != std::string_view::npos;
        }
    });
}

bool StyleSheet::matches(const Rule& rule, std::size_t compound, const pugi::xml_node& element) {
    if (element.type() != pugi::node_element || !matches(rule.selector[compound], element)) {
        return false;
    }
    if (compound == 0) {
        return true;
    }
    switch (rule.selector[compound].combinator) {
    case '>': return matches(rule, compound - 1, element.parent());
    case '+': return matches(rule, compound - 1, element_before(element));
    default:
        for (pugi::xml_node parent = element.parent(); parent; parent = parent.parent()) {
            if (matches(rule, compound - 1, parent)) {
                return true;
            }
        }
        return false;
    }
}

void StyleSheet::apply(const pugi::xml_node& element, Properties& properties, Properties& important) const {
    for (const Rule& rule : rules_) {
        if (matches(rule, rule.selector.size() - 1, element)) {
            for (const auto& [name, value] : rule.properties) {
                properties[name] = value;
            }
            for (const auto& [name, value] : rule.important) {
                important[name] = value;
            }
        }
    }
}

} // namespace samples
