#pragma once

#include <functional>

#include <weir/engine/error.hpp>

#include "common/options.hpp"

namespace samples {

/// Does a program's work. Returns its exit status; what went wrong is one line on stderr that begins with its name.
int run_program(const char* name, const std::function<weir::Result<>()>& work);

/// Prints a line for each Vulkan device.
weir::Result<> list_devices();

/// What `main` of a sample returns. `run` does its work; its Options are DeviceOptions and more.
template <class Options>
int run_sample(const char* name, const CommandLine<Options>& line, weir::Result<> (*run)(const Options&)) {
    if (line.exit_code) {
        return *line.exit_code;
    }
    return run_program(name, [&] { return line.options.list_devices ? list_devices() : run(line.options); });
}

} // namespace samples
