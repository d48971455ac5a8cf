#include "common/command_line.hpp"

#include <cstdio>

#include "common/text.hpp"

namespace samples {

namespace {

/// The exit status of a program whose command line says something wrong.
int refuse(const CLI::App& app, const std::string& why) {
    std::fprintf(stderr, "%s: %s (see --help)\n", app.get_name().c_str(), why.c_str());
    return 2;
}

} // namespace

std::optional<int> parse(CLI::App& app, int argc, char** argv, const std::function<std::string()>& mistake) {
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
                   "Index, part of the name, or kind of the device. Default: WEIR_DEVICE, or the best");
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
        [&seed](const std::string& text) { return parse_number(text, seed); }, of + ". Default: 1");
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
