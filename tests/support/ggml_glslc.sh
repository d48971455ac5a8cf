#!/bin/sh
# glslc for tests/scripts/ggml.sh. ggml's Vulkan back end has about 1500 variants of shaders, whose compilation takes an hour on two cores.
# Compiles those of copies and of the three operations, and reports that glslc has no newer extensions. All other shaders are empty, and
# no test uses them.
for argument in "$@"; do
    case $argument in
        */feature-tests/*)
            extension=$(sed -n 's/^#extension \([A-Za-z0-9_]*\).*/\1/p' "$argument" | tail -n 1)
            echo "error: extension not supported: $extension" >&2
            exit 1
            ;;
        *argsort*.comp | *topk*.comp | *cumsum*.comp | *copy*.comp) exec glslc "$@" ;;
    esac
done
while [ $# -gt 0 ]; do
    case $1 in
        -o) output=$2 ;;
        -MF) : >"$2" ;;
    esac
    shift
done
empty=$(dirname "$output")/empty
if [ ! -f "$empty" ]; then
    echo 'void main() {}' | sed '1i #version 450' | glslc -fshader-stage=compute -o "$empty.$$" - && mv "$empty.$$" "$empty" || exit
fi
exec cp "$empty" "$output"
