extends "res://weir_scene.gd"
# A cloud of Gaussian splats among meshes. Weir draws colors and depths into two textures, and a quad over the whole view
# writes both: the depth test of Godot lets meshes and splats hide each other.

@onready var camera: Camera3D = $Camera
var rd := RenderingServer.get_rendering_device()
var size := Vector2i(640, 360)
var textures: Array[Texture2DRD] = []

func texture_of(format: RenderingDevice.DataFormat) -> RID:
	var described := RDTextureFormat.new()
	described.width = size.x
	described.height = size.y
	described.format = format
	described.usage_bits = RenderingDevice.TEXTURE_USAGE_STORAGE_BIT | RenderingDevice.TEXTURE_USAGE_SAMPLING_BIT | \
			RenderingDevice.TEXTURE_USAGE_CAN_UPDATE_BIT
	var nothing := PackedByteArray()
	nothing.resize(size.x * size.y * 4)
	return rd.texture_create(described, RDTextureView.new(), [nothing])

func _ready() -> void:
	start(200000)
	var color := texture_of(RenderingDevice.DATA_FORMAT_R8G8B8A8_UNORM)
	var depth := texture_of(RenderingDevice.DATA_FORMAT_R32_SFLOAT)
	var material: ShaderMaterial = $View.material_override
	for entry in [["colors", color], ["depths", depth]]:
		var texture := Texture2DRD.new()
		texture.texture_rd_rid = entry[1]
		material.set_shader_parameter(entry[0], texture)
		textures.append(texture)
	var handle := func(kind: RenderingDevice.DriverResource, rid: RID) -> int: return rd.get_driver_resource(kind, rid, 0)
	if not weir.splats(count, handle.call(RenderingDevice.DRIVER_RESOURCE_TEXTURE, color),
			handle.call(RenderingDevice.DRIVER_RESOURCE_TEXTURE_VIEW, color),
			handle.call(RenderingDevice.DRIVER_RESOURCE_TEXTURE, depth),
			handle.call(RenderingDevice.DRIVER_RESOURCE_TEXTURE_VIEW, depth)):
		get_tree().quit(1)

func _exit_tree() -> void:
	weir.free() # waits for the GPU
	for texture in textures:
		var rid := texture.texture_rd_rid
		texture.texture_rd_rid = RID()
		rd.free_rid(rid)

func _process(_delta: float) -> void:
	if frame >= 2: # Godot's textures are in the layout in which it samples them
		end_frame(weir.draw_splats(camera.global_transform, camera.fov, size.x, size.y))
	else:
		end_frame(true)
