#include "trial.h"

#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

/// A host that creates its device, its buffer and its command buffer with plain Vulkan calls.
typedef struct host {
    PFN_vkGetInstanceProcAddr get;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkPhysicalDeviceVulkan12Features vulkan12;
    VkPhysicalDeviceVulkan13Features vulkan13;
    VkPhysicalDeviceFeatures2 features;
    const char* extensions[32];
    uint32_t extension_count;
    uint32_t locks, unlocks;
} host;

#define CALL(h, name) ((PFN_##name)(h)->get((h)->instance, #name))
#define SUCCEEDS(call) REQUIRE((call) == VK_SUCCESS)

enum { count = 1000, offset = 256 };

static VkBool32 on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                           const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
    (void)severity;
    (void)types;
    ((const trial*)user)->on_validation(data->pMessage, NULL);
    return VK_FALSE;
}

static void lock(void* user) {
    ++((host*)user)->locks;
}
static void unlock(void* user) {
    ++((host*)user)->unlocks;
}

static void make_instance(trial* t, host* h) {
    static const char* const layers[] = {"VK_LAYER_KHRONOS_validation"};
    static const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = t->loads_layers ? 1 : 0,
                                       .ppEnabledLayerNames = layers,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = extensions};
    const VkDebugUtilsMessengerCreateInfoEXT messages = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = t};
#if defined(_WIN32)
    HMODULE loader = LoadLibraryA("vulkan-1.dll");
    REQUIRE(loader != NULL);
    h->get = (PFN_vkGetInstanceProcAddr)(void (*)(void))GetProcAddress(loader, "vkGetInstanceProcAddr");
#else
    void* loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    REQUIRE(loader != NULL);
    *(void**)&h->get = dlsym(loader, "vkGetInstanceProcAddr");
#endif
    REQUIRE(h->get != NULL);
    SUCCEEDS(CALL(h, vkCreateInstance)(&info, NULL, &h->instance));
    SUCCEEDS(CALL(h, vkCreateDebugUtilsMessengerEXT)(h->instance, &messages, NULL, &h->messenger));
}

/// Finds the physical device on which the other tests run.
static void choose_device(trial* t, host* h) {
    weir_device_properties wanted = {.size = sizeof wanted};
    VkPhysicalDevice devices[16];
    VkQueueFamilyProperties families[16];
    uint32_t devices_found = 16, families_found = 16, i;
    DONE(weir_context_properties(t->context, &wanted, &t->error));
    REQUIRE(CALL(h, vkEnumeratePhysicalDevices)(h->instance, &devices_found, devices) >= 0);
    for (i = 0; i < devices_found && h->physical_device == NULL; ++i) {
        VkPhysicalDeviceProperties properties;
        CALL(h, vkGetPhysicalDeviceProperties)(devices[i], &properties);
        if (strcmp(properties.deviceName, wanted.name) == 0) {
            h->physical_device = devices[i];
        }
    }
    REQUIRE(h->physical_device != NULL);
    CALL(h, vkGetPhysicalDeviceQueueFamilyProperties)(h->physical_device, &families_found, families);
    while (h->family < families_found && (families[h->family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) {
        ++h->family;
    }
    REQUIRE(h->family < families_found);
}

static void make_device(trial* t, host* h) {
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = h->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    h->vulkan13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    h->vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    h->vulkan12.pNext = &h->vulkan13;
    h->features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    DONE(weir_recommended_extensions(h->get, h->instance, 0, h->physical_device, NULL, &h->extension_count, &t->error));
    REQUIRE(h->extension_count <= 32);
    DONE(weir_recommended_extensions(h->get, h->instance, 0, h->physical_device, h->extensions, &h->extension_count,
                                     &t->error));
    // For an instance of an older version, the message names the version that is needed.
    REQUIRE(weir_enable_features(h->get, h->instance, VK_API_VERSION_1_1, h->physical_device, &h->features,
                                 &t->error) == WEIR_ERROR_UNSUPPORTED);
    REQUIRE(strstr(t->error.message, "1.2") != NULL);
    REQUIRE(h->vulkan13.synchronization2 == VK_FALSE);
    h->features.pNext = &h->vulkan12;
    DONE(weir_enable_features(h->get, h->instance, 0, h->physical_device, &h->features, &t->error));
    REQUIRE(h->vulkan13.synchronization2 == VK_TRUE);
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &h->features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = h->extension_count,
                                     .ppEnabledExtensionNames = h->extensions};
    SUCCEEDS(CALL(h, vkCreateDevice)(h->physical_device, &info, NULL, &h->device));
    CALL(h, vkGetDeviceQueue)(h->device, h->family, 0, &h->queue);
}

/// Creates a buffer of the host in mapped memory.
static void make_buffer(trial* t, host* h, VkDeviceSize bytes, VkBuffer* buffer, VkDeviceMemory* memory, void** data) {
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    VkPhysicalDeviceMemoryProperties types;
    uint32_t type = 0;
    SUCCEEDS(CALL(h, vkCreateBuffer)(h->device, &info, NULL, buffer));
    CALL(h, vkGetBufferMemoryRequirements)(h->device, *buffer, &needs);
    CALL(h, vkGetPhysicalDeviceMemoryProperties)(h->physical_device, &types);
    while (type < types.memoryTypeCount &&
           ((needs.memoryTypeBits >> type & 1) == 0 || (types.memoryTypes[type].propertyFlags & wanted) != wanted)) {
        ++type;
    }
    const VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    SUCCEEDS(CALL(h, vkAllocateMemory)(h->device, &allocation, NULL, memory));
    SUCCEEDS(CALL(h, vkBindBufferMemory)(h->device, *buffer, *memory, 0));
    SUCCEEDS(CALL(h, vkMapMemory)(h->device, *memory, 0, VK_WHOLE_SIZE, 0, data));
}

/// Work that is recorded: a program, or a call with its arguments.
typedef struct work {
    weir_program* program;
    weir_call* call;
    uint32_t elements;
    const weir_buffer_view* count; ///< null: `elements`
    weir_buffer_view buffers[2];
} work;

static weir_result record_work(trial* t, const work* w, VkCommandBuffer commands) {
    if (w->program != NULL) {
        return weir_program_record(w->program, commands, &t->error);
    }
    if (w->count != NULL) {
        return weir_call_record_counted(w->call, commands, *w->count, w->buffers, 2, &t->error);
    }
    return weir_call_record(w->call, commands, w->elements, w->buffers, 2, &t->error);
}

/// Records the work into a command buffer of the host, and submits it or discards the recording.
static void record(trial* t, host* h, const work* w, int submits) {
    VkCommandPool pool;
    VkCommandBuffer commands;
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = h->family};
    SUCCEEDS(CALL(h, vkCreateCommandPool)(h->device, &pool_info, NULL, &pool));
    const VkCommandBufferAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    SUCCEEDS(CALL(h, vkAllocateCommandBuffers)(h->device, &allocation, &commands));
    SUCCEEDS(CALL(h, vkBeginCommandBuffer)(commands, &begin));
    DONE(record_work(t, w, commands));
    SUCCEEDS(CALL(h, vkEndCommandBuffer)(commands));
    const VkSubmitInfo submission = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    if (submits) {
        SUCCEEDS(CALL(h, vkQueueSubmit)(h->queue, 1, &submission, VK_NULL_HANDLE));
    } else {
        DONE(weir_program_discard(w->program, &t->error));
    }
    SUCCEEDS(CALL(h, vkQueueWaitIdle)(h->queue));
    CALL(h, vkDestroyCommandPool)(h->device, pool, NULL);
}

/// Computes running sums of a buffer of the host, in its command buffer.
static void compute(trial* t, host* h, weir_context* context) {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    void* data = NULL;
    uint32_t *numbers, sums[count], i;
    weir_graph* graph;
    weir_program* program;
    weir_buffer_view range;
    make_buffer(t, h, offset + count * 4, &buffer, &memory, &data);
    REQUIRE(data != NULL);
    numbers = (uint32_t*)((char*)data + offset);
    for (i = 0; i < count; ++i) {
        numbers[i] = i;
    }
    DONE(weir_graph_create(context, &graph, &t->error));
    const weir_buffer_ref input = weir_import(graph, "numbers", WEIR_U32, count, WEIR_ACCESS_HOST_WRITE);
    const weir_buffer_ref scanned = weir_scan(graph, input, NULL);
    weir_export(graph, scanned, WEIR_ACCESS_TRANSFER_READ);
    DONE(weir_compile(context, graph, NULL, &program, &t->error));
    weir_graph_destroy(graph);
    REQUIRE(weir_program_record(program, (VkCommandBuffer)NULL, &t->error) == WEIR_ERROR_INVALID_ARGUMENT);
    range = (weir_buffer_view){buffer, offset, count * 4 - 4};
    REQUIRE(weir_program_bind(program, input, range, &t->error) == WEIR_ERROR_INVALID_ARGUMENT);
    range.size += 4;
    DONE(weir_program_bind(program, input, range, &t->error));
    // One frame is discarded, the next one is submitted.
    for (i = 0; i < 2; ++i) {
        record(t, h, &(work){.program = program}, i == 1);
    }
    DONE(weir_program_view(program, scanned, &range, &t->error));
    DONE(weir_download(context, sums, sizeof sums, range, &t->error));
    for (i = 0; i < count; ++i) {
        REQUIRE(sums[i] == i * (i + 1) / 2);
    }
    weir_program_destroy(program);
    CALL(h, vkDestroyBuffer)(h->device, buffer, NULL);
    CALL(h, vkFreeMemory)(h->device, memory, NULL);
}

static void sort_pairs(weir_call_builder* builder, void* data) {
    const weir_buffer_ref keys = weir_call_per_element(builder, "keys", WEIR_U32);
    const weir_buffer_ref values = weir_call_per_element(builder, "values", WEIR_U32);
    const weir_sort_options in_place = {
        .size = sizeof in_place, .values = values, .output_keys = keys, .output_values = values};
    weir_radix_sort(weir_call_graph(builder), keys, &in_place);
    *(int*)data += weir_call_count(builder).max == count && weir_call_count(NULL).max == 0;
}

static void build_nonsense(weir_call_builder* builder, void* data) {
    const weir_sort_options beyond = {.size = sizeof beyond, .first_bit = 40, .end_bit = 41};
    (void)data;
    weir_radix_sort(weir_call_graph(builder), weir_call_fixed(builder, "keys", WEIR_U32, 1), &beyond);
}

/// Sorts descending keys with ascending values, with the number of elements of the host and with one on the GPU.
static void call(trial* t, host* h, weir_context* context, VkBool32 on_gpu) {
    const weir_call_options options = {.size = sizeof options, .max_count = count, .count_on_gpu = on_gpu};
    const uint32_t used = count - 1;
    const VkDeviceSize values_at = 2 * offset + 4 * count - 4 * count % offset, count_at = 2 * values_at;
    const weir_buffer_view counted = {NULL, 0, 0};
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    void* data = NULL;
    weir_call* sort = NULL;
    uint32_t *keys, *values, i;
    int builds = 0;
    make_buffer(t, h, count_at + offset, &buffer, &memory, &data);
    REQUIRE(data != NULL);
    keys = data;
    values = (uint32_t*)((char*)data + values_at);
    for (i = 0; i < count; ++i) {
        keys[i] = count - i;
        values[i] = i;
    }
    *(uint32_t*)((char*)data + count_at) = used;
    REQUIRE(weir_call_create(context, NULL, sort_pairs, &builds, &sort, &t->error) == WEIR_ERROR_INVALID_ARGUMENT);
    REQUIRE(weir_call_create(context, &options, NULL, NULL, &sort, &t->error) == WEIR_ERROR_INVALID_ARGUMENT);
    REQUIRE(weir_call_create(context, &options, build_nonsense, NULL, &sort, &t->error) == WEIR_ERROR_INVALID_ARGUMENT);
    REQUIRE(builds == 0 && sort == NULL);
    DONE(weir_call_create(context, &options, sort_pairs, &builds, &sort, &t->error));
    REQUIRE(builds == 1);
    work w = {.call = sort, .elements = used, .buffers = {{buffer, 0, 4 * count}, {buffer, values_at, 4 * count}}};
    const weir_buffer_view word = {buffer, count_at, 4};
    w.count = on_gpu ? NULL : &word; // not the kind of count that the call has
    REQUIRE(record_work(t, &w, VK_NULL_HANDLE) == WEIR_ERROR_INVALID_ARGUMENT);
    w.count = on_gpu ? &counted : NULL;
    w.elements = count + 1;
    REQUIRE(record_work(t, &w, VK_NULL_HANDLE) == WEIR_ERROR_INVALID_ARGUMENT);
    REQUIRE(weir_call_record(sort, VK_NULL_HANDLE, 1, NULL, 2, &t->error) == WEIR_ERROR_INVALID_ARGUMENT);
    w.count = on_gpu ? &word : NULL;
    w.elements = used;
    record(t, h, &w, 1);
    for (i = 0; i < used; ++i) {
        REQUIRE(keys[i] == i + 2 && values[i] == used - 1 - i);
    }
    // The last element is not sorted. With a count on the GPU, it is undefined after a sort in place.
    REQUIRE(on_gpu || (keys[used] == 1 && values[used] == used));
    weir_call_destroy(sort);
    CALL(h, vkDestroyBuffer)(h->device, buffer, NULL);
    CALL(h, vkFreeMemory)(h->device, memory, NULL);
}

void adopts_a_device(trial* t) {
    host h;
    weir_context* context = NULL;
    memset(&h, 0, sizeof h);
    make_instance(t, &h);
    if (t->failure[0] == '\0') {
        choose_device(t, &h);
    }
    if (t->failure[0] == '\0') {
        make_device(t, &h);
    }
    if (t->failure[0] != '\0') {
        return;
    }
    const weir_adopted_device device = {.size = sizeof device,
                                        .get_instance_proc_addr = h.get,
                                        .instance = h.instance,
                                        .physical_device = h.physical_device,
                                        .device = h.device,
                                        .queue = h.queue,
                                        .queue_family = h.family,
                                        .lock_queue = lock,
                                        .unlock_queue = unlock,
                                        .enabled_features = &h.features,
                                        .enabled_extensions = h.extensions,
                                        .enabled_extension_count = h.extension_count,
                                        .user = &h};
    DONE(weir_context_adopt(&device, &context, &t->error));
    compute(t, &h, context);
    call(t, &h, context, VK_FALSE);
    call(t, &h, context, VK_TRUE);
    weir_call_destroy(NULL);
    REQUIRE(h.locks > 0 && h.locks == h.unlocks);
    weir_context_destroy(context);
    CALL(&h, vkDestroyDevice)(h.device, NULL);
    CALL(&h, vkDestroyDebugUtilsMessengerEXT)(h.instance, h.messenger, NULL);
    CALL(&h, vkDestroyInstance)(h.instance, NULL);
}
