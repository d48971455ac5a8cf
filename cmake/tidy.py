#!/usr/bin/env python3
"""Runs clang-tidy on the sources that changed since the last commit that passed, and on a tenth of all others.

The tenth is a turn: the hash of the file name and the number of commits choose it, so ten commits in a row cover every file. Outside
a checkout the day takes the place of the number of commits. --long checks every source.

Most of the time of clang-tidy goes into headers, which it reads and walks through for each source. Sources with the same flags are
therefore checked as one text. If clang-tidy reports anything there, the sources concerned are checked again alone; only that result counts.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import threading
import time
import zlib

TURNS = 10
BATCH = 12  # sources in one text
COMMITS = 20  # taken for changed if no commit is known to have passed
INCLUDERS = 10  # sources that are checked for one changed header
ALL_DEPEND_ON = {'.clang-tidy'}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
SCOPE = re.compile(r'^(?:inline )?namespace(?: ([\w:]+))? \{')
LOCAL = re.compile(r'^(?:template <.*> )?(?:(?:struct|class|enum class|enum|union|using|namespace) )?(?:[^\s=({][^=({]*[ &*])??(\w+)(?: = |[({;[]| \{| : )')
LOCATION = re.compile(r'^(/[^:\n]+):(\d+):\d+: (?:warning|error): .*\[([^]]+)\]$', re.M)


def git(root, *arguments):
    """Returns what git prints, or None if it fails."""
    command = ['git', '-C', root, '-c', f'safe.directory={root}', *arguments]  # also where the checkout is another user's
    try:
        run = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return run.stdout if run.returncode == 0 else None


def text_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


class Tree:
    """The sources and headers of the project, by their paths from the root."""

    def __init__(self, root):
        self.root = root
        self.files = []
        for folder, folders, names in os.walk(root):
            place = os.path.relpath(folder, root)
            if place == '.':
                place = ''
                folders[:] = [name for name in folders if name not in ('build', '.git')]
            elif place == 'examples':  # examples in folders of their own need the headers of other libraries
                folders.clear()
            self.files += [os.path.join(place, name) for name in names if name.endswith(('.cpp', '.hpp', '.h'))]
        self.files.sort()
        self.sources = [file for file in self.files if file.endswith('.cpp')]
        self.texts = {file: text_of(os.path.join(root, file)) for file in self.files}

    def included_by(self):
        """Returns the files that include each file directly."""
        ends = collections.defaultdict(list)
        for file in self.files:
            ends[os.path.basename(file)].append(file)
        result = collections.defaultdict(set)
        for file, text in self.texts.items():
            for quote, name in INCLUDE.findall(text):
                near = os.path.normpath(os.path.join(os.path.dirname(file), name))
                if quote == '"' and near in self.texts:
                    result[near].add(file)
                    continue
                for other in ends[os.path.basename(name)]:
                    if other == name or other.endswith('/' + name):
                        result[other].add(file)
        return result

    def repeated_includes(self):
        """Returns a message for each header that a file includes twice; clang-tidy would report it for texts of several sources too."""
        messages = []
        for file, text in self.texts.items():
            seen = set()
            for number, line in enumerate(text.split('\n'), 1):
                if 'R"' in line:  # GLSL follows
                    break
                if re.match(r'[ \t]*#[ \t]*(define|undef|if|else|elif|endif)', line):
                    seen.clear()
                elif match := INCLUDE.match(line):
                    if match[2] in seen:
                        messages.append(f'{file}:{number}: {match[2]} is included twice')
                    seen.add(match[2])
        return messages


class History:
    """The commits of the checkout, or the date outside of one."""

    def __init__(self, root, folder):
        self.root = root
        self.folder = folder
        count = git(root, 'rev-list', '--count', 'HEAD')
        top = git(root, 'rev-parse', '--show-toplevel')
        self.is_checkout = count is not None and os.path.realpath(top.strip()) == os.path.realpath(root)
        if not self.is_checkout and os.path.exists(os.path.join(root, '.git')):
            sys.exit('clang-tidy: git cannot read the history of this checkout')
        self.number = int(count) if self.is_checkout else int(time.time() // 86400)

    def commit(self, name):
        found = git(self.root, 'rev-parse', '--verify', '--quiet', f'{name}^{{commit}}')
        return found.strip() if found else None

    def base(self):
        """Returns the last commit that passed, or None, and how it was found."""
        if not self.is_checkout:
            return None, None
        if name := os.environ.get('WEIR_LINT_BASE'):
            found = self.commit(name)
            if not found:
                sys.exit(f'clang-tidy: WEIR_LINT_BASE names no commit: {name}')
            return found, 'WEIR_LINT_BASE'
        passed = os.path.join(self.folder, 'passed')  # written by cmake/lint.sh
        if os.path.exists(passed) and (found := self.commit(text_of(passed).strip())):
            return found, 'the last lint here that passed'
        for name in ('ci-passed', 'origin/ci-passed'):
            if found := self.commit(name):
                return found, name
        head = self.commit('HEAD')
        for name in ('origin/HEAD', 'origin/main', 'origin/master'):
            found = git(self.root, 'merge-base', 'HEAD', name)
            if found and found.strip() != head:
                return found.strip(), f'the merge base with {name}'
        commits = (git(self.root, 'rev-list', '--first-parent', f'--max-count={COMMITS + 1}', 'HEAD') or '').split()
        if len(commits) > COMMITS:
            return commits[-1], f'{COMMITS} commits ago'
        return None, None

    def changed(self, base):
        """Returns the files that differ from a commit, with those that git does not know yet."""
        names = git(self.root, 'diff', '--name-only', '-z', base, '--') or ''
        names += git(self.root, 'ls-files', '--others', '--exclude-standard', '-z') or ''
        return {name for name in names.split('\0') if name}


def hash_of(name):
    return zlib.crc32(name.encode())


def affected(tree, changed, number):
    """Returns the sources to check for changed files: a header is checked with sources that include it, directly if there are any."""
    if changed & ALL_DEPEND_ON:
        return set(tree.sources)
    sources = {file for file in changed if file.endswith('.cpp') and file in tree.texts}
    parents = tree.included_by()
    for header in changed:
        level = {header} if header in tree.texts and not header.endswith('.cpp') else set()
        seen = set(level)
        while level:
            level = {parent for file in level for parent in parents[file]} - seen
            seen |= level
            found = [file for file in level if file.endswith('.cpp')]
            if found:
                in_turn = sorted(found, key=lambda file: ((hash_of(file) + number) % 997, file))
                sources.update(in_turn[:max(0, INCLUDERS - len(sources.intersection(found)))])
                break
    return sources


def flags_of(commands, root):
    """Returns the flags by which each source is compiled, without those that make no difference to clang-tidy."""
    result = {}
    with open(os.path.join(commands, 'compile_commands.json'), encoding='utf-8') as file:
        for entry in json.load(file):
            source = os.path.relpath(entry['file'], root)
            words = shlex.split(entry['command'])[1:]
            flags = []
            while words:
                word = words.pop(0)
                if word == '-o':
                    words.pop(0)
                elif word not in ('-c', entry['file'], '-fPIC') and not word.startswith(('-O', '-fvisibility')):
                    flags.append(word)
            result.setdefault(source, tuple(flags))
    return result


def own_names(text):
    """Returns the names that a source has in anonymous namespaces, and `main`: no two sources of one text may have the same."""
    names, scope = set(), []
    for line in text.split('\n'):
        if match := SCOPE.match(line):
            scope.append(match[1])
        elif line.startswith('}') and '// namespace' in line:
            scope = scope[:-1]
        elif None in scope and (match := LOCAL.match(line)):
            names.add('::'.join([name or '' for name in scope] + [match[1]]))
        elif line.startswith('int main('):
            names.add('main')
    return names


def divided(sources, tree, flags):
    """Returns lists of sources that can be checked as one text. Those without flags are alone."""
    groups = collections.defaultdict(list)
    for source in sources:
        groups[flags.get(source, source)].append(source)
    result = []
    for group in groups.values():
        texts = [([], set()) for _ in range(-(-len(group) // BATCH))]
        for source in group:
            names = own_names(tree.texts[source])
            possible = [text for text in texts if len(text[0]) < BATCH and not text[1] & names]
            if not possible:
                possible = [([], set())]
                texts += possible
            text = min(possible, key=lambda text: len(text[0]))
            text[0].append(source)
            text[1].update(names)
        result += [text[0] for text in texts if text[0]]
    return sorted(result, key=len, reverse=True)


class Tidy:
    def __init__(self, options, tree, flags):
        self.options = options
        self.tree = tree
        self.flags = flags
        self.folder = os.path.join(options.commands, 'texts')
        os.makedirs(self.folder, exist_ok=True)
        self.lock = threading.Lock()
        self.reported = set()
        self.failed = False

    def run(self, *arguments):
        run = subprocess.run([self.options.clang_tidy, '--quiet', *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return run.returncode, run.stdout

    def alone(self, source):
        path = os.path.join(self.tree.root, source)
        if source in self.flags:
            status, output = self.run(path, '--', *self.flags[source])
        else:  # programs outside the build borrow the command of a source that looks alike, which may lack folders of headers
            extra = [f'--extra-arg={argument}' for argument in self.options.extra_arg]
            status, output = self.run('-p', self.options.commands, *extra, path)
        if status:
            with self.lock:
                self.failed = True
                self.reported.update(LOCATION.findall(output))
                print(output.strip() or f'{source}: clang-tidy ended with status {status}', flush=True)

    def write(self, sources):
        """Writes the sources into one file, in which includes and macros mean what they mean in each of them. Returns its first lines."""
        lines, first = [], []
        for source in sources:
            first.append(len(lines))
            folder = os.path.dirname(source)

            def absolute(match):
                near = os.path.normpath(os.path.join(folder, match[2]))
                path = os.path.join(self.tree.root, near)
                return f'#include "{path}"' if match[1] == '"' and os.path.exists(path) else match[0]

            text = self.tree.texts[source]
            lines += INCLUDE.sub(absolute, text).split('\n')
            lines += [f'#undef {name}' for name in sorted(set(re.findall(r'^#define (\w+)', text, re.M)))]
        path = os.path.join(self.folder, f'{hash_of(" ".join(sources)):08x}.cpp')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines) + '\n')
        return path, first

    def together(self, sources):
        if len(sources) == 1:
            return self.alone(sources[0])
        path, first = self.write(sources)
        status, output = self.run('--checks=-readability-duplicate-include', path, '--', *self.flags[sources[0]])
        if status == 0:
            os.remove(path)
            return
        found = LOCATION.findall(output)
        inside = [int(line) for file, line, _ in found if file == path]
        with self.lock:
            outside = [location for location in found if location[0] != path and location not in self.reported]
        again = {sources[sum(1 for start in first if start < line) - 1] for line in inside}
        if outside or not again or 'clang-diagnostic-error' in output:
            again = sources
        for source in sorted(again):
            self.alone(source)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--root', default='.')
    parser.add_argument('--commands', required=True, help='the folder of compile_commands.json')
    parser.add_argument('--long', action='store_true', help='checks all sources')
    parser.add_argument('--turn', type=int, help='checks this tenth of the sources, 0 to 9, rather than that of the commit')
    parser.add_argument('--budget', type=float, default=150, help='seconds for the tenth; the changed sources are always checked')
    parser.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--clang-tidy', default='clang-tidy')
    parser.add_argument('--extra-arg', action='append', default=[], help='for sources that are not in compile_commands.json')
    parser.add_argument('--list', action='store_true', help='prints the changed sources and those of the turn, and checks nothing')
    options = parser.parse_args()
    root = os.path.abspath(options.root)
    options.commands = os.path.abspath(options.commands)
    tree = Tree(root)
    history = History(root, options.commands)
    number = history.number if options.turn is None else options.turn
    turn = number % TURNS

    base, how = (None, None) if options.long else history.base()
    if options.long:
        first, what = set(tree.sources), 'all'
    elif base:
        first, what = affected(tree, history.changed(base), number), f'changed since {base[:10]} ({how})'
    elif history.is_checkout:
        first, what = set(tree.sources), 'all: no commit is known to have passed'
    else:
        first, what = set(), 'changed: there is no history'
    second = [source for source in tree.sources if source not in first and hash_of(source) % TURNS == turn]
    if options.list:
        print('\n'.join([f'changed {source}' for source in sorted(first)] + [f'turn {source}' for source in second]))
        return 0

    repeated = tree.repeated_includes()
    print('\n'.join(repeated), end='\n' if repeated else '')
    flags = flags_of(options.commands, root)
    tidy = Tidy(options, tree, flags)
    left = []
    until = None

    def within_budget(sources):
        nonlocal until
        with tidy.lock:
            until = until or time.monotonic() + options.budget
            if time.monotonic() >= until:
                left.extend(sources)
                return
        tidy.together(sources)

    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        jobs = [pool.submit(tidy.together, sources) for sources in divided(sorted(first), tree, flags)]
        jobs += [pool.submit(within_budget, sources) for sources in divided(second, tree, flags)]
        for job in jobs:
            job.result()
    counted = f'clang-tidy: {len(first)} sources {what}'
    if not options.long:
        counted += f'; {len(second) - len(left)} more, of turn {turn} of {TURNS}'
    if left:
        counted += f'; the budget of {options.budget:g} s left {len(left)} of them unchecked until that turn comes again'
    if tidy.failed or repeated:
        print(counted)
        return 1
    print(f'{counted}: no warnings')
    return 0


if __name__ == '__main__':
    sys.exit(main())
