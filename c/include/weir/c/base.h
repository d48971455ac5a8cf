#ifndef WEIR_C_BASE_H
#define WEIR_C_BASE_H

/// @file
/// Results, errors and types of the C interface.

#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#if !defined(WEIR_C_API) && defined(_WIN32)
#define WEIR_C_API __declspec(dllimport)
#elif !defined(WEIR_C_API)
#define WEIR_C_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the binary interface. A change requires applications to be compiled again and also changes the soname of
/// the library.
#define WEIR_ABI_VERSION 1

/// Returns the WEIR_ABI_VERSION of the loaded library.
WEIR_C_API uint32_t weir_abi_version(void);
/// Returns the version of the loaded library, such as "0.1.0".
WEIR_C_API const char* weir_version(void);

/// Result of a function that can fail. The errors are those of weir::ErrorCode in C++, in the same order.
typedef enum weir_result {
    WEIR_SUCCESS = 0,                  ///< no error
    WEIR_ERROR_INVALID_ARGUMENT = 1,   ///< the caller passed an invalid value, such as null
    WEIR_ERROR_INVALID_GRAPH = 2,      ///< a graph cannot be compiled
    WEIR_ERROR_UNSUPPORTED = 3,        ///< the device or driver lacks a required feature
    WEIR_ERROR_NO_DEVICE = 4,          ///< no Vulkan loader, no device, or no device that matches the request
    WEIR_ERROR_OUT_OF_MEMORY = 5,      ///< host or device memory is exhausted
    WEIR_ERROR_LIMIT_EXCEEDED = 6,     ///< a size exceeds a limit of the device
    WEIR_ERROR_SHADER_COMPILATION = 7, ///< GLSL does not compile, or no compiler is available
    WEIR_ERROR_IO = 8,                 ///< a file cannot be read or written
    WEIR_ERROR_DEVICE_LOST = 9,        ///< the device was lost; its context can no longer be used
    WEIR_ERROR_VULKAN = 10,            ///< any other failure reported by Vulkan
    WEIR_RESULT_MAX_ENUM = 0x7FFFFFFF  ///< not a result
} weir_result;

/// Description of a failure, in memory of the caller. Each function that can fail takes a pointer to one, which may be
/// null. The function fills it on failure and leaves it unchanged on success.
typedef struct weir_error {
    weir_result code;   ///< same as the returned result
    int32_t vulkan;     ///< VkResult of the Vulkan call that failed; 0 if none failed
    char message[4088]; ///< one sentence that names the pass, the buffer and the number; ends with "..." if cut
} weir_error;

/// Returns the name of a result, such as "invalid argument".
WEIR_C_API const char* weir_result_name(weir_result result);

/// Type of an element. A vector has two to four numbers without padding. WEIR_WORDS_n is a struct of n 32-bit words.
typedef enum weir_type {
    WEIR_U32 = 0,                   ///< uint32_t
    WEIR_I32 = 1,                   ///< int32_t
    WEIR_F32 = 2,                   ///< float
    WEIR_U64 = 3,                   ///< uint64_t
    WEIR_I64 = 4,                   ///< int64_t
    WEIR_F64 = 5,                   ///< double
    WEIR_U8 = 0x10,                 ///< uint8_t; radix sort, widen and narrow only
    WEIR_I8 = 0x11,                 ///< int8_t; radix sort, widen and narrow only
    WEIR_U16 = 0x12,                ///< uint16_t; radix sort, widen and narrow only
    WEIR_I16 = 0x13,                ///< int16_t; radix sort, widen and narrow only
    WEIR_F16 = 0x14,                ///< 16-bit float; radix sort, widen and narrow only
    WEIR_BF16 = 0x15,               ///< upper 16 bits of a float; radix sort, widen and narrow only
    WEIR_U32X2 = 0x100,             ///< uint32_t[2]
    WEIR_I32X2 = 0x101,             ///< int32_t[2]
    WEIR_F32X2 = 0x102,             ///< float[2]
    WEIR_U32X3 = 0x200,             ///< uint32_t[3]
    WEIR_I32X3 = 0x201,             ///< int32_t[3]
    WEIR_F32X3 = 0x202,             ///< float[3]
    WEIR_U32X4 = 0x300,             ///< uint32_t[4]
    WEIR_I32X4 = 0x301,             ///< int32_t[4]
    WEIR_F32X4 = 0x302,             ///< float[4]
    WEIR_WORDS_1 = 0x06,            ///< a struct of 1 word
    WEIR_WORDS_2 = 0x106,           ///< a struct of 2 words
    WEIR_WORDS_3 = 0x206,           ///< a struct of 3 words
    WEIR_WORDS_4 = 0x306,           ///< a struct of 4 words
    WEIR_WORDS_5 = 0x406,           ///< a struct of 5 words
    WEIR_WORDS_6 = 0x506,           ///< a struct of 6 words
    WEIR_WORDS_7 = 0x606,           ///< a struct of 7 words
    WEIR_WORDS_8 = 0x706,           ///< a struct of 8 words
    WEIR_WORDS_9 = 0x806,           ///< a struct of 9 words
    WEIR_WORDS_10 = 0x906,          ///< a struct of 10 words
    WEIR_WORDS_11 = 0xA06,          ///< a struct of 11 words
    WEIR_WORDS_12 = 0xB06,          ///< a struct of 12 words
    WEIR_WORDS_13 = 0xC06,          ///< a struct of 13 words
    WEIR_WORDS_14 = 0xD06,          ///< a struct of 14 words
    WEIR_WORDS_15 = 0xE06,          ///< a struct of 15 words
    WEIR_WORDS_16 = 0xF06,          ///< a struct of 16 words
    WEIR_TYPE_MAX_ENUM = 0x7FFFFFFF ///< not a type
} weir_type;

/// Returns the size of an element in bytes; 0 for an invalid type.
WEIR_C_API uint32_t weir_type_size(weir_type type);

// Structs whose first member is `size` may grow in later versions of the library: set `size` to the size of the struct.
// Zero is the default of every other member. A null pointer to options selects all defaults.
//
//     weir_scan_options options = {sizeof options};
//
// All other structs stay unchanged within one WEIR_ABI_VERSION. Strings are UTF-8 and null-terminated. The library
// copies the strings, arrays and structs that it receives and does not write to them, except where a function documents
// it.

#ifdef __cplusplus
}
#endif

#endif
