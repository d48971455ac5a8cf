#pragma once

#include <array>
#include <optional>
#include <string>

namespace samples {

/// What the options of every sample begin with.
struct DeviceOptions {
    std::string device; ///< as weir::ContextOptions has it
    bool list_devices = false;
};

/// Files with the compiled graph. An empty name: no file.
struct PlanOptions {
    std::string graph; ///< the plan, for Graphviz
    std::string plan;  ///< the plan, as JSON
    std::string trace; ///< the times of its passes, for Perfetto
};

/// What a command line says. If it says something wrong, or asks for help, the program is to end with `exit_code`.
template <class Options>
struct CommandLine {
    Options options;
    std::optional<int> exit_code;
};

} // namespace samples
