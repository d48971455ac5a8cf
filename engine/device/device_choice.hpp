#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <weir/engine/context.hpp>

namespace weir {

/// Returns the index in `devices` of the device that `wanted` names: an index, a kind or a part of a name; empty: any.
/// If several match, the best usable one is chosen: discrete, integrated, virtual, other, cpu, then the first. Errors:
/// `no_device` if none matches, `unsupported` if no match is usable; both list the available devices.
Result<std::size_t> choose_device(std::span<const DeviceInfo> devices, const std::string& wanted);

} // namespace weir
