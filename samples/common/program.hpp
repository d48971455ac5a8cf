#pragma once

#include <functional>

#include <weir/engine/error.hpp>

namespace samples {

/// Does a program's work. Returns its exit status; what went wrong is one line on stderr that begins with its name.
int run_program(const char* name, const std::function<weir::Result<>()>& work);

/// Prints a line for each Vulkan device.
weir::Result<> list_devices();

} // namespace samples
