#!/usr/bin/env python3
"""Checks the links of the HTML site that ./run docs builds.

    tests/site_links.py FOLDER

Each href and src of each page, and each page in the menus, must be a file of FOLDER, and its fragment an id in that file.
Prints a line for each dead link, then the numbers of links. Links to other sites are counted, not opened.
The exit status is 1 if a link is dead.
"""
import html
import os
import pathlib
import re
import sys
import urllib.parse

# Pages in navtreedata.js, menudata.js and search/*.js.
SCRIPT_LINK = re.compile(r'''['"]((?:\.\./)?[\w.\-/]+\.html(?:#[\w\-]+)?)['"]''')
TAG = re.compile(r'<([a-zA-Z]+)(\s[^<>]*)>')
ATTRIBUTE = re.compile(r'\s(id|name|href|src)="([^"]*)"')


class Page:
    """Collects the anchors and links of a page. Doxygen escapes "<", ">" and quotation marks in text and attributes."""

    def __init__(self, text):
        self.ids, self.links = set(), set()
        for tag, attributes in TAG.findall(text):
            for name, value in ATTRIBUTE.findall(attributes):
                if name in ('href', 'src'):
                    self.links.add(html.unescape(value))
                elif name == 'id' or tag == 'a':
                    self.ids.add(html.unescape(value))


def dead_links(folder):
    """Returns the dead links as (page, link, reason), the number of links within the site, and the number of others."""
    files = {str(path) for path in folder.rglob('*') if path.is_file()}
    pages, links = {}, []
    for path in sorted(folder.rglob('*.html')):
        page = pages[str(path)] = Page(path.read_text(encoding='utf-8'))
        links += [(path, link) for link in sorted(page.links)]
    for path in sorted(folder.rglob('*.js')):
        links += [(path, link) for link in sorted(set(SCRIPT_LINK.findall(path.read_text(encoding='utf-8'))))]

    dead, external = [], 0
    for source, link in links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme == 'javascript':
            continue
        if parts.scheme or parts.netloc:
            external += 1
            continue
        target = str(source)
        if parts.path:
            target = os.path.normpath(os.path.join(source.parent, urllib.parse.unquote(parts.path)))
        fragment = urllib.parse.unquote(parts.fragment)
        if target not in files:
            dead.append((source, link, 'no such file'))
        elif fragment and target in pages and fragment not in pages[target].ids:
            dead.append((source, link, 'no such anchor'))
    return dead, len(links) - external, external


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    dead, internal, external = dead_links(folder)
    for source, link, reason in dead:
        print(f'{source.relative_to(folder)}: {link}: {reason}')
    print(f'{internal} links within the site, {len(dead)} of them dead; {external} links to other sites')
    sys.exit(1 if dead or not internal else 0)


main()
