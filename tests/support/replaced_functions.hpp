#pragma once

#include <string_view>

#include <weir/engine/context.hpp>

namespace weir::tests {

/// While it lives, a device that is adopted has some functions of a test's in place of the driver's. One at a time:
/// they are functions without an object, as drivers have them.
class ReplacedFunctions {
public:
    /// Told the name of each function of the instance or the device that is asked for, and what the driver has: returns
    /// what is to be used.
    using Replace = PFN_vkVoidFunction (*)(std::string_view name, PFN_vkVoidFunction real);

    /// Changes `adopted`, which is to be adopted then.
    ReplacedFunctions(AdoptedDevice& adopted, Replace replace);
    ~ReplacedFunctions();
    ReplacedFunctions(const ReplacedFunctions&) = delete;
    ReplacedFunctions& operator=(const ReplacedFunctions&) = delete;

    /// `ours` in place of `function`, which is kept as `real`.
    template <class Function>
    static PFN_vkVoidFunction take(PFN_vkVoidFunction function, Function& real, Function ours) {
        real = reinterpret_cast<Function>(function);
        return reinterpret_cast<PFN_vkVoidFunction>(ours);
    }
};

} // namespace weir::tests
