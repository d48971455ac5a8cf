#!/usr/bin/env bash
# Tests the bill of materials (packaging/sbom.py): it must have all fields that SPDX 2.3 requires and all dependencies of
# cmake/WeirDependencies.cmake, and be the same if written again. An unknown dependency must be an error.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_temporary_folder
needs sbom "" python3
[[ -f $root/build/CMakeCache.txt ]] || { skip_without_package sbom "the build folder is missing"; exit 0; }

sbom() { "$root/packaging/sbom.py" --build "$root/build" "$@"; }

# Fields and references, as the specification requires them.
has_fields() {
    python3 - "$work/first.json" <<'END_OF_PYTHON'
import hashlib, json, re, sys

document = json.load(open(sys.argv[1]))
for name in ('spdxVersion', 'dataLicense', 'SPDXID', 'name', 'documentNamespace', 'creationInfo'):
    assert document[name], name
assert (document['spdxVersion'], document['dataLicense']) == ('SPDX-2.3', 'CC0-1.0')
assert re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', document['creationInfo']['created'])
assert document['creationInfo']['created'] == '2001-09-09T01:46:40Z', 'the date is not SOURCE_DATE_EPOCH'
assert '#' not in document['documentNamespace']
elements = document['packages'] + document['files']
ids = [element['SPDXID'] for element in elements] + ['SPDXRef-DOCUMENT']
assert len(ids) == len(set(ids)), 'two elements have one identifier'
assert all(re.fullmatch(r'SPDXRef-[A-Za-z0-9.-]+', name) for name in ids)
for package in document['packages']:
    assert package['name'] and package['downloadLocation'] and package['versionInfo'], package
for row in document['relationships']:
    assert row['spdxElementId'] in ids and row['relatedSpdxElement'] in ids, row
linked = {end for row in document['relationships'] for end in (row['spdxElementId'], row['relatedSpdxElement'])}
assert linked == set(ids), f'without a relationship: {set(ids) - linked}'
sums = sorted(file['checksums'][0]['checksumValue'] for file in document['files'])
weir = document['packages'][0]
assert weir['name'] == 'weir' and len(sums) > 500
assert weir['packageVerificationCode']['packageVerificationCodeValue'] == hashlib.sha1(''.join(sums).encode()).hexdigest()
END_OF_PYTHON
}

names_in_cmake() {
    sed -nE 's/#.*//; /macro\(/,/endmacro/d; s/.*find_package\((\w+).*/\1/p; s/.*weir_need_target\([^ ]+ ([^ ]+).*/\1/p
        s/.*find_(path|program)\((\w+).*/\2/p' "$root/cmake/WeirDependencies.cmake"
}
has_dependencies() {
    local found name count=0
    found=$(sed -n 's/.*"comment": "CMake looks for \([^;"]*\).*/\1/p' "$work/first.json" | tr -d ' ' | tr ',' '\n')
    while read -r name; do
        count=$((count + 1))
        grep -qxF "$name" <<<"$found" || needless "$name" || { echo "$name is not in it"; return 1; }
    done < <(names_in_cmake)
    ((count >= 15)) || { echo "only $count dependencies are found in WeirDependencies.cmake"; return 1; }
}
# Succeeds for dependencies that this build folder does not use.
needless() {
    case $1 in
    GTest) is_off TESTS ;;
    rapidcheck) is_off TESTS || grep -q '^WEIR_TEST_PROPERTIES:BOOL=OFF' "$root/build/CMakeCache.txt" ;;
    PNG | JPEG | ZLIB | pugixml) is_off SAMPLES || is_off PICTURES ;;
    WEIR_CSV_DIR) is_off SAMPLES ;;
    CLI11) is_off SAMPLES && is_off TESTS ;;
    *) return 1 ;;
    esac
}
is_off() { ! grep -q "^WEIR_BUILD_$1:BOOL=ON" "$root/build/CMakeCache.txt"; }

is_version() { grep "\"name\": \"weir-$(version_of_weir)\"" "$work/first.json"; }

# A tree with one more dependency, without git, as in an archive of a release.
refuses_unknown() {
    mkdir -p "$work/tree/cmake" && cp "$root/CMakeLists.txt" "$root/CHANGELOG.md" "$work/tree" &&
        cp "$root/cmake/WeirDependencies.cmake" "$work/tree/cmake" && sbom --source "$work/tree" --output "$work/tree.json" || return
    echo 'weir_need_target(new::new newest libnew-dev)' >>"$work/tree/cmake/WeirDependencies.cmake"
    local said
    said=$(sbom --source "$work/tree" --output - 2>&1 >/dev/null) && return 1
    [[ $said == *newest* ]]
}

export SOURCE_DATE_EPOCH=1000000000
check sbom sbom --output "$work/first.json"
check fields has_fields
check dependencies has_dependencies
check version is_version
again() { (cd / && LC_ALL=C TZ=Pacific/Auckland sbom --output "$work/second.json") && cmp "$work/first.json" "$work/second.json"; }
check again again
check unknown refuses_unknown
