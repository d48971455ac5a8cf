#include "primitives/kernel/key_numbers.hpp"

#include "primitives/kernel/interface.hpp"

namespace weir {

namespace {

struct Numbers {
#include "shaders/lib/total_order_interface.h"
};

} // namespace

std::uint32_t key_numbers(Scalar scalar) {
    switch (scalar) {
    case Scalar::i32:
    case Scalar::i64: return Numbers::NUMBERS_SIGNED;
    case Scalar::f32:
    case Scalar::f64: return Numbers::NUMBERS_REAL;
    default: return Numbers::NUMBERS_UNSIGNED;
    }
}

} // namespace weir
