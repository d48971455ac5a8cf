#pragma once

#include <string_view>

#include <weir/engine/context.hpp>

namespace weir::tests {

/// Replaces functions of an adopted device by those of a test while the object lives. Only one object may exist at a
/// time, because Vulkan passes no user pointer to the functions.
class ReplacedFunctions {
public:
    /// Returns the function to use for `name`. Called for each function of the instance or the device that is looked
    /// up, with the driver's function, which may be null.
    using Replace = PFN_vkVoidFunction (*)(std::string_view name, PFN_vkVoidFunction real);

    /// Redirects the function lookup of `adopted`, which must be adopted afterwards.
    ReplacedFunctions(AdoptedDevice& adopted, Replace replace);
    ~ReplacedFunctions();
    ReplacedFunctions(const ReplacedFunctions&) = delete;
    ReplacedFunctions& operator=(const ReplacedFunctions&) = delete;

    /// Stores `function` in `real` and returns `ours`.
    template <class Function>
    static PFN_vkVoidFunction take(PFN_vkVoidFunction function, Function& real, Function ours) {
        real = reinterpret_cast<Function>(function);
        return reinterpret_cast<PFN_vkVoidFunction>(ours);
    }
};

} // namespace weir::tests
