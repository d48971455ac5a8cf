#include "svg/selectors.hpp"

#include <algorithm>
#include <charconv>

#include "svg/syntax.hpp"

namespace weir::svg {

namespace {

constexpr std::uint32_t class_weight = 0x100, id_weight = 0x10000;
constexpr int deepest_list = 8; // nested :not()

bool has_word(std::string_view list, std::string_view word) {
    for (std::string_view one = take_word(list); !one.empty(); one = take_word(list)) {
        if (one == word) {
            return true;
        }
    }
    return false;
}

pugi::xml_node sibling(pugi::xml_node node, bool is_next) {
    do {
        node = is_next ? node.next_sibling() : node.previous_sibling();
    } while (node && node.type() != pugi::node_element);
    return node;
}

void append_utf8(std::string& text, std::uint32_t code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    text += static_cast<char>((0xF00U >> more & 0xFF) | code >> 6 * more); // 110..., 1110... or 11110...
    for (int i = more - 1; i >= 0; --i) {
        text += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
    }
}

/// Removes an identifier with escapes from the start of `text`: `a\:b` and `\31 0`.
std::string take_name(std::string_view& text) {
    std::string name;
    while (!text.empty()) {
        if (const std::string_view word = text.front() == ' ' ? std::string_view() : Scanner(text).word();
            !word.empty() && word.data() == text.data()) {
            name += word;
            text.remove_prefix(word.size());
        } else if (text.front() == '\\' && text.size() > 1 && text[1] != '\n') {
            text.remove_prefix(1);
            std::uint32_t code = 0;
            const char* const end = text.data() + std::min<std::size_t>(text.size(), 6);
            const auto read = std::from_chars(text.data(), end, code, 16);
            if (read.ptr == text.data()) {
                name += text.front();
                text.remove_prefix(1);
                continue;
            }
            append_utf8(name, code == 0 || code > 0x10FFFF ? 0xFFFD : code);
            text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
            if (!text.empty() && text.front() == ' ') { // ends the escape
                text.remove_prefix(1);
            }
        } else {
            break;
        }
    }
    return name;
}

/// Parses "odd", "even", "3", "2n", "-n + 3" and so on.
bool read_steps(std::string_view text, int& step, int& offset) {
    std::string all;
    for (const char c : lower(text)) {
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
            all += c;
        }
    }
    if (all == "odd" || all == "even") {
        step = 2;
        offset = all == "odd" ? 1 : 0;
        return true;
    }
    const auto number = [](std::string_view digits, int& value) {
        digits.remove_prefix(digits.starts_with('+') ? 1 : 0);
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return !digits.empty() && read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    };
    const std::size_t n = all.find('n');
    if (n == std::string::npos) {
        step = 0;
        return number(all, offset);
    }
    const std::string before = all.substr(0, n), after = all.substr(n + 1);
    step = before == "-" ? -1 : 1;
    offset = 0;
    return (before.empty() || before == "-" || before == "+" || number(before, step)) &&
           (after.empty() || number(after, offset));
}

} // namespace

std::string_view take_word(std::string_view& list) {
    list = trimmed(list);
    const std::string_view word = list.substr(0, std::min(list.size(), list.find_first_of(" \t\r\n\f")));
    list.remove_prefix(word.size());
    return word;
}

/// Parses a selector. Each function returns false if the text is invalid or not supported.
class Selector::Parser {
public:
    Parser(std::string_view text, int depth) : text_(trimmed(text)), depth_(depth) {}

    bool read(Selector& selector) {
        char combinator = ' ';
        do {
            Compound compound;
            compound.combinator = combinator;
            if (!read_compound(compound)) {
                return false;
            }
            selector.compounds_.push_back(std::move(compound));
            text_ = trimmed(text_);
            combinator = ' ';
            if (!text_.empty() && std::string_view(">+~").find(text_.front()) != std::string_view::npos) {
                combinator = text_.front();
                text_ = trimmed(text_.substr(1));
                if (text_.empty()) {
                    return false;
                }
            }
        } while (!text_.empty());
        selector.specificity_ = specificity_;
        return true;
    }

private:
    bool read_compound(Compound& compound) {
        bool has_part = false;
        for (;; has_part = true) {
            const char c = text_.empty() ? ' ' : text_.front();
            bool is_right = true;
            if (c == '*') {
                text_.remove_prefix(1);
            } else if (c == '.' || c == '#') {
                text_.remove_prefix(1);
                std::string name = take_name(text_);
                is_right = !name.empty();
                specificity_ += c == '.' ? class_weight : id_weight;
                if (c == '.') {
                    compound.classes.push_back(std::move(name));
                } else {
                    compound.id = std::move(name);
                }
            } else if (c == '[') {
                is_right = read_attribute(compound);
            } else if (c == ':') {
                text_.remove_prefix(1);
                is_right = read_pseudo(compound);
            } else {
                std::string type = has_part ? std::string() : take_name(text_);
                if (type.empty()) {
                    return has_part;
                }
                compound.type = std::move(type);
                specificity_ += 1;
            }
            if (!is_right) {
                return false;
            }
        }
    }

    bool read_attribute(Compound& compound) {
        const std::size_t end = end_of_brackets(text_);
        if (end == std::string_view::npos) {
            return false;
        }
        std::string_view body = trimmed(text_.substr(1, end - 2));
        text_.remove_prefix(end);
        const std::size_t equal = body.find('=');
        Attribute attribute{std::string(trimmed(body.substr(0, equal))), "", 0};
        if (equal != std::string_view::npos) {
            attribute.match = '=';
            if (!attribute.name.empty() &&
                std::string_view("~|^$*").find(attribute.name.back()) != std::string_view::npos) {
                attribute.match = attribute.name.back();
                attribute.name.pop_back();
            }
            attribute.value = unquoted(trimmed(body.substr(equal + 1)));
        }
        attribute.name = trimmed(attribute.name);
        compound.attributes.push_back(std::move(attribute));
        specificity_ += class_weight;
        return true;
    }

    bool read_pseudo(Compound& compound) {
        if (text_.starts_with(':')) { // a pseudo-element
            text_.remove_prefix(1);
            compound.is_never = true;
            return !take_name(text_).empty();
        }
        const std::string name = lower(take_name(text_));
        std::string_view argument;
        if (text_.starts_with('(')) {
            const std::size_t end = end_of_brackets(text_);
            if (end == std::string_view::npos) {
                return false;
            }
            argument = trimmed(text_.substr(1, end - 2));
            text_.remove_prefix(end);
        }
        if (name == "not" || name == "is" || name == "where") {
            return read_list(name, argument, compound);
        }
        specificity_ += class_weight;
        constexpr std::string_view never[] = {"hover",   "active",  "focus",        "focus-visible", "focus-within",
                                              "visited", "target",  "before",       "after",         "first-line",
                                              "checked", "enabled", "first-letter", "disabled"};
        if (std::find(std::begin(never), std::end(never), name) != std::end(never)) {
            compound.is_never = true;
        } else if (name == "root" || name == "empty") {
            (name == "root" ? compound.is_root : compound.is_empty) = true;
        } else {
            return read_position(name, argument, compound);
        }
        return argument.empty();
    }

    bool read_list(std::string_view name, std::string_view argument, Compound& compound) {
        List list{{}, name == "not"};
        std::uint32_t weight = 0;
        for (const std::string_view part : split(argument, ',')) {
            Selector one;
            if (depth_ >= deepest_list || !Parser(part, depth_ + 1).read(one)) {
                return false;
            }
            weight = std::max(weight, one.specificity_);
            list.selectors.push_back(std::move(one));
        }
        specificity_ += name == "where" ? 0 : weight;
        compound.lists.push_back(std::move(list));
        return true;
    }

    static bool read_position(std::string_view name, std::string_view argument, Compound& compound) {
        Position position;
        position.of_type = name.ends_with("-of-type");
        if (!position.of_type && !name.ends_with("-child")) {
            return false;
        }
        name.remove_suffix(position.of_type ? 8 : 6);
        if (name == "only") {
            compound.positions.push_back(position);
        } else if (name.starts_with("nth")) {
            if (!read_steps(argument, position.step, position.offset)) {
                return false;
            }
        } else if (!argument.empty()) {
            return false;
        }
        position.from_end = name == "last" || name == "nth-last" || name == "only";
        compound.positions.push_back(position);
        return position.from_end || name == "first" || name == "nth";
    }

    std::string_view text_;
    int depth_;
    std::uint32_t specificity_ = 0;
};

std::optional<Selector> Selector::parse(std::string_view text) {
    Selector selector;
    return Parser(text, 0).read(selector) ? std::optional(std::move(selector)) : std::nullopt;
}

std::string Selector::key() const {
    const Compound& last = compounds_.back();
    return !last.id.empty() ? "#" + last.id : !last.classes.empty() ? "." + last.classes[0] : last.type;
}

bool Selector::matches(const Compound& compound, const pugi::xml_node& element) {
    if (compound.is_never || (!compound.type.empty() && compound.type != element.name()) ||
        (!compound.id.empty() && compound.id != element.attribute("id").value()) ||
        (compound.is_root && element.parent().type() != pugi::node_document) ||
        (compound.is_empty && (element.first_child() || *element.text().get() != 0))) {
        return false;
    }
    const std::string_view classes = element.attribute("class").value();
    const auto has_class = [&](const std::string& name) { return has_word(classes, name); };
    const auto is_at = [&](const Position& position) {
        int index = 1;
        for (pugi::xml_node other = element; (other = sibling(other, position.from_end));) {
            index += !position.of_type || std::string_view(other.name()) == element.name() ? 1 : 0;
        }
        const int steps = index - position.offset;
        return position.step == 0 ? steps == 0 : steps % position.step == 0 && steps / position.step >= 0;
    };
    const auto has_attribute = [&](const Attribute& wanted) {
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
    };
    const auto is_in = [&](const List& list) {
        return list.is_negated != std::any_of(list.selectors.begin(), list.selectors.end(),
                                              [&](const Selector& one) { return one.matches(element); });
    };
    return std::all_of(compound.classes.begin(), compound.classes.end(), has_class) &&
           std::all_of(compound.attributes.begin(), compound.attributes.end(), has_attribute) &&
           std::all_of(compound.positions.begin(), compound.positions.end(), is_at) &&
           std::all_of(compound.lists.begin(), compound.lists.end(), is_in);
}

bool Selector::matches(std::size_t compound, const pugi::xml_node& element) const {
    if (element.type() != pugi::node_element || !matches(compounds_[compound], element)) {
        return false;
    }
    if (compound == 0) {
        return true;
    }
    const auto any_before = [&](const auto& before) { // the descendant and the sibling combinator try them all
        for (pugi::xml_node other = before(element); other; other = before(other)) {
            if (matches(compound - 1, other)) {
                return true;
            }
        }
        return false;
    };
    switch (compounds_[compound].combinator) {
    case '>': return matches(compound - 1, element.parent());
    case '+': return matches(compound - 1, sibling(element, false));
    case '~': return any_before([](const pugi::xml_node& node) { return sibling(node, false); });
    default: return any_before([](const pugi::xml_node& node) { return node.parent(); });
    }
}

bool Selector::matches(const pugi::xml_node& element) const {
    return matches(compounds_.size() - 1, element);
}

} // namespace weir::svg
