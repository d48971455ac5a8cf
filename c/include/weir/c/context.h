#ifndef WEIR_C_CONTEXT_H
#define WEIR_C_CONTEXT_H

/// @file
/// Devices, buffers, uploads and downloads, in C.

#include <weir/c/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A device to compute on. All functions are thread-safe. Every object made from a context keeps alive what it needs.
typedef struct weir_context weir_context;

/// A VkBuffer with its memory.
typedef struct weir_buffer weir_buffer;

/// Severity of a message.
typedef enum weir_log_level {
    WEIR_LOG_DEFAULT = 0,                ///< in options: warnings and errors
    WEIR_LOG_DEBUG = 1,                  ///< details, such as the driver's statistics of pipelines
    WEIR_LOG_WARNING = 2,                ///< something works, but not as intended
    WEIR_LOG_ERROR = 3,                  ///< something failed
    WEIR_LOG_LEVEL_MAX_ENUM = 0x7FFFFFFF ///< not a level
} weir_log_level;

/// Receives a message. May be called from several threads at once.
typedef void (*weir_log_function)(weir_log_level level, const char* message, void* user);
/// Receives a message of the validation layer. May be called from any thread.
typedef void (*weir_validation_function)(const char* message, void* user);
/// Called before or after a submission to a queue.
typedef void (*weir_queue_function)(void* user);

/// A device of this machine.
typedef struct weir_device_info {
    uint32_t index;     ///< value for weir_context_options::device
    char name[256];     ///< as the driver reports it
    char driver[256];   ///< name, information and version of the driver
    char unusable[512]; ///< reason why Weir cannot run on the device; empty if it can
} weir_device_info;

/// Lists the devices of this machine. If `infos` is null, sets `count` to the number of devices. Otherwise writes at
/// most `count` of them and sets `count` to the number written. Errors: `no_device` without a Vulkan loader or driver.
WEIR_C_API weir_result weir_list_devices(weir_device_info* infos, uint32_t* count, weir_error* error);

/// Options of weir_context_create.
typedef struct weir_context_options {
    size_t size;         ///< size of this struct
    const char* device;  ///< index, part of a name, or kind ("discrete", "cpu"); null: WEIR_DEVICE, or the best
    VkBool32 validation; ///< loads the Khronos validation layer with synchronization checks
    weir_validation_function on_validation; ///< receives messages of the layer; null: the log
    const char* cache_directory; ///< folder for pipelines and SPIR-V; null: the user's; "none": nothing is kept
    weir_log_function log;       ///< null: messages go to stderr
    weir_log_level log_level;    ///< minimum severity of messages
    uint32_t compiler_threads;   ///< threads that compile pipelines; 0: all hardware threads
    uint64_t memory_limit;       ///< maximum bytes of device memory; 0: no maximum
    const char* shader_file;     ///< file of weir_compile_ahead; null: none
    void* user;                  ///< argument of the callbacks
    const char* pipeline_file;   ///< file of weir_context_write_pipelines, read only; null: none
    VkBool32 no_glsl; ///< loads no shader compiler: compiling GLSL that is in no file fails with `unsupported`
    const VkAllocationCallbacks* allocation_callbacks; ///< host memory for Vulkan, copied; null: the driver's
} weir_context_options;

/// Creates a Vulkan instance and a device of Weir's own. `options` may be null. Errors: `invalid_argument`,
/// `no_device`, `unsupported`, `io`, `out_of_memory`.
WEIR_C_API weir_result weir_context_create(const weir_context_options* options, weir_context** context,
                                           weir_error* error);

/// A device of the application. The application keeps ownership of everything in it, which must outlive the context and
/// all objects made from it.
typedef struct weir_adopted_device {
    size_t size;                                      ///< size of this struct
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; ///< function through which Weir obtains all Vulkan functions
    VkInstance instance;                              ///< created for Vulkan 1.2 or newer
    VkPhysicalDevice physical_device;                 ///< the physical device of `device`
    VkDevice device;                                  ///< the device
    VkQueue queue;                  ///< queue with compute; null: recording only, no uploads, downloads and submissions
    uint32_t queue_family;          ///< family of `queue` and of command buffers for weir_program_record
    uint32_t api_version;           ///< VkApplicationInfo::apiVersion of `instance`; 0: VK_API_VERSION_1_3
    weir_queue_function lock_queue; ///< called before each submission; null if no other thread uses the queue
    weir_queue_function unlock_queue; ///< called after each submission; null if `lock_queue` is null
    /// Disables the test of the device. Otherwise weir_context_adopt may lock the queue, submit a test once and wait.
    VkBool32 no_probe;
    const VkPhysicalDeviceFeatures2* enabled_features; ///< feature chain with which the device was created
    const char* const* enabled_extensions;             ///< extensions with which the device was created
    uint32_t enabled_extension_count;                  ///< number of `enabled_extensions`
    VkPipelineCache pipeline_cache;                    ///< may be null
    const char* cache_directory;                       ///< folder for SPIR-V of compiled GLSL; null: nothing is kept
    weir_log_function log;                             ///< null: messages go to stderr
    weir_log_level log_level;                          ///< minimum severity of messages
    uint32_t compiler_threads;                         ///< threads that compile pipelines; 0: all hardware threads
    uint64_t memory_limit;                             ///< maximum bytes of device memory; 0: no maximum
    const char* shader_file;                           ///< file of weir_compile_ahead; null: none
    void* user;                                        ///< argument of the callbacks
    const char* pipeline_file; ///< as in weir_context_options; must be null if `pipeline_cache` is set
    VkBool32 no_glsl;          ///< as in weir_context_options
    const VkAllocationCallbacks* allocation_callbacks; ///< for the objects that Weir creates; null: the driver's
} weir_adopted_device;

/// Creates a context on the application's device. Errors: `invalid_argument`, `unsupported` (the message names what the
/// device lacks), `out_of_memory`, `io`.
WEIR_C_API weir_result weir_context_adopt(const weir_adopted_device* device, weir_context** context, weir_error* error);

/// Enables the features that Weir can use in the application's chain. Call it before the application creates its
/// device. It sets features that are members of a structure in the chain, such as VkPhysicalDeviceVulkan12Features and
/// VkPhysicalDeviceVulkan13Features. All other members stay unchanged; docs/your_device.md lists what each missing
/// feature costs. `api_version` is as in weir_adopted_device. Errors: `invalid_argument`; `unsupported` if the device
/// cannot be used (the message gives the reason).
WEIR_C_API weir_result weir_enable_features(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                                            uint32_t api_version, VkPhysicalDevice physical_device,
                                            VkPhysicalDeviceFeatures2* chain, weir_error* error);
/// Lists the device extensions that Weir can use and the device supports. All are optional. If `names` is null, sets
/// `count` to the number of extensions. Otherwise writes at most `count` pointers, which stay valid, and sets `count`
/// to the number written.
WEIR_C_API weir_result weir_recommended_extensions(PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                                   VkInstance instance, uint32_t api_version,
                                                   VkPhysicalDevice physical_device, const char** names,
                                                   uint32_t* count, weir_error* error);

/// Releases the handle. Null does nothing. A device created by Weir is destroyed together with the last object made
/// from the context.
WEIR_C_API void weir_context_destroy(weir_context* context);

/// Device and properties of a context.
typedef struct weir_device_properties {
    size_t size;                                      ///< size of this struct
    VkInstance instance;                              ///< instance
    VkPhysicalDevice physical_device;                 ///< physical device
    VkDevice device;                                  ///< device
    VkQueue queue;                                    ///< main queue; null if the device was adopted without one
    uint32_t queue_family;                            ///< family of the main queue
    uint32_t subgroup_size;                           ///< invocations; the driver's default
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; ///< function through which Weir obtains all Vulkan functions
    char name[256];                                   ///< as the driver reports it
    char driver[256];                                 ///< name, information and version of the driver
    VkBool32 int64;                                   ///< 64-bit integers in shaders
    VkBool32 float64;                                 ///< 64-bit floats in shaders: doubles in scans and reductions
    uint32_t storage_offset_alignment;                ///< bytes; alignment of the offsets of bound buffers
    uint64_t max_storage_range;                       ///< bytes that one binding can access
} weir_device_properties;

/// Fills `properties`. The caller must set `properties->size` before. Errors: `invalid_argument`.
WEIR_C_API weir_result weir_context_properties(const weir_context* context, weir_device_properties* properties,
                                               weir_error* error);
/// Returns the bytes of device memory that the buffers and programs of the context hold; 0 for null. Upload and
/// download buffers do not count.
WEIR_C_API uint64_t weir_context_memory(const weir_context* context);

/// A memory heap of the device. All sizes are in bytes.
typedef struct weir_memory_heap {
    uint64_t size;         ///< size of the heap
    uint64_t budget;       ///< memory that the process can use before allocations may fail or become slow
    uint64_t usage;        ///< memory in use by the process: by Weir, the application and the driver
    uint64_t weir;         ///< memory that Weir has allocated for buffers and images of the device of the context
    VkBool32 device_local; ///< VK_MEMORY_HEAP_DEVICE_LOCAL_BIT; also set for memory that host and device share
    VkBool32 is_measured;  ///< `budget` and `usage` are the driver's; otherwise they are estimates
} weir_memory_heap;

/// Lists the memory heaps of the device, by Vulkan's heap index. If `heaps` is null, sets `count` to the number of
/// heaps. Otherwise writes at most `count` of them and sets `count` to the number written.
WEIR_C_API weir_result weir_memory_budget(const weir_context* context, weir_memory_heap* heaps, uint32_t* count,
                                          weir_error* error);

/// Writes the pipelines that the context has created to a file for weir_context_options::pipeline_file. They are valid
/// for the same device and driver only. Data for other devices and drivers in an existing file is kept. Errors: `io`,
/// `out_of_memory`.
WEIR_C_API weir_result weir_context_write_pipelines(const weir_context* context, const char* file, weir_error* error);

/// Kind of memory that a buffer is in.
typedef enum weir_memory_kind {
    WEIR_MEMORY_DEVICE = 0,                ///< fast for the GPU, not mapped
    WEIR_MEMORY_UPLOAD = 1,                ///< mapped; the host writes, the GPU reads
    WEIR_MEMORY_DOWNLOAD = 2,              ///< mapped and cached; the GPU writes, the host reads
    WEIR_MEMORY_KIND_MAX_ENUM = 0x7FFFFFFF ///< not a kind
} weir_memory_kind;

/// A range of a VkBuffer. It owns nothing.
typedef struct weir_buffer_view {
    VkBuffer buffer;     ///< buffer
    VkDeviceSize offset; ///< bytes from the start of the buffer
    VkDeviceSize size;   ///< bytes
} weir_buffer_view;

/// Creates a buffer of `bytes` bytes with undefined contents. It can be bound, read as indirect arguments, and copied
/// from and to. Errors: `invalid_argument` for a size of 0, `out_of_memory`, `limit_exceeded`.
WEIR_C_API weir_result weir_buffer_create(weir_context* context, uint64_t bytes, weir_memory_kind kind,
                                          weir_buffer** buffer, weir_error* error);
/// Frees the buffer. The GPU must not be using it. Null does nothing.
WEIR_C_API void weir_buffer_destroy(weir_buffer* buffer);
/// Returns the mapped bytes of an upload or download buffer, coherent with the device. Null for device memory and for a
/// null buffer.
WEIR_C_API void* weir_buffer_mapped(const weir_buffer* buffer);
/// Returns a view of the whole buffer; zeros for null.
WEIR_C_API weir_buffer_view weir_buffer_range(const weir_buffer* buffer);

/// Copies host bytes to the start of `destination` and waits for the copy. Errors: `invalid_argument` if `destination`
/// is null or smaller than `bytes`, `out_of_memory`, `device_lost`.
WEIR_C_API weir_result weir_upload(weir_context* context, weir_buffer_view destination, const void* data, size_t bytes,
                                   weir_error* error);
/// Copies bytes from the start of `source` to the host and waits for the copy. Errors: `invalid_argument` if `source`
/// is null or smaller than `bytes`, `out_of_memory`, `device_lost`.
WEIR_C_API weir_result weir_download(weir_context* context, void* data, size_t bytes, weir_buffer_view source,
                                     weir_error* error);

#ifdef __cplusplus
}
#endif

#endif
