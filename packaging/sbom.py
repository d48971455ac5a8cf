#!/usr/bin/env python3
"""Writes the bill of materials of a release as SPDX 2.3 in JSON: the contents of Weir and the dependencies of a build.

    packaging/sbom.py [--build FOLDER] [--output FILE] [--no-files]

The build folder must be the one in which the libraries of the release were built (default: build). Its CMake cache contains the
paths of the dependencies. Their versions come from Debian packages, else from headers and CMake's version files. A dependency of
cmake/WeirDependencies.cmake that is missing from the table below is an error.

The same sources, build folder and packages give the same bytes. The date is SOURCE_DATE_EPOCH, else that of the last commit,
else that of CHANGELOG.md.
"""
import argparse
import dataclasses
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid


@dataclasses.dataclass(frozen=True)
class Dependency:
    """A row of the table of dependencies."""

    name: str
    license: str
    home: str
    relations: tuple  # tuples of (SPDX relationship, our package, comment); see relation()
    cmake: tuple = ()  # names that CMake looks for
    found: tuple = ()  # tuples of (variable of the CMake cache, file relative to its value); the first existing file is used
    version: str = ''  # pattern that captures the version, for files that are in no Debian package
    when: str = ''  # variable of the CMake cache that is on if the dependency is used
    where: str = 'weir'  # our package that must exist


HEADER_ONLY = 'header only: compiled in'
USERS = 'its headers are included by those of Weir: programs compile against them'
SAMPLES = 'used by the samples, in weir-samples'
TEXT = 'used by weir::text, if available'
TESTS = 'not part of a release'

# Dependencies of the build. Licenses are those that the projects declare; NOASSERTION if a project has several.
DEPENDENCIES = [
    Dependency('glibc', 'LGPL-2.1-or-later', 'https://sourceware.org/glibc/', (
        ('RUNTIME_DEPENDENCY_OF', 'weir', 'threads and dlopen'),
    ), cmake=('Threads',), found=(('', '/usr/include/pthread.h'),)),
    Dependency('C++ compiler', 'NOASSERTION', '', (
        ('BUILD_TOOL_OF', 'weir', 'its C++ library is needed at run time'),
    ), found=(('CMAKE_CXX_COMPILER', ''),)),
    Dependency('cmake', 'BSD-3-Clause', 'https://cmake.org', (
        ('BUILD_TOOL_OF', 'weir', ''),
    ), found=(('CMAKE_COMMAND', ''),)),
    Dependency('Vulkan-Headers', 'Apache-2.0', 'https://github.com/KhronosGroup/Vulkan-Headers', (
        ('DEPENDS_ON', 'weir', USERS),
    ), cmake=('Vulkan::Headers',), found=(('WEIR_VULKAN_INCLUDE_DIR', 'vulkan/vulkan_core.h'),),
        version=r'define VK_HEADER_VERSION (\d+)'),
    Dependency('Vulkan-Loader', 'Apache-2.0', 'https://github.com/KhronosGroup/Vulkan-Loader', (
        ('RUNTIME_DEPENDENCY_OF', 'weir', 'opened at run time; other versions work too'),
    ), found=(('', '/usr/lib/*/libvulkan.so.1'), ('', '/usr/lib*/libvulkan.so.1'))),
    Dependency('tl-expected', 'CC0-1.0', 'https://github.com/TartanLlama/expected', (
        ('DEPENDS_ON', 'weir', USERS),
    ), cmake=('tl-expected',), found=(('tl-expected_DIR', ''), ('', '/usr/include/tl/expected.hpp'))),
    Dependency('spdlog', 'MIT', 'https://github.com/gabime/spdlog', (
        ('STATIC_LINK', 'weir', HEADER_ONLY),
    ), cmake=('spdlog',), found=(('spdlog_DIR', ''),)),
    Dependency('fmt', 'MIT', 'https://github.com/fmtlib/fmt', (
        ('STATIC_LINK', 'weir', HEADER_ONLY + ', by spdlog'),
    ), found=(('fmt_DIR', ''),)),
    Dependency('nlohmann-json', 'MIT', 'https://github.com/nlohmann/json', (
        ('STATIC_LINK', 'weir', HEADER_ONLY),
    ), cmake=('nlohmann_json',), found=(('nlohmann_json_DIR', ''),)),
    Dependency('volk', 'MIT', 'https://github.com/zeux/volk', (
        ('STATIC_LINK', 'weir', 'its source volk.c is compiled in'),
    ), cmake=('WEIR_VOLK_DIR',), found=(('WEIR_VOLK_DIR', 'volk.h'),), version=r'define VOLK_HEADER_VERSION (\d+)'),
    Dependency('VulkanMemoryAllocator', 'MIT',
               'https://github.com/GPUOpen-LibrariesAndSDKs/VulkanMemoryAllocator', (
                   ('STATIC_LINK', 'weir', HEADER_ONLY),
               ), cmake=('VulkanMemoryAllocator', 'WEIR_VMA_FOUND_DIR'), found=(
                   ('WEIR_VMA_INCLUDE_DIR', 'vk_mem_alloc.h'), ('VulkanMemoryAllocator_DIR', ''),
                   ('WEIR_VMA_FOUND_DIR', 'vk_mem_alloc.h')), version=r'<b>Version ([\d.]+)'),
    Dependency('shaderc', 'Apache-2.0', 'https://github.com/google/shaderc', (
        ('BUILD_DEPENDENCY_OF', 'weir', 'its headers'),
        ('STATIC_LINK', 'weir_shaderc', 'the module compiles GLSL at run time; programs without such passes do not open it'),
        ('OPTIONAL_DEPENDENCY_OF', 'weir', 'the shared library compiles GLSL at run time; other programs do not open it'),
    ), cmake=('WEIR_SHADERC_DIR',), found=(('WEIR_SHADERC_DIR', 'shaderc/shaderc.h'),)),
    Dependency('glslang', 'NOASSERTION', 'https://github.com/KhronosGroup/glslang', (
        ('STATIC_LINK', 'weir_shaderc', ''),
    ), found=(('WEIR_STATIC_glslang', ''),), where='weir_shaderc'),
    Dependency('SPIRV-Tools', 'Apache-2.0', 'https://github.com/KhronosGroup/SPIRV-Tools', (
        ('STATIC_LINK', 'weir_shaderc', ''),
    ), found=(('WEIR_STATIC_SPIRV-Tools', ''),), where='weir_shaderc'),
    Dependency('glslc', 'Apache-2.0', 'https://github.com/google/shaderc', (
        ('BUILD_TOOL_OF', 'weir', 'compiles the kernels to SPIR-V'),
    ), cmake=('WEIR_GLSLC',), found=(('WEIR_GLSLC', ''),)),
    Dependency('spirv-opt', 'Apache-2.0', 'https://github.com/KhronosGroup/SPIRV-Tools', (
        ('BUILD_TOOL_OF', 'weir', 'optimizes the largest kernels'),
    ), cmake=('WEIR_SPIRV_OPT',), found=(('WEIR_SPIRV_OPT', ''),)),
    Dependency('CLI11', 'BSD-3-Clause', 'https://github.com/CLIUtils/CLI11', (
        ('STATIC_LINK', 'weir-samples', HEADER_ONLY),
        ('TEST_DEPENDENCY_OF', 'weir', TESTS),
    ), cmake=('CLI11',), found=(('CLI11_DIR', ''),)),
    Dependency('fast-cpp-csv-parser', 'BSD-3-Clause', 'https://github.com/ben-strasser/fast-cpp-csv-parser', (
        ('STATIC_LINK', 'weir-samples', HEADER_ONLY),
    ), cmake=('WEIR_CSV_DIR',), found=(('WEIR_CSV_DIR', 'csv.h'),), where='weir-samples'),
    Dependency('pugixml', 'MIT', 'https://pugixml.org', (
        ('DEPENDS_ON', 'weir-samples', SAMPLES),
    ), cmake=('pugixml',), found=(('pugixml_DIR', ''),), when='WEIR_BUILD_PICTURES', where='weir-samples'),
    Dependency('libpng', 'libpng-2.0', 'http://www.libpng.org', (
        ('DEPENDS_ON', 'weir-samples', SAMPLES),
    ), cmake=('PNG',), found=(('PNG_PNG_INCLUDE_DIR', 'png.h'),), version=r'define PNG_LIBPNG_VER_STRING "([^"]+)"',
        when='WEIR_BUILD_PICTURES', where='weir-samples'),
    Dependency('libjpeg', 'NOASSERTION', 'https://libjpeg-turbo.org', (
        ('DEPENDS_ON', 'weir-samples', SAMPLES),
    ), cmake=('JPEG',), found=(('JPEG_INCLUDE_DIR', 'jpeglib.h'),), when='WEIR_BUILD_PICTURES', where='weir-samples'),
    Dependency('giflib', 'MIT', 'https://giflib.sourceforge.net', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir-samples', 'reads images in GIF format, if available'),
    ), found=(('GIF_INCLUDE_DIR', 'gif_lib.h'),), when='WEIR_BUILD_PICTURES', where='weir-samples'),
    Dependency('libwebp', 'BSD-3-Clause', 'https://developers.google.com/speed/webp', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir-samples', 'reads images in WebP format, if available'),
    ), found=(('WEBP_INCLUDE_DIR', 'webp/decode.h'),), when='WEIR_BUILD_PICTURES', where='weir-samples'),
    Dependency('zstd', 'BSD-3-Clause', 'https://facebook.github.io/zstd', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir-samples', 'reads and writes .spz files of version 4, if available'),
    ), found=(('ZSTD_INCLUDE_DIR', 'zstd.h'),), when='WEIR_BUILD_SPLATS', where='weir-samples'),
    Dependency('zlib', 'Zlib', 'https://zlib.net', (
        ('DEPENDS_ON', 'weir-samples', SAMPLES),
    ), cmake=('ZLIB',), found=(('ZLIB_INCLUDE_DIR', 'zlib.h'),), version=r'define ZLIB_VERSION "([^"]+)"',
        when='WEIR_BUILD_PICTURES', where='weir-samples'),
    Dependency('fontconfig', 'MIT', 'https://www.freedesktop.org/wiki/Software/fontconfig', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir', TEXT),
    ), found=(('weir_fontconfig_INCLUDEDIR', 'fontconfig/fontconfig.h'),), when='WEIR_BUILD_TEXT'),
    Dependency('FreeType', 'FTL OR GPL-2.0-or-later', 'https://freetype.org', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir', TEXT),
    ), found=(('weir_freetype2_INCLUDEDIR', 'freetype2/freetype/freetype.h'),), when='WEIR_BUILD_TEXT'),
    Dependency('FriBidi', 'LGPL-2.1-or-later', 'https://github.com/fribidi/fribidi', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir', TEXT),
    ), found=(('weir_fribidi_INCLUDEDIR', 'fribidi/fribidi.h'),), when='WEIR_BUILD_TEXT'),
    Dependency('HarfBuzz', 'MIT', 'https://harfbuzz.github.io', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir', TEXT),
    ), found=(('weir_harfbuzz_INCLUDEDIR', 'harfbuzz/hb.h'),), when='WEIR_BUILD_TEXT'),
    Dependency('glfw', 'Zlib', 'https://www.glfw.org', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir-samples', 'used by the samples with a window, if available'),
    ), found=(('glfw3_DIR', ''),), where='weir-samples'),
    Dependency('imgui', 'MIT', 'https://github.com/ocornut/imgui', (
        ('OPTIONAL_DEPENDENCY_OF', 'weir-samples', 'used by the samples with a window, if available'),
    ), found=(('WEIR_IMGUI_VULKAN', ''),), where='weir-samples'),
    Dependency('googletest', 'BSD-3-Clause', 'https://github.com/google/googletest', (
        ('TEST_DEPENDENCY_OF', 'weir', TESTS),
    ), cmake=('GTest',), found=(('GTest_DIR', ''),), when='WEIR_BUILD_TESTS'),
    Dependency('rapidcheck', 'BSD-2-Clause', 'https://github.com/emil-e/rapidcheck', (
        ('TEST_DEPENDENCY_OF', 'weir', TESTS),
    ), cmake=('rapidcheck',), found=(('rapidcheck_DIR', ''),), when='WEIR_TEST_PROPERTIES'),
]
FROM_OURS = ('DEPENDS_ON', 'STATIC_LINK')  # relationships that go from our package to the dependency; others go back


def run(*command, may_fail=False):
    """Returns the output of a program, or None if it fails or does not exist."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=not may_fail,
                                env={**os.environ, 'LC_ALL': 'C'})
    except (OSError, subprocess.CalledProcessError):
        return None
    return result.stdout


def looked_for(source):
    """Returns the names that cmake/WeirDependencies.cmake looks for: packages, and variables of files and programs."""
    text = (source / 'cmake/WeirDependencies.cmake').read_text()
    text = re.sub(r'#.*', '', re.sub(r'macro\(.*?endmacro\(\)', '', text, flags=re.S))
    patterns = (r'find_package\((\w[\w-]*)', r'weir_need_target\(\S+ (\S+)', r'find_(?:path|program|file|library)\((\w+)')
    return [name for pattern in patterns for name in re.findall(pattern, text)]


def read_cache(build):
    """Returns the variables of the CMake cache of a build folder."""
    cache = {}
    for line in (build / 'CMakeCache.txt').read_text().splitlines():
        match = re.match(r'([^#/][^:=]*):\w+=(.*)$', line)
        if match:
            cache[match[1]] = match[2]
    return cache


def is_on(cache, variable):
    return cache.get(variable, '').upper() in ('1', 'ON', 'TRUE', 'YES')


def find(dependency, cache):
    """Returns a file or folder of the dependency that the build found, or None."""
    for variable, below in dependency.found:
        folder = cache.get(variable, '') if variable else '/'
        if not folder or folder.endswith('NOTFOUND'):
            continue
        path = pathlib.Path(folder)
        if below:
            path = next(iter(sorted(path.glob(below.lstrip('/')))), path / below.lstrip('/'))
        if path.resolve().name == 'ccache':  # it runs the compiler of the same name
            path = pathlib.Path('/usr/bin') / path.name
        if path.exists():
            return path
    return None


def debian_packages(paths):
    """Returns the name, version and architecture of the Debian package of each path that is in one."""
    asked = {}
    for path in paths:
        # A folder of CMake files may belong to several packages, so this queries one of its files.
        file = next(iter(sorted(path.glob('*.cmake'))), path) if path.is_dir() else path
        asked[path] = list(dict.fromkeys((str(file), str(file.resolve()))))
    owners = {}
    found = run('dpkg-query', '-S', *[name for names in asked.values() for name in names], may_fail=True) or ''
    for line in found.splitlines():
        package, _, name = line.partition(': ')
        owners[name] = package.split(',')[0]
    if not owners:
        return {}
    fields = {}
    listed = run('dpkg-query', '-W', '-f', '${Package} ${Version} ${Architecture}\n', *sorted(set(owners.values()))) or ''
    for line in listed.splitlines():
        fields[line.split()[0]] = line.split()
    owner = {path: next((owners[name] for name in names if name in owners), '') for path, names in asked.items()}
    return {path: fields[name.split(':')[0]] for path, name in owner.items() if name}


def version_in_files(dependency, path):
    """Returns the version in the header or CMake version file of a dependency, or None."""
    if path.is_dir():
        for file in sorted(path.glob('*ersion.cmake')):
            match = re.search(r'set\(PACKAGE_VERSION "([^"]+)"\)', file.read_text())
            if match:
                return match[1]
    elif dependency.version:
        match = re.search(dependency.version, path.read_text(errors='replace'))
        if match:
            return match[1]
    return None


def identifier(name):
    """Returns an SPDX identifier, which may contain only letters, digits, '.' and '-'."""
    return 'SPDXRef-' + re.sub(r'[^A-Za-z0-9.-]', '-', name)


def describe(dependency, path, debian):
    """Returns the SPDX package of a dependency that the build found at a path."""
    notes = []
    if dependency.cmake:
        notes.append('CMake looks for ' + ', '.join(dependency.cmake))
    package = {
        'SPDXID': identifier('Package-' + dependency.name), 'name': dependency.name,
        'downloadLocation': 'NOASSERTION', 'homepage': dependency.home or 'NOASSERTION',
        'filesAnalyzed': False,
        'licenseConcluded': 'NOASSERTION', 'licenseDeclared': dependency.license, 'copyrightText': 'NOASSERTION',
    }
    if debian:
        name, version, architecture = debian
        package['versionInfo'] = version
        notes.append(f'Debian package {name}')
        locator = f'pkg:deb/debian/{name}@{version}?arch={architecture}'.replace('+', '%2B')
        package['externalRefs'] = [{
            'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl', 'referenceLocator': locator}]
    else:
        version = version_in_files(dependency, path)
        if version:
            package['versionInfo'] = version
            notes.append('version from its files')
        else:
            notes.append('version unknown')
    package['comment'] = '; '.join(notes)
    return package


def source_files(source):
    """Returns the relative paths of the sources: the files that git tracks, else all files outside of build folders."""
    listed = run('git', '-C', str(source), 'ls-files', '-z')
    if listed:
        names = [name for name in listed.split('\0') if name]
    else:
        names = [str(path.relative_to(source)) for path in source.rglob('*') if path.is_file()]
        names = [name for name in names if name.split('/')[0] not in ('build', '.git')]
    return sorted(name for name in names if (source / name).is_file() and not (source / name).is_symlink())


def describe_files(source):
    """Returns the SPDX files of the sources, and the SPDX verification code of all of them."""
    files = []
    for name in source_files(source):
        data = (source / name).read_bytes()
        sha1 = hashlib.sha1(data).hexdigest()
        # A hash, because two names may differ only in characters that an identifier cannot contain.
        number = hashlib.sha256(name.encode()).hexdigest()[:12]
        files.append({'SPDXID': f'SPDXRef-File-{number}', 'fileName': './' + name, 'checksums': [
            {'algorithm': 'SHA1', 'checksumValue': sha1},
            {'algorithm': 'SHA256', 'checksumValue': hashlib.sha256(data).hexdigest()},
        ], 'licenseConcluded': 'NOASSERTION', 'copyrightText': 'NOASSERTION'})
    sums = sorted(file['checksums'][0]['checksumValue'] for file in files)
    return files, hashlib.sha1(''.join(sums).encode()).hexdigest()


def our_package(name, version, comment):
    return {
        'SPDXID': identifier('Package-' + name), 'name': name, 'versionInfo': version,
        'supplier': 'Organization: The Weir authors', 'downloadLocation': 'NOASSERTION', 'filesAnalyzed': False,
        'licenseConcluded': 'MIT OR Apache-2.0', 'licenseDeclared': 'MIT OR Apache-2.0',
        'copyrightText': 'NOASSERTION', 'comment': comment,
    }


def relation(ours, kind, theirs, comment):
    ends = (ours, theirs) if kind in FROM_OURS else (theirs, ours)
    result = {'spdxElementId': identifier('Package-' + ends[0]), 'relationshipType': kind,
              'relatedSpdxElement': identifier('Package-' + ends[1])}
    if comment:
        result['comment'] = comment
    return result


def date_of(source):
    epoch = os.environ.get('SOURCE_DATE_EPOCH') or run('git', '-C', str(source), 'log', '-1', '--format=%ct')
    seconds = int(epoch) if epoch else int((source / 'CHANGELOG.md').stat().st_mtime)
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


def describe_weir(source, version, with_files):
    """Returns the SPDX package of the sources, and its files."""
    weir = our_package('weir', version, 'The sources, and the libraries libweir and libweir_c that are built from them.')
    weir['primaryPackagePurpose'] = 'LIBRARY'
    commit = run('git', '-C', str(source), 'rev-parse', 'HEAD')
    if commit:
        tree = run('git', '-C', str(source), 'rev-parse', 'HEAD^{tree}').strip()
        changed = run('git', '-C', str(source), 'status', '--porcelain', '--untracked-files=no')
        weir['sourceInfo'] = f'git commit {commit.strip()}, tree {tree}' + (
            ', with changes that are not committed' if changed else '')
    if not with_files:
        return weir, []
    files, code = describe_files(source)
    weir['filesAnalyzed'] = True
    weir['packageVerificationCode'] = {'packageVerificationCodeValue': code}
    return weir, files


def relations_of(dependency, cache, ours):
    """Returns the relationships of a dependency with the existing packages of ours; none if the build does not use it."""
    if dependency.where not in ours or dependency.when and not is_on(cache, dependency.when):
        return []
    kinds = [row for row in dependency.relations if row[1] in ours]
    if 'weir_shaderc' in ours: # Weir does not open the shared library then
        kinds = [row for row in kinds if dependency.name != 'shaderc' or row[0] != 'OPTIONAL_DEPENDENCY_OF']
    if not is_on(cache, 'WEIR_BUILD_TESTS'):
        kinds = [row for row in kinds if row[0] != 'TEST_DEPENDENCY_OF']
    return kinds


def bill(source, build, with_files):
    cache = read_cache(build)
    unknown = set(looked_for(source)) - {name for row in DEPENDENCIES for name in row.cmake}
    if unknown:
        sys.exit(f'sbom.py: cmake/WeirDependencies.cmake looks for {", ".join(sorted(unknown))}, which are missing from DEPENDENCIES')
    project = re.search(r'^project\(weir VERSION ([\d.]+)', (source / 'CMakeLists.txt').read_text(), re.M)
    version = project[1]

    weir, files = describe_weir(source, version, with_files)
    packages, relations = [weir], []
    ours = {'weir'}
    if is_on(cache, 'WEIR_SHADERC_LINKS_STATIC') and not is_on(cache, 'WEIR_SHADERC_LINKS'):
        ours.add('weir_shaderc')
        packages.append(our_package('weir_shaderc', version, 'The module libweir_shaderc, which contains static shaderc.'))
        relations.append(relation('weir', 'OPTIONAL_DEPENDENCY_OF', 'weir_shaderc', 'opened at run time, to compile GLSL'))
    if is_on(cache, 'WEIR_BUILD_SAMPLES'):
        ours.add('weir-samples')
        packages.append(our_package('weir-samples', version, 'The sample programs.'))
        relations.append(relation('weir-samples', 'STATIC_LINK', 'weir', 'or dynamic, if the library is shared'))

    used, missing = [], []
    for dependency in DEPENDENCIES:
        kinds = relations_of(dependency, cache, ours)
        path = find(dependency, cache) if kinds else None
        if path:
            used.append((dependency, path))
            relations += [relation(name, kind, dependency.name, comment) for kind, name, comment in kinds]
        elif kinds and dependency.cmake:
            missing.append(dependency.name)
    if missing:
        sys.exit(f'sbom.py: the CMake cache of the build folder has no path of: {", ".join(missing)}')
    debian = debian_packages([path for _, path in used])
    packages += [describe(dependency, path, debian.get(path)) for dependency, path in used]

    packages[1:] = sorted(packages[1:], key=lambda package: package['SPDXID'])
    relations.sort(key=lambda row: (row['spdxElementId'], row['relationshipType'], row['relatedSpdxElement']))
    relations.insert(0, {'spdxElementId': 'SPDXRef-DOCUMENT', 'relationshipType': 'DESCRIBES',
                         'relatedSpdxElement': weir['SPDXID']})
    relations += [{'spdxElementId': weir['SPDXID'], 'relationshipType': 'CONTAINS',
                   'relatedSpdxElement': file['SPDXID']} for file in files]
    document = {
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT', 'name': f'weir-{version}',
        'documentNamespace': '',
        'creationInfo': {'created': date_of(source), 'creators': ['Organization: The Weir authors', 'Tool: sbom.py']},
        'packages': packages, 'files': files, 'relationships': relations,
    }
    if not files:
        del document['files']
    # Each document has a unique namespace. Writing the same document again gives the same one.
    content = json.dumps(document, sort_keys=True)
    document['documentNamespace'] = f'https://spdx.org/spdxdocs/weir-{version}-{uuid.uuid5(uuid.NAMESPACE_URL, content)}'
    return document


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description='Writes the bill of materials of a release, as SPDX 2.3 in JSON.')
    parser.add_argument('--build', type=pathlib.Path, default=root / 'build', help='build folder (default: build)')
    parser.add_argument('--source', type=pathlib.Path, default=root, help='folder of the sources (default: that of this script)')
    parser.add_argument('--output', help='output file (default: weir-VERSION.spdx.json in the build folder; -: standard output)')
    parser.add_argument('--no-files', action='store_true', help='omits the checksums of files')
    options = parser.parse_args()
    if not (options.build / 'CMakeCache.txt').exists():
        sys.exit(f'sbom.py: {options.build} is not a build folder: it has no CMakeCache.txt')
    document = bill(options.source, options.build, not options.no_files)
    text = json.dumps(document, indent=2) + '\n'
    if options.output == '-':
        sys.stdout.write(text)
        return
    output = pathlib.Path(options.output or options.build / f'{document["name"]}.spdx.json')
    output.write_text(text)
    print(output)


main()
