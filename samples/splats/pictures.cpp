#include "splats/pictures.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>

#include "common/files.hpp"
#include "common/paths.hpp"
#include "common/propagate.hpp"
#include "svg/png.hpp"

namespace samples::splats {

namespace {

/// Place of a number in a name.
struct NumberPlace {
    std::size_t begin = 0, end = 0;
    std::size_t digits = 0; ///< minimum number of digits
};

std::optional<NumberPlace> number_place(const std::string& name) {
    for (std::size_t begin = name.find('%'); begin != std::string::npos; begin = name.find('%', begin + 1)) {
        const std::string_view rest = std::string_view(name).substr(begin + 1);
        if (rest.starts_with('d')) {
            return NumberPlace{begin, begin + 2, 1};
        }
        if (rest.size() >= 3 && rest[0] == '0' && rest[1] >= '1' && rest[1] <= '9' && rest[2] == 'd') {
            return NumberPlace{begin, begin + 4, static_cast<std::size_t>(rest[1] - '0')};
        }
    }
    return std::nullopt;
}

} // namespace

bool has_number(const std::string& name) {
    return number_place(name).has_value();
}

std::string numbered(const std::string& name, std::uint64_t number) {
    const auto place = number_place(name);
    if (!place) {
        return name;
    }
    std::string digits = std::to_string(number);
    if (digits.size() < place->digits) {
        digits.insert(0, place->digits - digits.size(), '0');
    }
    return name.substr(0, place->begin) + digits + name.substr(place->end);
}

std::string unused_name(const std::string& name) {
    std::error_code error;
    for (std::uint64_t number = 1;; ++number) {
        std::string file = numbered(name, number);
        if (!std::filesystem::exists(std::filesystem::symlink_status(path_of(file), error))) {
            return file;
        }
    }
}

weir::Result<> write_picture(const std::string& file, std::span<const std::uint32_t> pixels, std::uint32_t width,
                             std::uint32_t height) {
    const auto png = to_png(pixels, width, height);
    SAMPLES_PROPAGATE(png);
    auto made = NewFile::create(file);
    SAMPLES_PROPAGATE(made);
    return made->write(*png).and_then([&] { return made->keep(); });
}

} // namespace samples::splats
