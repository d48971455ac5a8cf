#include "common/command_line.hpp"

#include <bit>
#include <cstdio>
#include <locale>
#include <memory>
#include <sstream>

#include "common/text.hpp"

namespace samples {

namespace {

/// Formats help for a terminal of 80 columns: option, type, description, default.
class NarrowHelp : public CLI::Formatter {
public:
    static constexpr std::size_t columns = 80;
    static constexpr std::size_t names = 28; ///< columns for the names of options

    NarrowHelp() { column_width(names); }
    std::string make_description(const CLI::App* app) const override {
        return wrapped(app->get_description(), columns) + "\n";
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        return option->get_option_text().empty() ? std::string() : " " + option->get_option_text();
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        const std::string normal = option->get_default_str();
        return wrapped(option->get_description() + (normal.empty() ? "" : ". Default: " + normal), columns - names);
    }

private:
    /// Breaks the text into lines of at most `width` characters. A longer word gets a line of its own.
    static std::string wrapped(const std::string& text, std::size_t width) {
        std::istringstream words(text);
        words.imbue(std::locale::classic());
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

/// Reports a mistake in the command line and returns the exit status.
int refuse(const CLI::App& app, const std::string& why) {
    std::fprintf(stderr, "%s: %s (see --help)\n", app.get_name().c_str(), why.c_str());
    return 2;
}

} // namespace

std::optional<int> parse(CLI::App& app, int argc, char** argv, const std::function<std::string()>& mistake) {
    app.formatter(std::make_shared<NarrowHelp>());
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", app.get_name() + " " + WEIR_VERSION, "Print the version and exit");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) {
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        return refuse(app, error.what());
    }
    const std::string why = mistake ? mistake() : std::string();
    return why.empty() ? std::nullopt : std::optional(refuse(app, why));
}

CLI::Option* add_device(CLI::App& app, std::string& device) {
    return app.add_option("--device", device, "Index, part of the name, or kind of the device")
        ->option_text("DEVICE")
        ->default_str("WEIR_DEVICE if set, otherwise the best available device");
}

void add_device_options(CLI::App& app, DeviceOptions& options) {
    add_device(app, options.device);
    app.add_flag("--list-devices", options.list_devices, "List the devices and exit");
}

CLI::Option* add_option(CLI::App& app, const std::string& name, const std::string& type, const std::string& takes,
                        const std::function<bool(const std::string& text)>& read, const std::string& help) {
    const auto check = [name, takes, read](const std::string& text) {
        if (!read(text)) {
            throw CLI::ValidationError(name + " takes " + takes + ", not " + in_quotes(text));
        }
    };
    return app.add_option_function<std::string>(name, check, help)->option_text(type);
}

CLI::Option* add_file(CLI::App& app, const std::string& name, std::string& path, const std::string& help) {
    return app.add_option(name, path, help)->option_text("FILE")->default_str("none");
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& of) {
    return add_option(
               app, "--seed", "SEED", "a number from 0 to 2^64 - 1",
               [&seed](const std::string& text) { return parse_number(text, seed); }, "Seed of " + of)
        ->default_str(std::to_string(seed));
}

CLI::Option* add_size(CLI::App& app, std::uint32_t& width, std::uint32_t& height, std::uint32_t most,
                      const std::string& help) {
    const auto read = [&width, &height, most](const std::string& text) {
        const std::size_t x = text.find('x');
        const auto fits = [most](std::uint32_t n) { return n >= 1 && n <= most; };
        return x != std::string::npos && parse_number(std::string_view(text).substr(0, x), width) &&
               parse_number(std::string_view(text).substr(x + 1), height) && fits(width) && fits(height);
    };
    const std::string limit = std::to_string(most);
    return add_option(app, "--size", "WIDTHxHEIGHT", "WIDTHxHEIGHT, each from 1 to " + limit, read,
                      help + ". Each from 1 to " + limit);
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

std::string count_text(std::uint64_t count) {
    return count >= 1024 && std::has_single_bit(count) ? "2^" + std::to_string(std::countr_zero(count))
                                                       : std::to_string(count);
}

std::string number_text(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.7g", number);
    return text;
}

CLI::Option* add_count(CLI::App& app, const std::string& name, Bounds<std::uint64_t> bounds,
                       const std::function<void(std::uint64_t)>& set, const std::string& help) {
    const auto read = [set, bounds](const std::string& text) {
        std::uint64_t count = 0;
        const bool fits = parse_count(text, count) && count >= bounds.least && count <= bounds.most;
        if (fits) {
            set(count);
        }
        return fits;
    };
    const std::string range = "from " + count_text(bounds.least) + " to " + count_text(bounds.most);
    const std::string forms = bounds.most >= 1024 ? ", such as 1000 or 2^10" : "";
    return add_option(app, name, "N", "a number " + range + forms, read, help + ". F" + range.substr(1));
}

CLI::Option* add_number(CLI::App& app, const std::string& name, const std::string& type, Bounds<double> bounds,
                        const std::function<void(double)>& set, const std::string& help) {
    const auto read = [set, bounds](const std::string& text) {
        double number = 0;
        const bool fits = parse_number(text, number) && number >= bounds.least && number <= bounds.most;
        if (fits) {
            set(number);
        }
        return fits;
    };
    const std::string range = "from " + number_text(bounds.least) + " to " + number_text(bounds.most);
    return add_option(app, name, type, "a number " + range, read, help + ". F" + range.substr(1));
}

} // namespace samples
