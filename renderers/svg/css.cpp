#include "svg/css.hpp"

#include <algorithm>

#include "svg/style.hpp"
#include "svg/syntax.hpp"
#include "svg/unsupported.hpp"

namespace weir::svg {

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

/// Returns the length of the at-rule at the start of `text`, with its nested blocks.
std::size_t end_of_at_rule(std::string_view text) {
    const std::size_t last =
        find_unquoted(text, [](char c, int depth) { return (c == ';' && depth == 0) || (c == '}' && depth <= 0); });
    return last == std::string_view::npos ? text.size() : last + 1;
}

/// Returns true if an at-rule would not change a still picture on a screen.
bool is_irrelevant(std::string_view name, std::string_view rule) {
    constexpr std::string_view names[] = {"charset",        "namespace", "keyframes", "-webkit-keyframes",
                                          "-moz-keyframes", "page",      "property"};
    const std::string query = lower(rule.substr(0, rule.find('{')));
    return std::find(std::begin(names), std::end(names), name) != std::end(names) ||
           (name == "media" && (query.find("print") != std::string::npos || query.find("dark") != std::string::npos));
}

/// Appends a value whose references var(--name, fallback) are replaced. Returns false if a name has no value, or after
/// more than `left` references.
bool substitute(std::string_view value, const Properties& custom, int& left, std::string& result) {
    constexpr std::string_view function = "var(";
    for (;;) {
        const std::size_t begin = value.find(function);
        result += value.substr(0, begin);
        if (begin == std::string_view::npos) {
            return true;
        }
        value.remove_prefix(begin + function.size() - 1);
        const std::size_t length = end_of_brackets(value);
        if (length == std::string_view::npos || --left < 0) {
            return false;
        }
        const std::string_view argument = value.substr(1, length - 2);
        const std::size_t comma = argument.find(',');
        const auto found = custom.find(trimmed(argument.substr(0, comma)));
        if (found == custom.end() && comma == std::string_view::npos) {
            return false;
        }
        const std::string_view inner =
            found == custom.end() ? trimmed(argument.substr(comma + 1)) : std::string_view(found->second);
        if (!substitute(inner, custom, left, result)) {
            return false;
        }
        value.remove_prefix(length);
    }
}

} // namespace

void for_declarations(std::string_view all,
                      const std::function<void(const std::string&, std::string_view, bool)>& visit) {
    const std::string text = without_comments(all);
    for (const std::string_view declaration : split(text, ';')) {
        const std::size_t colon = declaration.find(':');
        if (colon == std::string_view::npos) {
            continue;
        }
        const std::string_view value = trimmed(declaration.substr(colon + 1));
        const std::size_t mark = value.find('!');
        const bool is_important = mark != std::string_view::npos && trimmed(value.substr(mark + 1)) == "important";
        const std::string_view name = trimmed(declaration.substr(0, colon));
        visit(name.starts_with("--") ? std::string(name) : lower(name), trimmed(value.substr(0, mark)), is_important);
    }
}

void add_declarations(std::string_view text, Properties& properties, Properties& important) {
    for_declarations(text, [&](const std::string& declared, std::string_view value, bool is_important) {
        Properties& target = is_important ? important : properties;
        // Only the color of a background is drawn.
        const std::string name = declared == "background" ? "background-color" : declared;
        if (!is_value(name, value)) {
            return;
        }
        if (name == "marker") { // shorthand for all three
            for (const char* one : {"marker-start", "marker-mid", "marker-end"}) {
                target[one] = value;
            }
            return;
        }
        if (name == "font") { // shorthand
            for (auto& [one, its_value] : split_font(value)) {
                target[one] = std::move(its_value);
            }
            return;
        }
        target[name] = value;
    });
}

std::optional<std::string> substituted(std::string_view value, const Properties& custom) {
    int left = 100; // references; more could grow exponentially, or refer to themselves
    std::string result;
    return substitute(value, custom, left, result) ? std::optional(result) : std::nullopt;
}

void StyleSheet::add(std::string_view all) {
    const std::string text = without_comments(all);
    std::string_view rest = text;
    while (!(rest = trimmed(rest)).empty()) {
        if (rest.starts_with("<!--") || rest.starts_with("-->")) {
            rest.remove_prefix(rest.front() == '<' ? 4 : 3);
            continue;
        }
        if (rest.front() == '@') {
            const std::string name = lower(Scanner(rest.substr(1)).word());
            const std::size_t end = end_of_at_rule(rest);
            const std::string_view rule = rest.substr(0, end);
            if (name == "font-face") {
                add_font_face(rule);
            } else if (!is_irrelevant(name, rule)) {
                skipped_.push_back("@" + name);
            }
            rest.remove_prefix(end);
            continue;
        }
        const std::size_t open = rest.find('{');
        if (open == std::string_view::npos) {
            break;
        }
        const std::size_t close = std::min(rest.size(), rest.find('}', open));
        add_rule(rest.substr(0, open), rest.substr(open + 1, close - open - 1));
        rest.remove_prefix(std::min(rest.size(), close + 1));
    }
    std::stable_sort(rules_.begin(), rules_.end(),
                     [](const Rule& a, const Rule& b) { return a.selector.specificity() < b.selector.specificity(); });
    by_key_.clear();
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        by_key_[rules_[i].selector.key()].push_back(i);
    }
}

void StyleSheet::add_font_face(std::string_view rule) {
    const std::size_t open = rule.find('{');
    if (open == std::string_view::npos) {
        return;
    }
    Properties& face = font_faces_.emplace_back();
    for_declarations(rule.substr(open + 1, rule.rfind('}') - open - 1),
                     [&](const std::string& name, std::string_view value, bool) { face[name] = value; });
}

void StyleSheet::add_rule(std::string_view selectors, std::string_view declarations) {
    auto block = std::make_unique<Block>();
    add_declarations(declarations, block->properties, block->important);
    for_declarations(declarations, [&](const std::string& name, std::string_view value, bool) {
        find_unsupported(name, value, true, skipped_);
    });
    for (const std::string_view text : split(selectors, ',')) {
        if (auto selector = Selector::parse(text)) {
            rules_.push_back({std::move(*selector), block.get()});
        } else {
            skipped_.emplace_back("selector of CSS");
        }
    }
    blocks_.push_back(std::move(block));
}

void StyleSheet::apply(const pugi::xml_node& element, Properties& properties, Properties& important) const {
    if (rules_.empty()) {
        return;
    }
    std::vector<std::size_t> candidates;
    const auto add = [&](const std::string& key) {
        if (const auto found = by_key_.find(key); found != by_key_.end()) {
            candidates.insert(candidates.end(), found->second.begin(), found->second.end());
        }
    };
    add("");
    add(element.name());
    add("#" + std::string(element.attribute("id").value()));
    std::string_view classes = element.attribute("class").value();
    for (std::string_view name = take_word(classes); !name.empty(); name = take_word(classes)) {
        add("." + std::string(name));
    }
    std::sort(candidates.begin(), candidates.end()); // by specificity
    for (const std::size_t i : candidates) {
        const Rule& rule = rules_[i];
        if (rule.selector.matches(element)) {
            for (const auto& [name, value] : rule.block->properties) {
                properties[name] = value;
            }
            for (const auto& [name, value] : rule.block->important) {
                important[name] = value;
            }
        }
    }
}

} // namespace weir::svg
