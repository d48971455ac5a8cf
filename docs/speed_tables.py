#!/usr/bin/env python3
"""Writes the speed tables of README.md and docs/ from a CSV file of weir_bench --peers.

    docs/speed_tables.py [--check] FILE

A table is what follows a line '<!-- speed: NAME -->', and is replaced. With --check nothing is written: the exit status is 1
if a table is not what the file says.
"""
import collections
import csv
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
SIZES = [12, 16, 20, 24, 28]

# Table -> rows: name, and op and type in the file.
TABLES = {
    'scan': [
        ('inclusive sum, u32', 'inclusive_scan', 'u32'),
        ('exclusive sum, u32', 'exclusive_scan', 'u32'),
        ('inclusive sum, f32', 'inclusive_scan', 'f32'),
        ('inclusive sum, u64', 'inclusive_scan', 'u64'),
        ('affine maps of f32', 'inclusive_scan', 'affine'),
        ('inclusive sum by key, u32', 'inclusive_scan_by_key', 'u32'),
    ],
    'reduce': [
        ('reduce, u32', 'reduce', 'u32'),
        ('reduce, f32', 'reduce', 'f32'),
        ('fused_reduce, x * abs(x) of f32', 'fused_reduce', 'f32'),
        ('count_if, u32', 'count_if', 'u32'),
        ('reduce by key, u32, runs of 8', 'reduce_by_key', 'u32'),
    ],
    'compact': [
        ('select, u32, half kept', 'select_if', 'u32'),
        ('partition, u32, two parts', 'partition', 'u32'),
        ('unique, u32, runs of 8', 'unique', 'u32'),
        ('run-length encode, u32, runs of 8', 'run_length_encode', 'u32'),
    ],
    'elementwise': [
        ('histogram of bytes, 256 bins', 'histogram', 'u8'),
        ('histogram of u32, 256 bins', 'histogram', 'u32'),
        ('histogram of u32, edges given', 'histogram edges', 'u32'),
        ('histograms of 4 channels of bytes', 'multi_histogram', 'u8x4'),
        ('shuffle, u32', 'shuffle', 'u32'),
        ('copies of ranges of 64 u32', 'copy_ranges of_64', 'u32'),
    ],
    'sort': [
        ('keys, u32', 'radix_sort_keys', 'u32'),
        ('keys of low entropy, u32', 'radix_sort_keys low_entropy', 'u32'),
        ('keys of which 90 % are equal, u32', 'radix_sort_keys mostly_equal', 'u32'),
        ('sorted keys, u32', 'radix_sort_keys sorted', 'u32'),
        ('u32 keys, u32 values', 'radix_sort_pairs', 'u32'),
        ('u32 keys of low entropy, u32 values', 'radix_sort_pairs low_entropy', 'u32'),
        ('u32 keys of which 90 % are equal, u32 values', 'radix_sort_pairs mostly_equal', 'u32'),
        ('sorted u32 keys, u32 values', 'radix_sort_pairs sorted', 'u32'),
        ('keys, u64', 'radix_sort_keys', 'u64'),
        ('u64 keys, u32 values', 'radix_sort_pairs', 'u64'),
        ('45 bits of u64 keys, u32 values', 'radix_sort_pairs of_45_bits', 'u64'),
        ('keys, u16', 'radix_sort_keys', 'u16'),
        ('keys, u8', 'radix_sort_keys', 'u8'),
        ('u16 keys, u32 values', 'radix_sort_pairs', 'u16'),
        ('u8 keys, u32 values', 'radix_sort_pairs', 'u8'),
        ('segments of 64 on average, u32', 'segmented_sort of_64', 'u32'),
        ('segments of 1024 on average, u32', 'segmented_sort of_1024', 'u32'),
        ('by a comparator: keys, u32', 'merge_sort_keys', 'u32'),
        ('by a comparator: keys of two u32', 'merge_sort_keys', 'u32x2'),
        ('by a comparator: u32 keys, u32 values', 'merge_sort_pairs', 'u32'),
    ],
    'top_k': [
        ('top_k, k = 1024, in order, u32', 'top_k of_1024', 'u32'),
        ('top_k, k = 1024, in any order, u32', 'top_k of_1024 unsorted', 'u32'),
        ('segments of 256, k = 8, in order', 'segmented_top_k of_8_in_256', 'u32'),
        ('segments of 256, k = 8, in any order', 'segmented_top_k of_8_in_256 unsorted', 'u32'),
        ('segments of 65,536, k = 2048, in order', 'segmented_top_k of_2048_in_65536', 'u32'),
        ('segments of 65,536, k = 2048, in any order', 'segmented_top_k of_2048_in_65536 unsorted', 'u32'),
        ('segments of 131,072, k = 40, in order', 'segmented_top_k of_40_in_131072', 'u32'),
        ('segments of 131,072, k = 40, in any order', 'segmented_top_k of_40_in_131072 unsorted', 'u32'),
    ],
    'search': [
        ('lower_bound, u32', 'lower_bound', 'u32'),
        ('lower_bound of needles that ascend, u32', 'lower_bound sorted', 'u32'),
        ('merge, u32', 'merge', 'u32'),
        ('set_union, u32', 'set_union', 'u32'),
        ('set_intersection, u32', 'set_intersection', 'u32'),
        ('set_difference, u32', 'set_difference', 'u32'),
    ],
}

README = [
    ('inclusive sum', 'inclusive_scan', 'u32'),
    ('inclusive sum, u64', 'inclusive_scan', 'u64'),
    ('scan of affine maps, an operator in GLSL', 'inclusive_scan', 'affine'),
    ('reduction', 'reduce', 'u32'),
    ('reduction by key', 'reduce_by_key', 'u32'),
    ('selection, half kept', 'select_if', 'u32'),
    ('partition', 'partition', 'u32'),
    ('unique, runs of 8', 'unique', 'u32'),
    ('run-length encoding, runs of 8', 'run_length_encode', 'u32'),
    ('histogram, 256 bins', 'histogram', 'u32'),
    ('radix sort of keys', 'radix_sort_keys', 'u32'),
    ('radix sort of keys of low entropy', 'radix_sort_keys low_entropy', 'u32'),
    ('radix sort of keys of which 90 % are equal', 'radix_sort_keys mostly_equal', 'u32'),
    ('radix sort of keys and values', 'radix_sort_pairs', 'u32'),
    ('radix sort of u64 keys', 'radix_sort_keys', 'u64'),
    ('radix sort of u64 keys, u32 values', 'radix_sort_pairs', 'u64'),
    ('radix sort of u16 keys', 'radix_sort_keys', 'u16'),
    ('segmented sort, 64 keys on average', 'segmented_sort of_64', 'u32'),
    ('segmented sort, 1024 keys on average', 'segmented_sort of_1024', 'u32'),
    ('merge sort by a comparator', 'merge_sort_keys', 'u32'),
    ('top-k, 1024 in order', 'top_k of_1024', 'u32'),
    ('merge', 'merge', 'u32'),
    ('lower bound', 'lower_bound', 'u32'),
    ('lower bound of needles that ascend', 'lower_bound sorted', 'u32'),
    ('union of sets', 'set_union', 'u32'),
]


def read(name):
    """(op, type) -> power of two -> implementation -> us."""
    times = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(name, encoding='utf-8') as file:
        for row in csv.DictReader(line for line in file if not line.startswith('#')):
            power = int(row['n']).bit_length() - 1
            times[row['op'], row['type']][power][row['impl'].strip('"')] = float(row['median_ms']) * 1000
    return times


def duration(us):
    if us >= 9999.5:
        return f'{us / 1000:.3g} ms' if us < 99950 else f'{us / 1000:.0f} ms'
    return f'{us:.0f}' if us >= 99.95 else f'{us:.1f}' if us >= 9.995 else f'{us:.2f}'


def ratio(times, peer):
    return times[peer] / times['weir']


def cell(times):
    if 'weir' not in times:
        return ''
    if 'cub' not in times:
        return duration(times['weir'])
    faster = f"{ratio(times, 'cub'):.2f}"
    return f"{duration(times['weir'])} / {duration(times['cub'])}, " + (f'**{faster}**' if float(faster) < 1 else faster)


def comparison(rows, times, sizes, head):
    lines = [head, '|' + '---|' * (len(sizes) + 1)]
    for name, *row in rows:
        of_row = times[tuple(row)]
        if not of_row:
            sys.exit(f'speed_tables: the file has no row {" ".join(row)}')
        lines.append(f'| {name} | ' + ' | '.join(cell(of_row[size]) for size in sizes) + ' |')
    return lines


def losses(times):
    """Every row of every table in which Weir is slower, with its ratios."""
    lines = ['| operation | of CUB\'s calls | of the calls as a CUDA graph |', '|---|---|---|']
    for rows in TABLES.values():
        for name, *row in rows:
            of_row = times[tuple(row)]
            slower = [', '.join(f'2^{size} {ratio(of_row[size], peer):.2f}' for size in SIZES
                                if peer in of_row[size] and float(f'{ratio(of_row[size], peer):.2f}') < 1)
                      for peer in ('cub', 'cub graph')]
            if any(slower):
                lines.append(f'| {name} | {slower[0]} | {slower[1]} |')
    return lines


def main():
    is_check = sys.argv[1:2] == ['--check']
    arguments = sys.argv[2:] if is_check else sys.argv[1:]
    if len(arguments) != 1:
        sys.exit(__doc__)
    times = read(arguments[0])
    plain = '| | ' + ' | '.join(f'2^{size}' for size in SIZES) + ' |'
    tables = {name: comparison(rows, times, SIZES, plain) for name, rows in TABLES.items()}
    tables['README'] = comparison(README, times, SIZES[1:], '| operation | n = 2^16 | 2^20 | 2^24 | 2^28 |')
    tables['losses'] = losses(times)
    is_right = True
    for page in [root / 'README.md', *sorted((root / 'docs').glob('*.md'))]:
        old = page.read_text(encoding='utf-8').split('\n')
        new, replaces = [], False
        for line in old:
            replaces = replaces and (line.startswith('|') or line == '')
            if line.startswith('<!-- speed: '):
                new += [line, '', *tables.pop(line.split()[2]), '']
                replaces = True
            elif not replaces:
                new.append(line)
        while new and new[-1] == '':
            new.pop()
        new.append('')
        if new != old:
            is_right = False
            print(f'speed_tables: {page.relative_to(root)} ' + ('is not what the file says' if is_check else 'is written'))
            if not is_check:
                page.write_text('\n'.join(new), encoding='utf-8')
    if tables:
        sys.exit(f'speed_tables: no page has {", ".join(tables)}')
    sys.exit(0 if is_right or not is_check else 1)


main()
