#include <weir/engine/error.hpp>

#include <utility>

namespace weir {

void detail::throw_error(Error error) {
    throw tl::bad_expected_access<Error>(std::move(error));
}

} // namespace weir
