# Translates a layer of shaders/include/weir from GLSL to HLSL:
#
#     cmake -DINPUT=weir_exchange.glsl -DOUTPUT=weir_exchange.hlsl -P translate_hlsl.cmake
#     cmake -DINPUT=weir_subgroup.glsl -DBEGIN=subgroup_begin.hlsl -DOUTPUT=weir_subgroup.hlsl -P translate_hlsl.cmake
#
# BEGIN replaces the text before the shuffles, which declares what differs between the languages. Fails if a word of
# GLSL remains.
cmake_minimum_required(VERSION 3.25)
file(READ "${INPUT}" text)

# replace(REGEX TEXT): fails if the expression is not found, because the source has changed then.
function(replace expression replacement)
  string(REGEX REPLACE "${expression}" "${replacement}" replaced "${text}")
  if(replaced STREQUAL text)
    message(FATAL_ERROR "${INPUT} has no match for: ${expression}")
  endif()
  set(text "${replaced}" PARENT_SCOPE)
endfunction()

cmake_path(GET INPUT STEM name)
if(name STREQUAL weir_subgroup)
  file(READ "${BEGIN}" begin)
  replace("^.*// Returns the value of another lane" "// Returns the value of another lane")
  string(PREPEND text "${begin}")
  replace("  *weir_await_lanes\\(\\);  *\\\\\n" "")
elseif(name STREQUAL weir_workgroup_scan)
  # glslang compiles WavePrefixSum to an inclusive scan. Shuffles give the same sums of integers.
  replace("// Sums by the driver's subgroup operations, which are exact on integers.\n" "")
  replace("uint weir_sum_reduce.*return inclusive - value;\n}\n" "WEIR_SUBGROUP_SCAN(weir_sum, uint, weir_add, 0)\n")
endif()
foreach(pair IN ITEMS
    "#extension[^\n]*\n|" "_GLSL|_HLSL" "\\.glsl|.hlsl"
    "uvec([234])|uint\\1" "ivec([234])|int\\1" "bvec([234])|bool\\1" "([^A-Za-z_])vec([234])|\\1float\\2"
    "([\n ])shared |\\1groupshared " "( )barrier\\(\\)|\\1GroupMemoryBarrierWithGroupSync()"
    "subgroupElect\\(\\)|WaveIsFirstLane()" "subgroupShuffle|WaveReadLaneAt" "gl_SubgroupID|weir_subgroup_id"
    "(max\\(weir_[a-z]+\\(\\), )1\\)|\\11u)" "\\[\\[unroll\\]\\]|[unroll]"
    "atomicAdd\\(([^,]+), 1, gl_ScopeWorkgroup,[ \\\\\n]+gl_StorageSemanticsNone, gl_SemanticsRelaxed\\)|InterlockedAdd(\\1, 1u)")
  string(REGEX MATCH "^(.*)[|]([^|]*)$" matched "${pair}")
  string(REGEX REPLACE "${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" text "${text}")
endforeach()
if(text MATCHES "(gl_[A-Za-z]+|subgroup[A-Z][A-Za-z]*|atomic[A-Z][A-Za-z]*|layout *\\(|[ui]?vec[234]|[^a-z]barrier\\()")
  message(FATAL_ERROR "${INPUT}: ${CMAKE_MATCH_1} has no translation to HLSL")
endif()
cmake_path(GET INPUT FILENAME file)
file(WRITE "${OUTPUT}" "// Generated from ${file}.\n${text}")
