#include "graph/program/capability_check.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "engine/base/strings.hpp"

namespace weir {

namespace {

using Flag = std::pair<bool Capabilities::*, const char*>;
constexpr Flag flags[] = {
    {&Capabilities::subgroup_size_selectable, "subgroup_size_selectable"},
    {&Capabilities::int64, "int64"},
    {&Capabilities::float64, "float64"},
    {&Capabilities::int64_atomics, "int64_atomics"},
    {&Capabilities::narrow_storage, "narrow_storage"},
    {&Capabilities::descriptor_buffer, "descriptor_buffer"},
    {&Capabilities::buffer_address, "buffer_address"},
    {&Capabilities::descriptor_indexing, "descriptor_indexing"},
    {&Capabilities::timeline_semaphores, "timeline_semaphores"},
};

template <class T>
using Limit = std::pair<T Capabilities::*, const char*>;
constexpr Limit<std::uint32_t> limits[] = {
    {&Capabilities::max_workgroup_invocations, "max_workgroup_invocations"},
    {&Capabilities::max_workgroup_size_y, "max_workgroup_size_y"},
    {&Capabilities::max_workgroup_size_z, "max_workgroup_size_z"},
    {&Capabilities::max_workgroup_subgroups, "max_workgroup_subgroups"},
    {&Capabilities::max_workgroup_memory, "max_workgroup_memory"},
    {&Capabilities::max_workgroup_count_x, "max_workgroup_count_x"},
    {&Capabilities::max_workgroup_count_y, "max_workgroup_count_y"},
    {&Capabilities::max_workgroup_count_z, "max_workgroup_count_z"},
    {&Capabilities::max_push_constants, "max_push_constants"},
    {&Capabilities::max_storage_buffers, "max_storage_buffers"},
    {&Capabilities::max_uniform_buffers, "max_uniform_buffers"},
    {&Capabilities::max_bound_sets, "max_bound_sets"},
    {&Capabilities::max_push_descriptors, "max_push_descriptors"},
};
constexpr Limit<std::uint64_t> large_limits[] = {
    {&Capabilities::max_storage_range, "max_storage_range"},
    {&Capabilities::max_uniform_range, "max_uniform_range"},
    {&Capabilities::max_allocation, "max_allocation"},
};

bool same_device(const Capabilities& a, const Capabilities& b) {
    return a.device_name == b.device_name && a.vendor_id == b.vendor_id && a.device_id == b.device_id &&
           a.driver_version == b.driver_version;
}

} // namespace

Result<> check_made_for(const Capabilities& made_for, const Capabilities& device) {
    const auto refuse = [](const std::string& why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "compile: the graph was built for " + why});
    };
    if (!same_device(made_for, device)) {
        return refuse(concat("another device, '", made_for.device_name, "' (", made_for.driver, "); the context has '",
                             device.device_name, "' (", device.driver, ")"));
    }
    for (const auto& [flag, name] : flags) {
        if (made_for.*flag && !(device.*flag)) {
            return refuse(concat("a context with ", name, ", which this context lacks"));
        }
    }
    const auto more = [&](const auto& all) {
        std::string found;
        for (const auto& [limit, name] : all) {
            if (found.empty() && made_for.*limit > device.*limit) {
                found = concat("a context with ", name, " ", made_for.*limit, "; this context has ", device.*limit);
            }
        }
        return found;
    };
    for (const std::string& why : {more(limits), more(large_limits)}) {
        if (!why.empty()) {
            return refuse(why);
        }
    }
    for (const QueueKind kind : {QueueKind::main, QueueKind::compute, QueueKind::transfer}) {
        const auto wanted = made_for.queue_families[static_cast<std::size_t>(kind)];
        if (wanted != Capabilities::no_queue && wanted != device.queue_families[static_cast<std::size_t>(kind)]) {
            return refuse(concat("a context with a ", to_string(kind), " queue of family ", wanted,
                                 ", which this context lacks"));
        }
    }
    return {};
}

} // namespace weir
