#!/usr/bin/env python3
"""Prints the tests that changes since a commit can affect, for ./run tests --changed.

Usage: changed.py COMMIT BUILD

The first line of output is a --gtest_filter, or empty. The second line is the part of the filter that takes turns. It is empty unless more
than MOST_AT_A_TIME test files are affected. The third line lists scripts of tests/scripts.

A test file depends on the functions and types that it names, on those that their definitions name, and transitively on all others. It also
depends on the files with these definitions, on the kernels that they name (shaders::NAME, by the dependency files of the build), and on
the GLSL that they include as <weir/NAME>. Sources of engine/ and graph/ only count for tests in these folders, because all other tests
depend on them.
"""

import functools
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE_FOLDERS = ('', 'engine/include', 'graph/include', 'primitives/include', 'c/include', 'samples', 'studies', 'renderers', 'benchmarks',
                   'renderers/paths/include', 'renderers/splats/include', 'renderers/svg/include', 'shaders/include', 'shaders/lib')
SOURCE = ('.cpp', '.c')
MOST_AT_A_TIME = 8  # maximum number of affected test files that all run; more files take turns
# Scripts to run for changed paths with this prefix. A script also runs if its own file or a folder of its name changes.
SCRIPTS = {
    'docs/': 'docs', 'examples/': 'docs', 'README.md': 'docs', 'CHANGELOG.md': 'docs', 'benchmarks/NOTES.md': 'docs',
    'shaders/': 'spirv', 'tests/models/': 'models', 'c/': 'c', 'python/': 'python', 'cmake/': 'install', 'packaging/': 'sbom',
    'renderers/paths/': 'svg', 'renderers/svg/': 'svg', 'renderers/splats/': 'splats', 'benchmarks/': 'bench', 'tests/fuzz/': 'fuzz',
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


class Block:
    """A declaration or definition at file level, with the names that it declares and those that it uses."""

    def __init__(self, path, code):
        self.path = path
        code = re.sub(r'^(template <.*>\s)?(requires\((?:[^()]|\([^()]*\))*\)\s)?', '', code)
        function = re.match(r'[^(={]*?(?:(\w+)::)?~?(\w+)\(', code)
        kind = re.match(r'(?:struct|class|enum class|using|constexpr .*?) ?(?:WEIR_\w+ )?(\w+)', code)
        self.declares = set(function.groups()) - {None} if function else {kind[1]} if kind else set()
        code = re.sub(r'\b(?:weir|detail|tests)::', '', code)
        # Excludes members and names in other namespaces.
        self.uses = set(re.findall(r'(?<!\.)(?<!->)(?<!::)\b([A-Z]\w+|\w+(?=[(<{]))', code)) | set(re.findall(r'\bshaders::\w+', code))


@functools.cache
def blocks_of(path):
    code = re.sub(r'//.*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', '', text_of(path))
    parts = re.split(r'(?<!>)\n(?=[A-Za-z\[])(?!public:|protected:|private:)', code)
    return [Block(path, part) for part in parts if not re.match('#|namespace', part)]


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
        self.glsl = {}  # file name -> paths
        self.blocks = {}  # name -> blocks that declare it
        for path in files:
            if path.startswith('shaders/') and path.endswith(('.glsl', '.h')):
                self.glsl.setdefault(os.path.basename(path), []).append(path)
            if path.endswith(('.hpp', '.h', '.cpp', '.c')) and not re.search('_test.cpp$|/main.cpp$|^shaders|^examples', path):
                for block in blocks_of(path):
                    for name in block.declares:
                        self.blocks.setdefault(name, []).append(block)

    def resolve(self, path, name):
        for folder in (os.path.dirname(path), *INCLUDE_FOLDERS):
            candidate = os.path.normpath(os.path.join(folder, name))
            if candidate in self.files:
                return candidate
        return None

    @functools.cache
    def included(self, path):
        """Returns the files that `path` includes."""
        text = text_of(path)
        found = {self.resolve(path, name) for name in re.findall(r'#include\s+["<]([^">]+)[">]', text)}
        for name in re.findall(r'<weir/([\w.]+)>', text):
            found.update(self.glsl.get(name, ()))
        return found - {None}

    @functools.cache
    def all_included(self, path):
        """Returns `path` and the files that it includes, directly or indirectly."""
        found, waiting = set(), [path]
        while waiting:
            file = waiting.pop()
            if file not in found:
                found.add(file)
                waiting.extend(self.included(file))
        return found

    def used_by(self, block, layers):
        """Returns the blocks that declare or define the names that `block` uses. `layers` lists the folders whose sources count."""
        seen = self.all_included(block.path)
        for name in block.uses:
            declared = [other for other in self.blocks.get(name, ()) if other.path in seen]
            yield from declared
            headers = {other.path for other in declared if not other.path.endswith(SOURCE)}
            for other in self.blocks.get(name, ()) if headers else ():
                top = other.path.split('/')[0]
                if other.path.endswith(SOURCE) and top in layers and any(
                        header.startswith(top) for header in headers & self.all_included(other.path)):
                    yield other

    def all_of(self, path):
        """Returns the files that a test depends on."""
        folder = path.split('/')[1]
        layers = {'engine': ('engine',), 'graph': ('engine', 'graph')}.get(folder, ('primitives', 'c', 'renderers', 'samples', 'studies', 'tests',
                                                                                   'benchmarks'))
        found, waiting = set(), list(blocks_of(path))
        if folder == 'c':
            waiting += [block for other in self.files if re.fullmatch(r'tests/c/\w+\.c', other) for block in blocks_of(other)]
        while waiting:
            block = waiting.pop()
            if block not in found:
                found.add(block)
                waiting.extend(self.used_by(block, layers))
        files = {block.path for block in found}
        for file in list(files):
            for other in self.included(file):
                if other.startswith('shaders/'):
                    files |= self.all_included(other)
                elif not blocks_of(other):
                    files.add(other)
        for block in found:
            kernels = {name.split('::')[-1] for name in block.uses if name.startswith('shaders::') or 'built_in' in block.path}
            for name in kernels & self.kernels.keys():
                files |= self.kernels[name]
        return files


def patterns_of(path):
    suites = set(re.findall(r'^(?:TYPED_)?TEST(?:_F|_P)?\((\w+)', text_of(path), re.MULTILINE))
    return [pattern for suite in sorted(suites) for pattern in (f'{suite}.*', f'*/{suite}.*', f'{suite}/*')]


def main():
    commit, build = sys.argv[1:3]
    changed = {path for path in git('diff', '--name-only', commit) + git('ls-files', '-o', '--exclude-standard') if path}
    files = sorted({path for path in git('ls-files') + list(changed) if path})
    dependencies = Dependencies(files, files_of_kernels(build))
    tests = [path for path in files if re.fullmatch(r'tests/.*_test\.cpp', path)]
    reached = {path: dependencies.all_of(path) for path in tests}
    # If no test reaches a source, the tests of its folder run.
    unknown = {path.split('/')[0] for path in changed - set().union(*reached.values()) if path.endswith(SOURCE)}
    affected = [path for path in tests if reached[path] & changed or path.split('/')[1] in unknown]
    scripts = set()
    for path in changed:
        scripts.update(script for start, script in SCRIPTS.items() if path.startswith(start))
        scripts.update(part for part in os.path.splitext(path)[0].split('/')
                       if f'tests/scripts/{part}.sh' in files and path.startswith(('samples/', 'studies/', 'tests/scripts/')))
    in_turn = [path for path in affected if path not in changed] if len(affected) > MOST_AT_A_TIME else []
    for paths in affected, in_turn:
        print(':'.join(pattern for path in paths for pattern in patterns_of(path)))
    print(' '.join(sorted(scripts)))


if __name__ == '__main__':
    main()
