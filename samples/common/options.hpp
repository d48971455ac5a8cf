#pragma once

#include <optional>
#include <string>

namespace samples {

/// What the options of every sample begin with.
struct DeviceOptions {
    std::string device; ///< as weir::ContextOptions has it
    bool list_devices = false;
};

/// What a command line says. If it says something wrong, or asks for help, the program is to end with `exit_code`.
template <class Options>
struct CommandLine {
    Options options;
    std::optional<int> exit_code;
};

} // namespace samples
