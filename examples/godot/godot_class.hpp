#pragma once

// Registers a class of C++ with Godot through its C interface, gdextension_interface.h, without godot-cpp.

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gdextension_interface.h>

namespace godot {

/// Godot's Transform3D: the rows of its basis and its origin. The columns of a camera's basis are right, up and back.
struct Transform {
    float basis[3][3];
    float origin[3];
};

/// Functions of Godot and the handle of this library.
struct Interface {
    GDExtensionInterfaceGetProcAddress find = nullptr;
    GDExtensionClassLibraryPtr library = nullptr;

    template <class Function>
    [[nodiscard]] Function get(const char* name) const {
        return reinterpret_cast<Function>(find(name));
    }
};
inline Interface api;

/// A StringName that is never freed. Godot copies it.
class Name {
public:
    explicit Name(const char* text) {
        api.get<GDExtensionInterfaceStringNameNewWithLatin1Chars>("string_name_new_with_latin1_chars")(&name_, text, 1);
    }
    [[nodiscard]] void* get() { return &name_; }

private:
    void* name_ = nullptr;
};

template <class T>
constexpr GDExtensionVariantType type_of() {
    if constexpr (std::is_same_v<T, bool>) {
        return GDEXTENSION_VARIANT_TYPE_BOOL;
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
        return GDEXTENSION_VARIANT_TYPE_INT;
    } else if constexpr (std::is_same_v<T, double>) {
        return GDEXTENSION_VARIANT_TYPE_FLOAT;
    } else {
        static_assert(std::is_same_v<T, Transform>, "a type that methods do not use");
        return GDEXTENSION_VARIANT_TYPE_TRANSFORM3D;
    }
}

/// A method of class T, whose arguments and result have types of `type_of`.
template <auto method>
struct Method;
template <class T, class R, class... Args, R (T::*method)(Args...)>
struct Method<method> {
    /// Calls the method with arguments in the layout of their types.
    static void call(void*, GDExtensionClassInstancePtr self, const GDExtensionConstTypePtr* arguments,
                     GDExtensionTypePtr result) {
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            *static_cast<R*>(result) = (static_cast<T*>(self)->*method)(*static_cast<const Args*>(arguments[i])...);
        }
        (std::index_sequence_for<Args...>());
    }
    /// Calls the method with Variants.
    static void call_variants(void*, GDExtensionClassInstancePtr self, const GDExtensionConstVariantPtr* arguments,
                              GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError* error) {
        if (count != static_cast<GDExtensionInt>(sizeof...(Args))) {
            error->error = count < static_cast<GDExtensionInt>(sizeof...(Args))
                               ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
                               : GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS;
            error->expected = sizeof...(Args);
            return;
        }
        const auto to = api.get<GDExtensionInterfaceGetVariantToTypeConstructor>("get_variant_to_type_constructor");
        std::tuple<Args...> values;
        R returned{};
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            (to(type_of<Args>())(&std::get<i>(values), const_cast<void*>(arguments[i])), ...);
            returned = (static_cast<T*>(self)->*method)(std::get<i>(values)...);
        }
        (std::index_sequence_for<Args...>());
        api.get<GDExtensionInterfaceGetVariantFromTypeConstructor>("get_variant_from_type_constructor")(type_of<R>())(
            result, &returned);
        error->error = GDEXTENSION_CALL_OK;
    }
    static void add(Name& class_name, const char* name) {
        void* none = nullptr; // an empty StringName or String
        const auto described = [&](GDExtensionVariantType type) {
            return GDExtensionPropertyInfo{type, &none, &none, 0, &none, 6}; // PROPERTY_USAGE_DEFAULT
        };
        std::array<GDExtensionPropertyInfo, sizeof...(Args) + 1> types{described(type_of<R>()),
                                                                       described(type_of<Args>())...};
        std::array<GDExtensionClassMethodArgumentMetadata, sizeof...(Args) + 1> no_metadata{};
        Name method_name(name);
        GDExtensionClassMethodInfo info{};
        info.name = method_name.get();
        info.call_func = call_variants;
        info.ptrcall_func = call;
        info.method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT;
        info.has_return_value = 1;
        info.return_value_info = types.data();
        info.argument_count = sizeof...(Args);
        info.arguments_info = types.data() + 1;
        info.arguments_metadata = no_metadata.data();
        api.get<GDExtensionInterfaceClassdbRegisterExtensionClassMethod>("classdb_register_extension_class_method")(
            api.library, class_name.get(), &info);
    }
};

/// Registers T as a class derived from Node.
template <class T>
Name& add_class(const char* name) {
    static Name class_name(name), parent("Node");
    GDExtensionClassCreationInfo4 info{};
    info.is_exposed = 1;
    info.create_instance_func = [](void*, GDExtensionBool) -> GDExtensionObjectPtr {
        const auto object =
            api.get<GDExtensionInterfaceClassdbConstructObject2>("classdb_construct_object2")(parent.get());
        api.get<GDExtensionInterfaceObjectSetInstance>("object_set_instance")(object, class_name.get(), new T());
        return object;
    };
    info.free_instance_func = [](void*, GDExtensionClassInstancePtr self) { delete static_cast<T*>(self); };
    api.get<GDExtensionInterfaceClassdbRegisterExtensionClass4>("classdb_register_extension_class4")(
        api.library, class_name.get(), parent.get(), &info);
    return class_name;
}

} // namespace godot
