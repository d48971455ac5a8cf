#!/usr/bin/env python3
"""Counts phrases that CONTRIBUTING.md asks to avoid in comments, messages, pages and test names. Prints the
place of each, and fails if it finds any.

    cmake/english.py [FILE...]    default: all files of the repository
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# A comment or sentence must not open with these.
OPENINGS = re.compile(r'(?:What|Whether|Of|Those|Which|How many|As many|The same for|Otherwise as|Likewise)\b')
PHRASES = re.compile(r"\b(?:nobody|in vain|so many|anew|likewise|meanwhile|but for|yet others|(?:has|have) to|"
                     r'(?<!if )there is none|(?<!if )there are none|is not there|beside)\b', re.IGNORECASE)
TEST_NAME = re.compile(r'^\s*(?:TYPED_)?TEST(?:_F|_P)?\(\w+, ((?:What|Of|That|And|Which|Those|As|To)[A-Z]\w*)\)')

# Ends of the names of files whose comments begin with // and with #.
C_LIKE = ('.cpp', '.hpp', '.c', '.h', '.glsl', '.comp', '.vert', '.frag', '.cu', '.mjs')
HASH = ('.py', '.sh', '.cmake', 'CMakeLists.txt', '/run', '.yml')


def texts(path, content):
    """Yields the offset and text of each comment, string literal or line of prose, and true if a sentence opens it."""
    if path.endswith(C_LIKE):
        previous = -2  # line of the last comment
        for number, line in enumerate(content.split('\n')):
            for match in re.finditer(r'//[/!]?<?\s?(.*)$|"((?:[^"\\]|\\.)*)"', line):
                if match.group(1) is not None:
                    own = not line[:match.start()].strip()
                    yield number, match.group(1), not own or previous != number - 1
                    previous = number if own else -2
                else:
                    yield number, match.group(2), False
    elif path.endswith(HASH):
        previous = -2
        for number, line in enumerate(content.split('\n')):
            match = re.search(r'(?:^|\s)#\s(.*)$', line)
            if match and not line.startswith('#!'):
                own = not line[:match.start()].strip()
                yield number, match.group(1), not own or previous != number - 1
                previous = number if own else -2
        if path.endswith('.py'):
            for match in re.finditer(r'"""(.*?)"""', content, re.DOTALL):
                first = content.count('\n', 0, match.start())
                for line, text in enumerate(match.group(1).split('\n')):
                    yield first + line, text.strip(), line == 0
    elif path.endswith('.pml'):
        for match in re.finditer(r'/\*(.*?)\*/', content, re.DOTALL):
            first = content.count('\n', 0, match.start())
            for line, text in enumerate(match.group(1).split('\n')):
                yield first + line, text.strip(' *'), line == 0
    elif path.endswith('.md'):
        in_code, begins = False, True
        for number, line in enumerate(content.split('\n')):
            if line.startswith('```'):
                in_code = not in_code
            elif not in_code and not line.startswith('    '):
                yield number, re.sub(r'`[^`]*`', '``', line.lstrip('#-*> ')), begins or line[:1] in '#-*>'
                begins = not line.strip()


def found_in(path, content):
    for number, text, opens in texts(path, content):
        if opens and OPENINGS.match(text):
            yield number, text
        else:
            for _ in PHRASES.finditer(text):
                yield number, text
    if path.endswith('.cpp'):
        for number, line in enumerate(content.split('\n')):
            if TEST_NAME.match(line):
                yield number, line.strip()


def main():
    files = sys.argv[1:] or subprocess.run(['git', '-C', ROOT, 'ls-files'], check=True, capture_output=True,
                                           text=True).stdout.split('\n')
    count = 0
    for path in files:
        if path == 'cmake/english.py' or not path.endswith(C_LIKE + HASH + ('.md', '.pml')):
            continue
        full = os.path.join(ROOT, path)
        if os.path.islink(full) or not os.path.isfile(full):
            continue
        with open(full, encoding='utf-8') as file:
            for number, text in found_in(path, file.read()):
                count += 1
                print(f'{path}:{number + 1}: {text[:110]}')
    print(f'english: {count} phrases to avoid')
    return 1 if count else 0


sys.exit(main())
