#!/usr/bin/env python3
"""Prints the tests that changes since a commit can affect, for ./run tests --changed.

Usage: changed.py COMMIT BUILD

The first line of output is a --gtest_filter, or empty; the second lists scripts of tests/scripts. A test file depends on the
files that it includes, on the sources of these headers, on the kernels that those name (shaders::NAME, by the dependency files of
the build) and on the GLSL that they include as <weir/NAME>. Sources of engine/ and graph/ count for tests in these folders alone:
everything stands on them, and a whole run covers the rest.
"""

import functools
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE_FOLDERS = ('', 'engine/include', 'graph/include', 'primitives/include', 'c/include', 'samples', 'benchmarks',
                   'samples/paths/include', 'shaders/lib')
# Scripts for a change of a path that starts so; each script is also run when its own file or a folder of its name changes.
SCRIPTS = {
    'docs/': 'docs', 'examples/': 'docs', 'README.md': 'docs', 'CHANGELOG.md': 'docs', 'benchmarks/NOTES.md': 'docs',
    'shaders/': 'spirv', 'tests/models/': 'models', 'c/': 'c', 'cmake/': 'install', 'packaging/': 'sbom',
    'samples/paths/': 'svg', 'benchmarks/': 'bench', 'tests/fuzz/': 'fuzz',
}


def git(*arguments):
    return subprocess.run(['git', '-C', ROOT, *arguments], check=True, capture_output=True, text=True).stdout.split('\n')


@functools.cache
def text_of(path):
    try:
        with open(os.path.join(ROOT, path), encoding='utf-8', errors='replace') as file:
            return file.read()
    except OSError:
        return ''


def files_of_kernels(build):
    """Returns the GLSL files of each embedded shader, from the dependency files of the build."""
    kernels = {}
    for folder, _, names in os.walk(os.path.join(build, 'generated')):
        for name in names:
            if not name.endswith('.d'):
                continue
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                words = file.read().replace('\\\n', ' ').split(':', 1)[-1].split()
            paths = [re.sub(r'^(\.\./)+', '', word) for word in words]
            kernels.setdefault(name.split('.')[0], set()).update(path for path in paths if text_of(path))
    return kernels


class Dependencies:
    def __init__(self, files, kernels):
        self.files = set(files)
        self.kernels = kernels
        self.sources = {}  # (top folder, stem) -> sources
        self.texts = {}  # name of a GLSL file -> paths
        for path in files:
            stem, extension = os.path.splitext(os.path.basename(path))
            if extension == '.cpp':
                self.sources.setdefault((path.split('/')[0], stem), []).append(path)
            if path.startswith('shaders/') and extension in ('.glsl', '.h'):
                self.texts.setdefault(stem + extension, []).append(path)

    def resolve(self, path, name):
        for folder in (os.path.dirname(path), *INCLUDE_FOLDERS):
            candidate = os.path.normpath(os.path.join(folder, name))
            if candidate in self.files:
                return candidate
        return None

    @functools.cache
    def direct(self, path, layers):
        """Returns the files that `path` depends on directly. `layers` has the folders whose sources count."""
        text = text_of(path)
        found = {self.resolve(path, name) for name in re.findall(r'#include\s+["<]([^">]+)[">]', text)}
        for name in re.findall(r'<weir/([\w.]+)>', text):
            found.update(self.texts.get(name, ()))
        for name in re.findall(r'\bshaders::(\w+)', text) + re.findall(r'&(\w+)', text if 'built_in' in path else ''):
            found.update(self.kernels.get(name, ()))
        top, stem = path.split('/')[0], os.path.splitext(os.path.basename(path))[0]
        if path.endswith(('.hpp', '.h')) and top in layers:
            found.update(self.sources.get((top, stem), ()))
        return found - {None}

    def all_of(self, path):
        folder = path.split('/')[1]
        layers = {'engine': ('engine',), 'graph': ('engine', 'graph')}.get(folder, ('primitives', 'c', 'samples', 'tests',
                                                                                   'benchmarks'))
        found, waiting = set(), [path]
        while waiting:
            file = waiting.pop()
            if file not in found:
                found.add(file)
                waiting.extend(self.direct(file, layers))
        return found


def patterns_of(path):
    suites = set(re.findall(r'^(?:TYPED_)?TEST(?:_F|_P)?\((\w+)', text_of(path), re.MULTILINE))
    return [pattern for suite in sorted(suites) for pattern in (f'{suite}.*', f'*/{suite}.*', f'{suite}/*')]


def main():
    commit, build = sys.argv[1:3]
    changed = {path for path in git('diff', '--name-only', commit) + git('ls-files', '-o', '--exclude-standard') if path}
    files = [path for path in git('ls-files') + sorted(changed) if path]
    dependencies = Dependencies(files, files_of_kernels(build))
    tests = [path for path in sorted(set(files)) if re.fullmatch(r'tests/.*_test\.cpp', path)]
    affected = [path for path in tests if dependencies.all_of(path) & changed]
    scripts = set()
    for path in changed:
        scripts.update(script for start, script in SCRIPTS.items() if path.startswith(start))
        scripts.update(part for part in os.path.splitext(path)[0].split('/')
                       if f'tests/scripts/{part}.sh' in files and path.startswith(('samples/', 'tests/scripts/')))
    # If many files are affected, the rotation chooses among all tests.
    print('*' if 3 * len(affected) > len(tests) else ':'.join(p for path in affected for p in patterns_of(path)))
    print(' '.join(sorted(scripts)))


if __name__ == '__main__':
    main()
