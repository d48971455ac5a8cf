#pragma once

#include <map>
#include <string>
#include <vector>

#include <weir/engine/context.hpp>

#include "tests/support/replaced_functions.hpp"

namespace weir::tests {

/// Records the objects that Weir creates on an adopted device with vkCreate... and vkAllocate..., their debug names and
/// the allocation callbacks. Creating functions that this class does not know are null. Only one object may exist at a
/// time.
class CreatedObjects {
public:
    /// Starts to watch the functions of `host`, which must be adopted afterwards.
    explicit CreatedObjects(AdoptedDevice& host);
    ~CreatedObjects();
    CreatedObjects(const CreatedObjects&) = delete;
    CreatedObjects& operator=(const CreatedObjects&) = delete;

    struct Object {
        std::string function; ///< creating function
        std::string name;     ///< latest debug name
        bool exists = true;   ///< stays true for objects that are freed with their pool
    };
    /// Returns all objects in the order of their creation.
    [[nodiscard]] std::vector<Object> objects() const;
    /// Returns the number of objects that `function` has created, or of those named `name`. Destroyed objects count.
    [[nodiscard]] std::size_t count(const std::string& function) const;
    [[nodiscard]] std::size_t count(const std::string& function, const std::string& name) const;

    /// Returns the names of the functions with allocation callbacks that were called, by the pUserData of the
    /// callbacks.
    [[nodiscard]] std::map<const void*, std::vector<std::string>> callbacks() const;

    /// Returns the debug labels in command buffers: the name where a label begins, "" where one ends.
    [[nodiscard]] std::vector<std::string> labels() const;

private:
    ReplacedFunctions replaced_;
};

} // namespace weir::tests
