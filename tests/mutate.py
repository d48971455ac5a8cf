#!/usr/bin/env python3
"""Breaks graph/ and primitives/ in one place at a time, and checks that the tests detect it.

    tests/mutate.py --list                 prints the mutations without trying them
    tests/mutate.py --count 100 --long     tries them in a copy of the tree; takes hours
    tests/mutate.py --count 100 --long     continues where the previous run stopped

A mutation is a comparison with its bound moved or its direction reversed, 1 added instead of subtracted, && instead of ||, a removed
statement, a negated condition, or the minimum instead of the maximum. The seed selects mutations. The copy of the tree and its build
folder are in build/mutation; the tree itself does not change. Writes the results to a CSV file, one line each:

    caught           a test failed, crashed or ran out of time
    survived         all tests passed: a test is missing, or the mutation has no effect
    did not compile  not counted

The score is the share of caught mutations among those that compiled. Exit status: 1 if it is below --least, or if the tests fail
without a mutation.
"""
import argparse
import csv
import dataclasses
import fnmatch
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent
FIELDS = ['file', 'line', 'column', 'kind', 'before', 'after', 'result', 'by', 'seconds']

# Kind, pattern, replacement. clang-format puts spaces around binary operators, but not around those of templates and references.
# The whole match is replaced.
REPLACEMENTS = [
    ('comparison', r'(?<= )<(?= )', '<='), ('comparison', r'(?<= )<=(?= )', '<'),
    ('comparison', r'(?<= )>(?= )', '>='), ('comparison', r'(?<= )>=(?= )', '>'),
    ('comparison', r'(?<= )==(?= )', '!='), ('comparison', r'(?<= )!=(?= )', '=='),
    ('one', r'(?<= )\+(?= 1\b(?![.\'\d]))', '-'), ('one', r'(?<= )-(?= 1\b(?![.\'\d]))', '+'),
    ('and or', r'(?<= )&&(?= )', '||'), ('and or', r'(?<= )\|\|(?= )', '&&'),
    ('minimum maximum', r'\bstd::min\b', 'std::max'), ('minimum maximum', r'\bstd::max\b', 'std::min'),
]
# A statement of one line that can be removed: a call, an assignment, an increment, a jump. Not a declaration, which has two consecutive
# names, and not the last line of a longer statement.
NAME = r'[A-Za-z_]\w*(?:(?:\.|->|::)\w+|\[[^\[\]]*\])*'
STATEMENT = re.compile(rf'\s+(?:{NAME}\(.*\)|{NAME} [-+*/|&^]?= .*|(?:\+\+|--){NAME}|continue|break);$')
CONDITION = re.compile(r'\b(?:if|while) \((.*)\)(?: \{|$| [^()]*;$)')


@dataclasses.dataclass(frozen=True)
class Mutation:
    file: str
    line: int  # from 1
    column: int  # from 1
    kind: str
    before: str  # the whole line, stripped
    after: str
    text: str  # the whole line after the change

    def key(self):
        return (self.file, str(self.line), str(self.column), self.kind, self.before, self.after)


def blank(text):
    """Returns the text of a source with spaces instead of comments, strings, characters and preprocessor lines; of the same length."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^#[^\n]*',
                         re.S | re.M)
    return pattern.sub(lambda match: re.sub(r'[^\n]', ' ', match[0]), text)


def is_balanced(text):
    depth = 0
    for letter in text:
        depth += (letter in '([{') - (letter in ')]}')
        if depth < 0:
            return False
    return depth == 0


def mutations_of(name, text):
    """Returns all mutations of a source, in the order of its lines."""
    lines, bare = text.split('\n'), blank(text).split('\n')
    found = []

    def add(number, column, kind, changed):
        found.append(Mutation(name, number + 1, column + 1, kind, lines[number].strip(), changed.strip(), changed))

    for number, (line, code) in enumerate(zip(lines, bare)):
        if code.lstrip().startswith(('template', 'static_assert', 'using ', 'operator')):
            continue
        for kind, pattern, replacement in REPLACEMENTS:
            for match in re.finditer(pattern, code):
                add(number, match.start(), kind, line[:match.start()] + replacement + line[match.end():])
        # If the previous line ends a statement or opens a block, this line is a whole statement.
        before = next((row.rstrip() for row in reversed(bare[:number]) if row.strip()), '')
        if STATEMENT.match(code.rstrip()) and is_balanced(code) and before.endswith((';', '{', '}')) and '.reserve(' not in code:
            add(number, len(code) - len(code.lstrip()), 'no statement', '')
        match = CONDITION.search(code)
        if match and is_balanced(match[1]) and ';' not in match[1] and not re.search(r'[\w>&*] \w+ = ', match[1]):
            condition = line[match.start(1):match.end(1)]
            add(number, match.start(1), 'negation', f'{line[:match.start(1)]}!({condition}){line[match.end(1):]}')
    return found


def choose(tree, patterns, count, seed):
    """Returns a sample of the mutations of the sources that match one of the patterns."""
    found = []
    for folder in ('graph', 'primitives'):
        for path in sorted((tree / folder).rglob('*.cpp')):
            name = path.relative_to(tree).as_posix()
            if any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
                found += mutations_of(name, path.read_text())
    # A larger sample with the same seed begins with the same mutations.
    random.Random(seed).shuffle(found)
    return found[:count], len(found)


def copy_tree(tree, copy):
    """Updates the copy of the tree. Unchanged files keep their times, so little is compiled."""
    listed = subprocess.run(['git', '-C', str(tree), 'ls-files', '-z'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            text=True, check=False).stdout
    names = [name for name in listed.split('\0') if name and (tree / name).is_file()]
    if not names: # no repository
        names = [path.relative_to(tree).as_posix() for path in tree.rglob('*')
                 if path.is_file() and path.relative_to(tree).parts[0] != 'build']
    for name in names:
        data, target = (tree / name).read_bytes(), copy / name
        if not target.exists() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            shutil.copymode(tree / name, target)


class Trial:
    """The copy of the tree, its build folder, and the programs there."""

    def __init__(self, options):
        self.options = options
        self.source = options.source
        self.build = options.build
        self.limits = {}  # program -> seconds

    def configure(self):
        if (self.build / 'build.ninja').exists():
            return
        self.build.mkdir(parents=True, exist_ok=True)
        # One source at a time, because a mutation compiles one source.
        command = ['cmake', '-S', str(self.source), '-B', str(self.build), '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release',
                   '-DWEIR_BUILD_SAMPLES=OFF', '-DWEIR_BUILD_BENCHMARKS=OFF', '-DWEIR_INSTALL=OFF', '-DWEIR_WERROR=OFF']
        deps = root / 'build/deps/usr'
        if deps.is_dir():
            command.append(f'-DCMAKE_PREFIX_PATH={deps}')
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def compile(self):
        command = ['ninja', '-C', str(self.build), 'weir_tests_host', 'weir_tests_device']
        if self.options.jobs:
            command[1:1] = ['-j', str(self.options.jobs)]
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return result.returncode == 0, result.stdout

    def programs(self, file=None):
        """Runs all tests. On the driver, runs the tests named after the file first, because they detect most mutations of it."""
        arguments = ['--gtest_fail_fast', '--gtest_brief=1', '--gtest_color=no']
        host = [str(self.build / 'bin/weir_tests_host'), *arguments, f'--gtest_filter={self.options.host_filter}']
        device = [str(root / 'tests/drivers.sh'), self.options.driver, str(self.build / 'bin/weir_tests_device'), *arguments]
        yield 'host', host
        if file:
            name = ''.join(word.capitalize() for word in pathlib.Path(file).stem.split('_'))
            yield self.options.driver, [*device, f'--gtest_filter={name}*.*']
        yield self.options.driver, [*device, f'--gtest_filter={self.options.filter}']

    def run(self, name, command):
        """Returns None if the tests passed, else the first test that failed, or how the program ended."""
        environment = dict(os.environ)
        if self.options.long:
            environment['WEIR_TESTS_LONG'] = '1'
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                                   errors='replace', cwd=self.source, env=environment, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=self.limits.get(name, self.options.limit))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return f'{name}: ran out of time'
        if process.returncode == 0:
            return None
        failed = re.search(r'^\[  FAILED  \] ([\w./<>]+)', output, re.M)
        return f'{name}: {failed[1] if failed else f"ended with status {process.returncode}"}'

    def first_failure(self, file):
        for name, command in self.programs(file):
            failure = self.run(name, command)
            if failure:
                return failure
        return None

    def baseline(self):
        """Runs the tests without a mutation. They must pass. Their time determines the time limit of later runs."""
        compiled, output = self.compile()
        if not compiled:
            sys.exit(f'mutate.py: it does not compile without a mutation:\n{output[-3000:]}')
        for name, command in self.programs():
            start = time.monotonic()
            failure = self.run(name, command)
            if failure:
                sys.exit(f'mutate.py: without a mutation a test fails: {failure}')
            seconds = time.monotonic() - start
            self.limits[name] = 4 * seconds + self.options.grace
            print(f'without a mutation {name} passes in {seconds:.0f} s', flush=True)

    def judge(self, mutation):
        """Returns the result and the test that caught the mutation."""
        path = self.source / mutation.file
        original = path.read_text()
        lines = original.split('\n')
        assert lines[mutation.line - 1].strip() == mutation.before, f'{mutation.file} is not what it was'
        lines[mutation.line - 1] = mutation.text
        try:
            path.write_text('\n'.join(lines))
            compiled, _ = self.compile()
            if not compiled:
                return 'did not compile', ''
            failure = self.first_failure(mutation.file)
            return ('caught', failure) if failure else ('survived', '')
        finally:
            path.write_text(original)


def read_results(file):
    """Returns the rows of earlier runs, by mutation."""
    if not file.exists():
        return {}
    with open(file, newline='') as stream:
        return {tuple(row[field] for field in FIELDS[:6]): row for row in csv.DictReader(stream)}


def report(chosen, results, least):
    rows = [results[mutation.key()] for mutation in chosen if mutation.key() in results]
    caught = sum(row['result'] == 'caught' for row in rows)
    survived = [row for row in rows if row['result'] == 'survived']
    compiled = caught + len(survived)
    for row in survived:
        print(f'survived: {row["file"]}:{row["line"]}: {row["kind"]}: {row["before"]}  ->  {row["after"] or "nothing"}')
    score = 100 * caught / compiled if compiled else 0
    print(f'{caught} of {compiled} caught, {score:.1f} %; {len(rows) - compiled} did not compile; {len(chosen) - len(rows)} to do')
    return score >= least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=100, help='how many mutations (default: 100)')
    parser.add_argument('--seed', type=int, default=1, help='chooses them (default: 1)')
    parser.add_argument('--files', action='append', help='only of sources that match, such as graph/plan/*; may be repeated')
    parser.add_argument('--list', action='store_true', help='prints the mutations and tries none')
    parser.add_argument('--driver', default='lavapipe-8', help='of tests/drivers.sh (default: lavapipe-8)')
    parser.add_argument('--filter', default='*', help='tests on the driver, as for --gtest_filter')
    parser.add_argument('--host-filter', default='*', help='tests on the host')
    parser.add_argument('--long', action='store_true', help='the longer sweeps too')
    parser.add_argument('--jobs', type=int, help='compilers at a time')
    parser.add_argument('--limit', type=int, default=7200, help='seconds for a program without a mutation (default: 7200)')
    parser.add_argument('--grace', type=float, default=60,
                        help='with a mutation, a program may take four times as long and so many seconds (default: 60)')
    parser.add_argument('--least', type=float, default=0, help='the score in percent that is enough')
    parser.add_argument('--tree', type=pathlib.Path, default=root, help=argparse.SUPPRESS)
    parser.add_argument('--source', type=pathlib.Path, help='copy of the tree (default: build/mutation/source)')
    parser.add_argument('--build', type=pathlib.Path, help='its build folder (default: build/mutation/build)')
    parser.add_argument('--output', type=pathlib.Path, help='results (default: build/mutation/results.csv)')
    options = parser.parse_args()
    folder = options.tree / 'build/mutation'
    options.source = (options.source or folder / 'source').absolute()
    options.build = (options.build or folder / 'build').absolute()
    output = options.output or folder / 'results.csv'

    chosen, found = choose(options.tree, options.files or ['*'], options.count, options.seed)
    if options.list:
        for mutation in chosen:
            print(f'{mutation.file}:{mutation.line}:{mutation.column}: {mutation.kind}: {mutation.before}'
                  f'  ->  {mutation.after or "nothing"}')
        print(f'{len(chosen)} of {found} mutations')
        return
    results = read_results(output)
    left = [mutation for mutation in chosen if mutation.key() not in results]
    if left:
        if options.source.exists() and options.source.samefile(options.tree):
            sys.exit('mutate.py: --source is the tree itself, which stays as it is')
        copy_tree(options.tree, options.source)
        trial = Trial(options)
        trial.configure()
        trial.baseline()
        output.parent.mkdir(parents=True, exist_ok=True)
    for number, mutation in enumerate(left):
        start = time.monotonic()
        result, by = trial.judge(mutation)
        row = dict(zip(FIELDS, (*mutation.key(), result, by, round(time.monotonic() - start))))
        is_new = not output.exists()
        with open(output, 'a', newline='') as stream:
            writer = csv.DictWriter(stream, FIELDS, lineterminator='\n')
            if is_new:
                writer.writeheader()
            writer.writerow(row)
        results[mutation.key()] = row
        print(f'{number + 1}/{len(left)} {mutation.file}:{mutation.line}: {mutation.kind}: {result} {by}', flush=True)
    if not report(chosen, results, options.least):
        sys.exit(1)


main()
