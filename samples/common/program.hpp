#pragma once

#include <functional>

#include <weir/engine/error.hpp>

#include "common/options.hpp"

namespace samples {

/// Runs `work` and returns the exit status of the program. An error is reported in one line on stderr, after `name`.
int run_program(const char* name, const std::function<weir::Result<>()>& work);

/// Prints a line for each Vulkan device.
weir::Result<> list_devices();

/// Returns the exit status for `main` of a sample. `run` does its work. Options must derive from DeviceOptions.
template <class Options>
int run_sample(const char* name, const CommandLine<Options>& line, weir::Result<> (*run)(const Options&)) {
    if (line.exit_code) {
        return *line.exit_code;
    }
    return run_program(name, [&] { return line.options.list_devices ? list_devices() : run(line.options); });
}

} // namespace samples
