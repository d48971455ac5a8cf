#include "common/command_line.hpp"

#include <cstdio>
#include <memory>
#include <sstream>

#include "common/text.hpp"

namespace samples {

namespace {

/// Help that fits a terminal of 80 columns.
class NarrowHelp : public CLI::Formatter {
public:
    static constexpr std::size_t columns = 80;
    static constexpr std::size_t names = 28; ///< columns of the names of options

    NarrowHelp() { column_width(names); }
    std::string make_description(const CLI::App* app) const override {
        return wrapped(app->get_description(), columns) + "\n";
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(option->get_description(), columns - names);
    }

private:
    /// The text in lines of at most `width` letters, if its words are not longer.
    static std::string wrapped(const std::string& text, std::size_t width) {
        std::istringstream words(text);
        std::string lines, word;
        for (std::size_t length = 0; words >> word; length += word.size()) {
            if (length != 0) {
                const bool fits = length + 1 + word.size() <= width;
                lines += fits ? ' ' : '\n';
                length = fits ? length + 1 : 0;
            }
            lines += word;
        }
        return lines;
    }
};

/// The exit status of a program whose command line says something wrong.
int refuse(const CLI::App& app, const std::string& why) {
    std::fprintf(stderr, "%s: %s (see --help)\n", app.get_name().c_str(), why.c_str());
    return 2;
}

} // namespace

std::optional<int> parse(CLI::App& app, int argc, char** argv, const std::function<std::string()>& mistake) {
    app.formatter(std::make_shared<NarrowHelp>());
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        return refuse(app, error.what());
    }
    const std::string why = mistake ? mistake() : std::string();
    return why.empty() ? std::nullopt : std::optional(refuse(app, why));
}

void add_device_options(CLI::App& app, DeviceOptions& options) {
    app.add_option("--device", options.device,
                   "Index, part of the name, or kind of the device. Default: WEIR_DEVICE if set, otherwise the best "
                   "available device");
    app.add_flag("--list-devices", options.list_devices, "Lists the devices and ends");
}

CLI::Option* add_option(CLI::App& app, const std::string& name, const std::string& takes,
                        const std::function<bool(const std::string& text)>& read, const std::string& help) {
    const auto check = [name, takes, read](const std::string& text) {
        if (!read(text)) {
            throw CLI::ValidationError(name + " takes " + takes + ", not " + in_quotes(text));
        }
    };
    return app.add_option_function<std::string>(name, check, help);
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& of) {
    return add_option(
        app, "--seed", "a number from 0 to 2^64 - 1",
        [&seed](const std::string& text) { return parse_number(text, seed); }, "Seed of " + of + ". Default: 1");
}

bool parse_count(std::string_view text, std::uint64_t& count) {
    if (text.substr(0, 2) != "2^") {
        return parse_number(text, count);
    }
    std::uint32_t power = 0;
    if (!parse_number(text.substr(2), power) || power > 40) {
        return false;
    }
    count = std::uint64_t{1} << power;
    return true;
}

} // namespace samples
