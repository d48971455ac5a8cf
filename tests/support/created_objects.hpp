#pragma once

#include <map>
#include <string>
#include <vector>

#include <weir/engine/context.hpp>

#include "tests/support/replaced_functions.hpp"

namespace weir::tests {

/// What Weir makes on a device that a host hands over: every object of every vkCreate... and vkAllocate... of the
/// device, with its name for debuggers and its callbacks. What creates objects and is not known here cannot be called.
/// One object at a time.
class CreatedObjects {
public:
    /// From now on, the functions of `host` are watched.
    explicit CreatedObjects(AdoptedDevice& host);
    ~CreatedObjects();
    CreatedObjects(const CreatedObjects&) = delete;
    CreatedObjects& operator=(const CreatedObjects&) = delete;

    struct Object {
        std::string function; ///< that made it
        std::string name;     ///< the last one
        bool exists = true;   ///< what is freed with its pool exists for ever
    };
    /// In the order in which they were made.
    [[nodiscard]] std::vector<Object> objects() const;
    /// Those that a function made; with that name.
    [[nodiscard]] std::size_t count(const std::string& function) const;
    [[nodiscard]] std::size_t count(const std::string& function, const std::string& name) const;

    /// Calls of functions that take callbacks, by the pUserData of these: names of functions.
    [[nodiscard]] std::map<const void*, std::vector<std::string>> callbacks() const;

    /// Labels in command buffers: names where one begins, "" where one ends.
    [[nodiscard]] std::vector<std::string> labels() const;

private:
    ReplacedFunctions replaced_;
};

} // namespace weir::tests
