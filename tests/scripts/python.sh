#!/usr/bin/env bash
# Tests the Python package: builds the wheel, installs it in a new virtual environment with numpy and cffi of the distribution, and runs
# the tests and examples there, under the validation layer.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
rm -rf "$root/build/test-results/python"
work_in_results_folder python
[[ -e $root/build/lib/libweir_c.so ]] || { skip_without_package python "build/lib has no libweir_c.so (WEIR_BUILD_C)"; exit 0; }
for module in cffi numpy pip setuptools venv wheel; do
    /usr/bin/python3 -c "import $module" 2>/dev/null || { skip_without_package python "python3-$module is not installed" ""; exit 0; }
done

if [[ ! -f $(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h ]]; then
    skip_without_package python "python3-dev is not installed" ""
    exit 0
fi

check python_wheel "$root/python/wheel.sh" "$out/wheel" || exit 0
install_wheel() {
    /usr/bin/python3 -m venv --without-pip --system-site-packages "$out/env" &&
        /usr/bin/python3 -m pip --python "$out/env/bin/python" --disable-pip-version-check install --no-index "$out"/wheel/weir-*.whl
}
check python_install install_wheel || exit 0
python="$out/env/bin/python"
export PYTHONDONTWRITEBYTECODE=1

# The wheel has libweir_c, which needs no other library, and is marked as typed.
installed=$("$python" -c 'import weir; print(weir.__path__[0])')
[[ $installed == "$out/env/"* && -f $installed/py.typed ]]
result python_has_types $? "$installed"
check python_needs_only_the_system needs_only_the_system "$installed/libweir_c.so.1"
[[ $("$python" -c 'import weir; print(weir.__version__)') == "$(version_of_weir)" ]]
result python_version $?

runs() { # NAME ARGUMENTS...: runs Python in the folder of the tests. Any message of the validation layer fails.
    local status=0
    (cd "$root/tests/python" && exec env "${validated[@]}" "$python" "${@:2}") >"$1.log" 2>&1 || status=$?
    silent "$1.log" >/dev/null || status=1
    result "python_$1" $status "$(tail -n 30 "$1.log")"
}
runs functions -m unittest functions_test
runs graph -m unittest graph_test
for example in sort_numpy adopt_device; do
    runs $example "$root/examples/python/$example.py"
done
