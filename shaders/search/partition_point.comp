#version 460
#extension GL_GOOGLE_include_directive : require

#define VALUES uint threshold_low; uint threshold_high;
#include "partition_point.glsl"
