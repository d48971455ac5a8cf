#ifndef WEIR_INTERFACE_GLSL
#define WEIR_INTERFACE_GLSL

// A file NAME_interface.h holds what a kernel and the C++ code that creates its passes must agree on. Both include it, so that both use the
// same names; see primitives/kernel/interface.hpp. Its lines are
//     WEIR_CONSTANT(id, type, name, value)   a specialization constant: a uint or a bool, with its default. Constant 0 is WORKGROUP
//     WEIR_BINDING(number, name)             a binding of set 0. Variants of a kernel may use one number under different names
//     WEIR_NUMBER(name, value)               any other number

#define WEIR_CONSTANT(id, type, name, value) layout(constant_id = id) const type name = value;
#define WEIR_BINDING(number, name) const uint name = number;
#define WEIR_NUMBER(name, value) const uint name = value;

#endif
