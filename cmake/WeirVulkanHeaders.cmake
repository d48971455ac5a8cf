# Finds Vulkan::Headers, version 1.3 or later. FindVulkan would also require the loader's library, which Weir opens at run
# time instead. Used by Weir's build and by find_package(weir).
if(NOT TARGET Vulkan::Headers)
  find_path(WEIR_VULKAN_INCLUDE_DIR vulkan/vulkan_core.h HINTS "${Vulkan_INCLUDE_DIR}" "$ENV{VULKAN_SDK}/include")
  mark_as_advanced(WEIR_VULKAN_INCLUDE_DIR)
  if(EXISTS "${WEIR_VULKAN_INCLUDE_DIR}/vulkan/vulkan_core.h")
    file(STRINGS "${WEIR_VULKAN_INCLUDE_DIR}/vulkan/vulkan_core.h" weir_vulkan_1_3 REGEX "define VK_API_VERSION_1_3 ")
    if(weir_vulkan_1_3)
      add_library(Vulkan::Headers INTERFACE IMPORTED)
      set_target_properties(Vulkan::Headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${WEIR_VULKAN_INCLUDE_DIR}")
    endif()
  endif()
endif()
