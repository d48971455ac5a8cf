extends "res://weir_scene.gd"
# Particles that Weir simulates, culls and sorts, drawn by Godot as a MultiMesh.

@export var quad: Mesh
@onready var camera: Camera3D = $Camera
var multimesh := RenderingServer.multimesh_create()
var instance: RID

func _ready() -> void:
	compares = true
	start(1000000)
	# Instances with colors, and an indirect draw, whose number of instances is in a buffer.
	RenderingServer.multimesh_allocate_data(multimesh, count, RenderingServer.MULTIMESH_TRANSFORM_3D, true, false, true)
	RenderingServer.multimesh_set_mesh(multimesh, quad.get_rid())
	instance = RenderingServer.instance_create2(multimesh, get_world_3d().scenario)
	RenderingServer.instance_set_custom_aabb(instance, AABB(Vector3(-8, -1, -8), Vector3(16, 10, 16)))
	var rd := RenderingServer.get_rendering_device()
	var buffer := func(rid: RID) -> int: return rd.get_driver_resource(RenderingDevice.DRIVER_RESOURCE_BUFFER, rid, 0)
	if not weir.particles(count, buffer.call(RenderingServer.multimesh_get_buffer_rd_rid(multimesh)),
			buffer.call(RenderingServer.multimesh_get_command_buffer_rd_rid(multimesh))):
		get_tree().quit(1)

func _exit_tree() -> void:
	weir.free() # waits for the GPU
	RenderingServer.free_rid(instance)
	var arguments := RenderingServer.multimesh_get_command_buffer_rd_rid(multimesh)
	RenderingServer.free_rid(multimesh)
	RenderingServer.get_rendering_device().free_rid(arguments) # Godot 4.6 forgets it

func _process(_delta: float) -> void:
	if frame >= 2: # Godot's buffers have their first contents
		var size := get_viewport().get_visible_rect().size
		var tan_y := tan(deg_to_rad(camera.fov) / 2)
		end_frame(weir.step(camera.global_transform, tan_y * size.x / size.y, tan_y))
	else:
		end_frame(true)
