#include "engine/device/device_choice.hpp"
#include "engine/base/strings.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace weir {

namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

int rank(DeviceKind kind) {
    switch (kind) {
    case DeviceKind::discrete: return 4;
    case DeviceKind::integrated: return 3;
    case DeviceKind::virtual_gpu: return 2;
    case DeviceKind::other: return 1;
    case DeviceKind::cpu: break;
    }
    return 0;
}

std::optional<std::size_t> parse_index(const std::string& text) {
    std::size_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::string listed(std::span<const DeviceInfo> devices) {
    std::string out;
    for (const DeviceInfo& device : devices) {
        out += concat(out.empty() ? "" : "; ", "[", device.index, "] ", device.name, " (", to_string(device.kind), ")");
        if (!device.unusable.empty()) {
            out += concat(", unusable: ", device.unusable);
        }
    }
    return out;
}

/// Returns the devices that `wanted` names. A number of three or more digits that is no index may still be part of a
/// name ("4090"). A shorter number is a wrong index, which must not match a version number in a name.
std::vector<const DeviceInfo*> matches(std::span<const DeviceInfo> devices, const std::string& wanted) {
    std::vector<const DeviceInfo*> out;
    if (const auto index = parse_index(wanted)) {
        if (*index < devices.size()) {
            out.push_back(&devices[*index]);
        }
        if (*index < devices.size() || wanted.size() < 3) {
            return out;
        }
    }
    const std::string text = lower(wanted);
    for (const DeviceInfo& device : devices) {
        if (text == to_string(device.kind)) {
            out.push_back(&device);
        }
    }
    if (!out.empty()) {
        return out;
    }
    for (const DeviceInfo& device : devices) {
        if (lower(device.name).find(text) != std::string::npos) {
            out.push_back(&device);
        }
    }
    return out;
}

} // namespace

Result<std::size_t> choose_device(std::span<const DeviceInfo> devices, const std::string& wanted) {
    if (devices.empty()) {
        return tl::unexpected(Error{ErrorCode::no_device, "no Vulkan device is available"});
    }
    const auto candidates = matches(devices, wanted);
    if (candidates.empty()) {
        return tl::unexpected(
            Error{ErrorCode::no_device, concat("no device matches '", wanted, "'; available: ", listed(devices))});
    }
    const DeviceInfo* best = nullptr;
    for (const DeviceInfo* device : candidates) {
        if (device->unusable.empty() && (best == nullptr || rank(device->kind) > rank(best->kind))) {
            best = device;
        }
    }
    if (best == nullptr) {
        const std::string which = wanted.empty() ? "" : concat(" that matches '", wanted, "'");
        return tl::unexpected(
            Error{ErrorCode::unsupported, concat("no device", which, " is usable; available: ", listed(devices))});
    }
    return static_cast<std::size_t>(best - devices.data());
}

} // namespace weir
