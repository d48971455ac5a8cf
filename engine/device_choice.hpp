#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <weir/engine/context.hpp>

namespace weir {

/// The index in `devices` of what `wanted` asks for (an index, a kind or a part of a name; empty: the best usable one).
/// Of several that match, the best usable one: discrete, integrated, virtual, other, cpu, then the first. Errors:
/// `no_device` if none matches, `unsupported` if those that do cannot be used; both list what there is.
Result<std::size_t> choose_device(std::span<const DeviceInfo> devices, const std::string& wanted);

} // namespace weir
