// Use weir_look_back.glsl, or the primitive fused_scan.
#error The look back is not available in HLSL because HLSL has no atomic loads and stores with a scope
