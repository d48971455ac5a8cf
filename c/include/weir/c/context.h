#ifndef WEIR_C_CONTEXT_H
#define WEIR_C_CONTEXT_H

/// @file
/// Devices, buffers, uploads and downloads, in C.

#include <weir/c/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A device to compute on. All functions may be called from any thread. What is made from a context keeps alive what it
/// needs of it.
typedef struct weir_context weir_context;

/// A VkBuffer with its memory.
typedef struct weir_buffer weir_buffer;

/// Severities of messages.
typedef enum weir_log_level {
    WEIR_LOG_DEFAULT = 0,                ///< in options: warnings and errors
    WEIR_LOG_DEBUG = 1,                  ///< details, such as the driver's statistics of pipelines
    WEIR_LOG_WARNING = 2,                ///< something works, but not as it should
    WEIR_LOG_ERROR = 3,                  ///< something failed
    WEIR_LOG_LEVEL_MAX_ENUM = 0x7FFFFFFF ///< no level
} weir_log_level;

/// Receives a message. Called from any thread, and from several at once.
typedef void (*weir_log_function)(weir_log_level level, const char* message, void* user);
/// Receives a message of the validation layer. Called from any thread.
typedef void (*weir_validation_function)(const char* message, void* user);
/// Called before or after a submission to a queue.
typedef void (*weir_queue_function)(void* user);

/// A device of this machine.
typedef struct weir_device_info {
    uint32_t index;     ///< for weir_context_options::device
    char name[256];     ///< as the driver reports it
    char driver[256];   ///< name, information and version of the driver
    char unusable[512]; ///< why Weir cannot run on the device; empty if it can
} weir_device_info;

/// The devices of this machine. `infos` null: sets `count` to their number. Otherwise writes at most `count` of them
/// and sets `count` to how many were written. Errors: `no_device` without a Vulkan loader or driver.
WEIR_C_API weir_result weir_list_devices(weir_device_info* infos, uint32_t* count, weir_error* error);

/// Options of weir_context_create.
typedef struct weir_context_options {
    size_t size;         ///< of this struct
    const char* device;  ///< an index, a part of a name, or a kind ("discrete", "cpu"); null: WEIR_DEVICE, or the best
    VkBool32 validation; ///< loads the Khronos validation layer with its synchronization checks
    weir_validation_function on_validation; ///< receives its messages; null: they go to the log
    const char* cache_directory;            ///< for pipelines and SPIR-V; null: the user's; "none": nothing is kept
    weir_log_function log;                  ///< null: messages go to stderr
    weir_log_level log_level;               ///< the least severe level that is reported
    uint32_t compiler_threads;              ///< that compile pipelines; 0: as many as the machine has
    uint64_t memory_limit;                  ///< most bytes of device memory; 0: no bound
    const char* shader_file;                ///< shaders that were compiled ahead; null: none
    void* user;                             ///< for the functions
    const char* pipeline_file;              ///< of weir_context_write_pipelines, only read; null: none
    VkBool32 no_glsl; ///< no shader compiler is opened: GLSL that is in no file is `unsupported` when it is compiled
} weir_context_options;

/// Makes a Vulkan instance and a device of Weir's own. `options` may be null. Errors: `no_device`, `unsupported`, `io`.
WEIR_C_API weir_result weir_context_create(const weir_context_options* options, weir_context** context,
                                           weir_error* error);

/// A device of the application. The Vulkan objects stay the application's and have to outlive the context and all that
/// is made from it.
typedef struct weir_adopted_device {
    size_t size;                                      ///< of this struct
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; ///< through which Weir gets all functions
    VkInstance instance;                              ///< made for Vulkan 1.2 or newer
    VkPhysicalDevice physical_device;                 ///< the physical device of `device`
    VkDevice device;                                  ///< the device
    VkQueue queue;                  ///< with compute; null: recording only, without uploads, downloads and submissions
    uint32_t queue_family;          ///< the family of the queue, and of command buffers for weir_program_record
    uint32_t api_version;           ///< VkApplicationInfo::apiVersion of `instance`; 0: VK_API_VERSION_1_3
    weir_queue_function lock_queue; ///< called around submissions, if other threads use the queue; may be null
    weir_queue_function unlock_queue; ///< likewise
    /// Whether nothing is submitted while the device is adopted. Otherwise Weir may run a test of the device once.
    VkBool32 no_probe;
    const VkPhysicalDeviceFeatures2* enabled_features; ///< the chain with which the device was made
    const char* const* enabled_extensions;             ///< the extensions with which the device was made
    uint32_t enabled_extension_count;                  ///< how many
    VkPipelineCache pipeline_cache;                    ///< may be null
    const char* cache_directory;                       ///< for SPIR-V of compiled GLSL; null: nothing is kept
    weir_log_function log;                             ///< null: messages go to stderr
    weir_log_level log_level;                          ///< the least severe level that is reported
    uint32_t compiler_threads;                         ///< that compile pipelines; 0: as many as the machine has
    uint64_t memory_limit;                             ///< most bytes of device memory; 0: no bound
    const char* shader_file;                           ///< shaders that were compiled ahead; null: none
    void* user;                                        ///< for the functions
    const char* pipeline_file;                         ///< as in weir_context_options, without `pipeline_cache`
    VkBool32 no_glsl;                                  ///< as in weir_context_options
} weir_adopted_device;

/// Uses the application's device. Errors: `invalid_argument`, `unsupported` (what the device lacks), `out_of_memory`,
/// `io`.
WEIR_C_API weir_result weir_context_adopt(const weir_adopted_device* device, weir_context** context, weir_error* error);

/// Enables the features that Weir can use in the application's chain, before it makes its device: those that have a
/// place in its structures, such as VkPhysicalDeviceVulkan12Features and VkPhysicalDeviceVulkan13Features. Others stay
/// as they are; docs/your_device.md says what each missing one costs. `api_version` as in weir_adopted_device. Errors:
/// `invalid_argument`; `unsupported` says why the device cannot be used.
WEIR_C_API weir_result weir_enable_features(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                            uint32_t api_version, VkPhysicalDevice physical_device,
                                            VkPhysicalDeviceFeatures2* chain, weir_error* error);
/// The device extensions that Weir can use and the device has. None is needed. `names` null: sets `count` to their
/// number. Otherwise writes at most `count` pointers, which stay valid, and sets `count` to how many were written.
WEIR_C_API weir_result weir_recommended_extensions(PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                                   VkInstance instance, uint32_t api_version,
                                                   VkPhysicalDevice physical_device, const char** names,
                                                   uint32_t* count, weir_error* error);

/// Ends the handle; null does nothing. The device goes when nothing is left that was made from it.
WEIR_C_API void weir_context_destroy(weir_context* context);

/// What a context computes on.
typedef struct weir_device_properties {
    size_t size;                                      ///< of this struct
    VkInstance instance;                              ///< the instance
    VkPhysicalDevice physical_device;                 ///< the physical device
    VkDevice device;                                  ///< the device
    VkQueue queue;                                    ///< the main queue; null if the device was adopted without one
    uint32_t queue_family;                            ///< its family
    uint32_t subgroup_size;                           ///< invocations
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; ///< through which Weir gets all functions
    char name[256];                                   ///< as the driver reports it
    char driver[256];                                 ///< name, information and version of the driver
    VkBool32 int64;                                   ///< 64-bit integers in shaders
    VkBool32 float64;                                 ///< 64-bit floats in shaders: doubles in scans and reductions
    uint32_t storage_offset_alignment;                ///< bytes; offsets of bound buffers are multiples of it
    uint64_t max_storage_range;                       ///< bytes that one binding can access
} weir_device_properties;

/// Fills the struct, of which the caller has set `size`. Errors: `invalid_argument`.
WEIR_C_API weir_result weir_context_properties(const weir_context* context, weir_device_properties* properties,
                                               weir_error* error);
/// Bytes of device memory that the buffers and programs of the context hold; 0 for null.
WEIR_C_API uint64_t weir_context_memory(const weir_context* context);

/// Writes the pipelines that the context has made to a file for weir_context_options::pipeline_file, which is of use to
/// the same device and driver. What an older file has for others stays in it. Errors: `io`, `out_of_memory`.
WEIR_C_API weir_result weir_context_write_pipelines(const weir_context* context, const char* file, weir_error* error);

/// Which memory a buffer is in.
typedef enum weir_memory_kind {
    WEIR_MEMORY_DEVICE = 0,                ///< fast for the GPU, not mapped
    WEIR_MEMORY_UPLOAD = 1,                ///< mapped; the host writes, the GPU reads
    WEIR_MEMORY_DOWNLOAD = 2,              ///< mapped and cached; the GPU writes, the host reads
    WEIR_MEMORY_KIND_MAX_ENUM = 0x7FFFFFFF ///< no memory
} weir_memory_kind;

/// A range of a VkBuffer. It owns nothing.
typedef struct weir_buffer_view {
    VkBuffer buffer;     ///< the buffer
    VkDeviceSize offset; ///< bytes from its start
    VkDeviceSize size;   ///< bytes
} weir_buffer_view;

/// A buffer of `bytes` bytes, at least 1, with undefined contents, which can be bound, read as indirect arguments, and
/// copied from and to. Errors: `out_of_memory`, `limit_exceeded`.
WEIR_C_API weir_result weir_buffer_create(weir_context* context, uint64_t bytes, weir_memory_kind kind,
                                          weir_buffer** buffer, weir_error* error);
/// Frees the buffer, which must not be in use; null does nothing.
WEIR_C_API void weir_buffer_destroy(weir_buffer* buffer);
/// The bytes of an upload or download buffer, coherent with the device; null for device memory, and for null.
WEIR_C_API void* weir_buffer_mapped(const weir_buffer* buffer);
/// The whole buffer; for null, nothing.
WEIR_C_API weir_buffer_view weir_buffer_range(const weir_buffer* buffer);

/// Copies host bytes to the start of a range, and waits. Errors: `invalid_argument` if the range is smaller.
WEIR_C_API weir_result weir_upload(weir_context* context, weir_buffer_view destination, const void* data, size_t bytes,
                                   weir_error* error);
/// Copies bytes from the start of a range to the host, and waits. Errors: `invalid_argument` if the range is smaller.
WEIR_C_API weir_result weir_download(weir_context* context, void* data, size_t bytes, weir_buffer_view source,
                                     weir_error* error);

#ifdef __cplusplus
}
#endif

#endif
