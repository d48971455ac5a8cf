#pragma once

#include <array>
#include <optional>
#include <string>

namespace samples {

/// Options that all samples have.
struct DeviceOptions {
    std::string device; ///< see weir::ContextOptions
    bool list_devices = false;
};

/// Output files for the compiled graph. An empty name means: do not write.
struct PlanOptions {
    std::string graph; ///< plan as Graphviz
    std::string plan;  ///< plan as JSON
    std::string trace; ///< GPU times of the passes, for Perfetto
};

/// Parsed command line. If `exit_code` is set, the program must end with it: the command line had a mistake or asked
/// for help.
template <class Options>
struct CommandLine {
    Options options;
    std::optional<int> exit_code;
};

} // namespace samples
