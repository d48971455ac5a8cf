extends Node3D
# A scene that Weir draws into. Options after "--": --frames N, --count N, --picture FILE.png

var weir := Weir.new()
var frames := 0
var count := 0
var picture := ""
var frame := 0
var started := 0
var compares := false # weir.check() compares with the CPU

func option(name: String, otherwise: String) -> String:
	var arguments := OS.get_cmdline_user_args()
	var at := arguments.find(name)
	return arguments[at + 1] if at >= 0 and at + 1 < arguments.size() else otherwise

func start(default_count: int) -> void:
	frames = int(option("--frames", "0"))
	count = int(option("--count", str(default_count)))
	picture = option("--picture", "")
	add_child(weir)
	var rd := RenderingServer.get_rendering_device()
	var handle := func(kind: RenderingDevice.DriverResource) -> int: return rd.get_driver_resource(kind, RID(), 0)
	if not weir.adopt(handle.call(RenderingDevice.DRIVER_RESOURCE_TOPMOST_OBJECT),
			handle.call(RenderingDevice.DRIVER_RESOURCE_PHYSICAL_DEVICE),
			handle.call(RenderingDevice.DRIVER_RESOURCE_LOGICAL_DEVICE),
			handle.call(RenderingDevice.DRIVER_RESOURCE_COMMAND_QUEUE),
			handle.call(RenderingDevice.DRIVER_RESOURCE_QUEUE_FAMILY)):
		get_tree().quit(1)

# Writes the picture and ends the program after the last frame, or after an error.
func end_frame(worked: bool) -> void:
	if not worked:
		set_process(false)
		get_tree().quit(1)
		return
	frame += 1
	if frame == 10:
		started = Time.get_ticks_usec()
	if frame != frames:
		return
	await RenderingServer.frame_post_draw
	if picture != "":
		get_viewport().get_texture().get_image().save_png(picture)
	var milliseconds := (Time.get_ticks_usec() - started) / 1000.0 / (frame - 9)
	var result := weir.check()
	print("frame %d: %d of %d visible%s, %.1f ms" % [frame, result, count,
			", as on the CPU" if compares and result >= 0 else "", milliseconds])
	get_tree().quit(0 if result > 0 else 1)
