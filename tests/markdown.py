#!/usr/bin/env python3
"""Checks the tables and links of Markdown files, as rendered by a forge.

    tests/markdown.py [FILE...]

Without files: all Markdown files of the tree, except those in build folders. All rows of a table must have the same number of cells,
and a line that begins with "|" must be in a table. A link to a file must name an existing file, and its fragment a heading in it.
Prints a line for each mistake, then the numbers of files, tables and links. The exit status is 1 if there is a mistake.
"""
import pathlib
import re
import sys
import urllib.parse

root = pathlib.Path(__file__).resolve().parent.parent
DELIMITERS = re.compile(r'\|( *:?-+:? *\|)+')
LINK = re.compile(r'\]\(([^()\s]+)\)|<(?:a|img) [^>]*(?:href|src)="([^"]+)"')


def text_lines(path):
    """Yields the number and text of each line outside of blocks of code. Lines within such blocks are None."""
    fence = None
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        mark = re.match(r' {0,3}(```+|~~~+)', line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = None
            line = None
        elif mark:
            fence, line = mark.group(1), None
        elif line.startswith('    ') and not line.lstrip().startswith(('-', '*', '|')):
            line = None
        yield number, line


def table_mistakes(path):
    """Returns the number of tables, and the mistakes as (line, text)."""
    tables, mistakes, block = 0, [], []
    for number, line in [*text_lines(path), (0, '')]:
        if line and line.lstrip().startswith('|'):
            block.append((number, line.strip()))
            continue
        if not block:
            continue
        if len(block) < 2 or not DELIMITERS.fullmatch(block[1][1]):
            mistakes.append((block[0][0], 'this row is in no table: a table has a line of names, then a line of dashes'))
        else:
            tables += 1
            cells = [len(re.split(r'(?<!\\)\|', row)) - 2 for _, row in block]
            for (row_number, row), count in zip(block, cells):
                if not row.endswith('|'):
                    mistakes.append((row_number, 'this row of a table does not end with "|"'))
                elif count != cells[1]:
                    mistakes.append((row_number, f'this row has {count} cells, and its table {cells[1]} columns'))
        block = []
    return tables, mistakes


def anchors(path):
    """Returns the anchors that a forge gives to the headings of a page."""
    result, seen = set(), {}
    for _, line in text_lines(path):
        heading = re.match(r' {0,3}#{1,6} +(.*?) *#*$', line or '')
        if heading:
            text = re.sub(r'\]\([^)]*\)', '', heading.group(1)).lower()
            anchor = re.sub(r'[^\w\- ]', '', text).replace(' ', '-')
            count = seen[anchor] = seen.get(anchor, -1) + 1
            result.add(f'{anchor}-{count}' if count else anchor)
    return result


def link_mistakes(path):
    """Returns the number of links to files of the tree, and the mistakes as (line, text)."""
    links, mistakes = 0, []
    for number, line in text_lines(path):
        for match in LINK.finditer(re.sub(r'`[^`]*`', '', line or '')):
            link = match.group(1) or match.group(2)
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            target = path.parent / urllib.parse.unquote(parts.path) if parts.path else path
            if not target.exists():
                mistakes.append((number, f'{link}: no such file'))
            elif parts.fragment and target.suffix == '.md' and parts.fragment not in anchors(target):
                mistakes.append((number, f'{link}: no such heading'))
    return links, mistakes


def tree_files():
    return sorted(path for path in root.rglob('*.md')
                  if not any(part.startswith(('.', 'build')) for part in path.relative_to(root).parts))


def main():
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or tree_files()
    tables, links, failed = 0, 0, False
    for path in files:
        page_tables, mistakes = table_mistakes(path)
        page_links, more = link_mistakes(path)
        tables, links = tables + page_tables, links + page_links
        for number, text in sorted(mistakes + more):
            name = path.relative_to(root) if path.is_relative_to(root) else path
            print(f'{name}:{number}: {text}')
            failed = True
    print(f'{len(files)} files, {tables} tables, {links} links')
    sys.exit(1 if failed or not files else 0)


main()
