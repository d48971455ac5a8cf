#include "engine/base/strings.hpp"

namespace weir {

void MessagePart::append_to(std::string& out) const {
    switch (kind_) {
    case text: out += text_; break;
    case signed_: out += std::to_string(static_cast<std::int64_t>(number_)); break;
    case unsigned_: out += std::to_string(number_); break;
    }
}

std::string concat_parts(std::initializer_list<MessagePart> parts) {
    std::string out;
    for (const MessagePart& part : parts) {
        part.append_to(out);
    }
    return out;
}

} // namespace weir
