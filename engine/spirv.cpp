#include "engine/spirv.hpp"
#include "engine/spirv_module.hpp"
#include "engine/text.hpp"

namespace weir {

namespace {

constexpr std::uint32_t magic = 0x07230203;
constexpr std::uint32_t newest_version = 0x00010600;
constexpr std::size_t header_words = 5;
constexpr std::uint32_t op_entry_point = 15;
constexpr std::uint32_t op_function_end = 56;
constexpr std::uint32_t compute_model = 5;

} // namespace

Result<> check_spirv(std::span<const std::uint32_t> words, const std::string& name) {
    const auto fail = [&](const std::string& why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, concat("'", name, "' is no SPIR-V shader: ", why)});
    };
    if (words.size() < header_words) {
        return fail(concat(words.size(), " words are less than a header"));
    }
    if (words[0] != magic) {
        return fail(concat("it starts with 0x", hex(words[0], 8), ", not with 0x", hex(magic, 8)));
    }
    if (words[1] > newest_version || (words[1] & 0xff0000ffU) != 0) {
        return fail(concat("its version is ", (words[1] >> 16U) & 0xffU, ".", (words[1] >> 8U) & 0xffU,
                           "; 1.6 is the newest supported"));
    }
    bool has_main = false;
    std::uint32_t operation = 0;
    for (std::size_t at = header_words; at < words.size();) {
        const std::size_t length = words[at] >> 16U;
        if (length == 0 || length > words.size() - at) {
            return fail(concat("the instruction at word ", at, " of ", words.size(), " does not end within them"));
        }
        operation = words[at] & 0xffffU;
        if (operation == op_entry_point && length > 3 && words[at + 1] == compute_model) {
            has_main = has_main || spirv::literal(words.subspan(at + 3, length - 3)) == "main";
        }
        at += length;
    }
    if (operation != op_function_end) {
        return fail("it does not end with a function");
    }
    if (!has_main) {
        return fail("it has no compute entry point 'main'");
    }
    return {};
}

} // namespace weir
