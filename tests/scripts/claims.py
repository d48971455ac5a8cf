#!/usr/bin/env python3
"""Compares figures in README.md and docs/ with counts of the tree: lines of sources, rows of results, members of enums.

Each check reads the figure from the text of the page, so it fails if either side changes. It also fails if it does not find its
sentence. Prints "ok NAME" or "FAIL NAME: why" for each check. tests/primitives/scratch_test.cpp checks figures that need the
library.
"""
import ast
import csv
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
WORDS = ('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen '
         'seventeen eighteen nineteen twenty').split()


class Mistake(Exception):
    """A wrong figure, or a missing sentence."""


def text_of(path):
    return (root / path).read_text(encoding='utf-8')


def constant(path, pattern):
    """Returns the number that is the only group of `pattern`."""
    return int(re.search(pattern, text_of(path))[1])


def said(path, pattern):
    """Returns the groups of `pattern` in the text of a page. A space in the pattern matches any white space."""
    found = re.search(pattern.replace(' ', r'\s+'), text_of(path))
    if found is None:
        raise Mistake(f'{path} has no text that matches "{pattern}"')
    return found.groups()


def number(text):
    """Parses an integer: 1,234 or 1234, or a word such as "three"."""
    text = text.replace(',', '').lower()
    return WORDS.index(text) if text in WORDS else int(text)


def expect(path, what, says, is_):
    if says != is_:
        raise Mistake(f'{path} says {says} {what}, but there are {is_}')


def says_count(path, pattern, what, count):
    """Checks a number on a page. It must be the only group of the pattern."""
    expect(path, what, number(said(path, pattern)[0]), count)


def rows_after(path, heading):
    """Returns the cells of the first table after a heading or sentence."""
    text = text_of(path)
    at = text.find(heading)
    if at < 0:
        raise Mistake(f'{path} has no "{heading}"')
    rows = []
    for line in text[at:].split('\n')[1:]:
        if line.startswith('|'):
            rows.append([cell.strip() for cell in line.strip('|').split('|')])
        elif rows:
            break
    return rows[2:]


def results(path):
    """Returns the rows of a CSV file of benchmarks/results."""
    with open(root / 'benchmarks/results' / path, encoding='utf-8') as file:
        return list(csv.DictReader(line for line in file if not line.startswith('#')))


# Lines of code: without empty lines and lines of comments.

def code_lines(text):
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    return sum(1 for line in text.split('\n') if line.strip() and not line.strip().startswith('//'))


def lines_of_files(*patterns):
    files = sorted({file for pattern in patterns for file in root.glob(pattern)})
    if not files:
        raise Mistake(f'no file matches {" ".join(patterns)}')
    return sum(code_lines(file.read_text(encoding='utf-8')) for file in files)


def lines_of_function(path, name):
    """Returns the lines of code of a function's definition, from its first line to its closing brace."""
    lines = text_of(path).split('\n')
    for first, line in enumerate(lines):
        start = re.match(r'( *)(?:[\w:<>&*\[\], ]+ )?(?:\w+::)?' + name + r'\(', line)
        if not start:
            continue
        for last in range(first, len(lines)):
            if lines[last] == start[1] + '}':
                return code_lines('\n'.join(lines[first:last + 1]))
            if lines[last].endswith(';') and lines[last].startswith(start[1]) and '{' not in ''.join(lines[first:last]):
                break  # a call or a declaration
    raise Mistake(f'{path} has no function {name}')


def members_of_enum(path, name):
    body = re.search(r'enum class ' + name + r'[^{]*\{(.*?)\};', text_of(path), re.S)[1]
    return len(re.findall(r'^\s*\w+', re.sub(r'///?.*', '', body), re.M))


def length_of_list(path, name):
    for node in ast.parse(text_of(path)).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return len(node.value.elts)
    raise Mistake(f'{path} has no list {name}')


def max_tiles():
    factors = re.search(r'max_tiles = (\d+) \* (\d+);', text_of('primitives/kernel/kernel.hpp'))
    return int(factors[1]) * int(factors[2])


def most_workgroups():
    return max(int(row.split(',')[5]) for row in text_of('primitives/shapes.csv').split('\n') if ',reduce,' in row)


# Counts: a page, a pattern whose only group is the number, what it counts, and a function that counts it.
SCANS = lambda: members_of_enum('primitives/include/weir/primitives/workgroup_scan.hpp', 'WorkgroupScan')
FEATURES = lambda: len(rows_after('docs/your_device.md', '## Features that your device lacks'))
WINDOW = lambda: lines_of_files('samples/common/window_device.*')
MESHES = lambda: constant('samples/culling/shaders/records.h', r'mesh_kinds = (\d+);')
SELECT_BITS = lambda: constant('shaders/sort/radix_select_interface.h', r'RADIX, (\d+)\)').bit_length() - 1
PATHS = 'renderers/paths/include/weir/paths/'
COUNTS = [
    ('CHANGELOG.md', r'(\w+) scans of a workgroup', 'scans', SCANS),
    ('docs/compact.md', r'Up to (\d+) tiles', 'tiles', max_tiles),
    ('docs/culling.md', r'in (\d+) lines that the windows of all samples share', 'lines', WINDOW),
    ('docs/culling.md', r'a million instances of (\d+) meshes', 'meshes', MESHES),
    ('docs/culling.md', r'(\d+) frames of the path', 'frames',
     lambda: constant('samples/culling/camera.hpp', r'path_frames = (\d+);')),
    ('docs/elementwise.md', r'a Feistel network of (\d+) rounds', 'rounds',
     lambda: constant('shaders/elementwise/shuffle_interface.h', r'SHUFFLE_ROUNDS, (\d+)\)')),
    ('docs/frames.md', r'`CompileOptions::frames_in_flight` \((\d+) by default\)', 'frames',
     lambda: constant('graph/include/weir/graph/program.hpp', r'frames_in_flight = (\d+);')),
    ('docs/hosts.md', r'what it has of \[the (\w+) features\]', 'features', FEATURES),
    ('docs/hosts.md', r'(\w+) programs show Weir', 'programs', lambda: len(rows_after('docs/hosts.md', 'cmake -S examples/sdl2'))),
    ('docs/how_it_works.md', r'`shaders/include/weir/workgroup_scans.glsl` has (\w+),', 'scans', SCANS),
    ('docs/how_it_works.md', r'Least significant digit first, (\d+) bits at a time', 'bits',
     lambda: constant('shaders/lib/radix_digit_interface.h', r'RADIX_BITS, (\d+)\)')),
    ('docs/how_it_works.md', r'Radix select, (\d+) bits at a time', 'bits', SELECT_BITS),
    ('docs/own_pass.md', r'over a workgroup, in (\w+) ways', 'scans', SCANS),
    ('docs/paths.md', r'opacity, (\d+) blend modes', 'blend modes', lambda: members_of_enum(PATHS + 'scene.hpp', 'Blend')),
    ('docs/paths.md', r'(\d+) Porter-Duff operators', 'Porter-Duff operators', lambda: members_of_enum(PATHS + 'scene.hpp', 'Composite')),
    ('docs/paths.md', r'a pixel keeps at most (\d+) colors', 'layers', lambda: constant(PATHS + 'scene.hpp', r'max_layers = (\d+);')),
    ('docs/platforms.md', r'none of the (\w+) features', 'features', FEATURES),
    ('docs/reduce.md', r'there are at most (\d+) by default', 'workgroups', most_workgroups),
    ('docs/samples.md', r'a million instances of (\d+) meshes', 'meshes', MESHES),
    ('docs/scan.md', r'Up to (\d+) tiles', 'tiles', max_tiles),
    ('docs/search.md', r'at most ([\d,]+) of them', 'tiles', max_tiles),
    ('docs/shipping.md', r'the last (\d+) are also kept', 'pipelines',
     lambda: constant('engine/include/weir/engine/context.hpp', r'kept_pipelines = (\d+);')),
    ('docs/splats.md', r'for a window, (\d+) lines that all samples share', 'lines', WINDOW),
    ('docs/testing.md', r'the (\d+) litmus tests of', 'tests', lambda: length_of_list('tests/models/litmus.py', 'KHRONOS')),
    ('docs/testing.md', r'and of (\d+) classic ones', 'tests', lambda: length_of_list('tests/models/litmus.py', 'CLASSIC')),
    ('docs/top_k.md', r'finds the last key, (\d+) bits at a time', 'bits', SELECT_BITS),
]


# Other checks. Each is a function; its name is that of the check.

def readme_example():
    lines, block = said('README.md', r'\n## (\w+) lines\n\n<!-- example: nearest.cpp -->\n```cpp\n([^`]*)```')
    expect('README.md', 'lines of the example', number(lines), sum(1 for line in block.split('\n') if line.strip()))


def culling_lines():
    sample = 'samples/culling/'
    features = lines_of_function(sample + 'device.cpp', 'enable_draws')
    frame = ['look', 'bind', 'record', 'record_into', 'record_alone', 'draw', 'finish', 'read']
    per_frame = sum(lines_of_function(sample + 'frames.cpp', name) for name in frame)
    counts = {
        '`enable_draws` in `device.cpp`': features,
        'the rest of `device.*`': lines_of_files(sample + 'device.*') - features,
        ', '.join(f'`{name}`' for name in frame[:-1]) + ' and `read` in `frames.cpp`': per_frame,
        'the rest of `frames.*`': lines_of_files(sample + 'frames.*') - per_frame,
    }
    rows = [row for table in ('## How much is glue', 'Other code of the sample:') for row in rows_after('docs/culling.md', table)]
    for _, lines, where in rows:
        if where not in counts:
            counts[where] = lines_of_files(*(sample + name for name in re.findall('`([^`]+)`', where)))
        expect('docs/culling.md', f'lines in {where}', number(lines), counts.pop(where))
    if counts:
        raise Mistake(f'docs/culling.md has no row for {", ".join(counts)}')


def splats_lines():
    library = 'renderers/splats/'

    def lines_in(file, *names):
        return sum(lines_of_function(f'{library}src/{file}', name) for name in names)
    counts = {
        'graph': lines_in('graph.cpp', 'import_cloud', 'add_projection', 'add_splats', 'add_blend') +
        lines_in('picture.cpp', 'add_picture') + lines_in('frames.cpp', 'build'),
        'per frame': lines_in('frames.cpp', 'record', 'record_into', 'read', 'prepare') + lines_in('picture.cpp', 'set'),
        'upload and bindings of the cloud': lines_in('device_cloud.cpp', 'upload', 'import', 'bind'),
        'kernels': lines_of_files(library + 'shaders/*'),
    }
    for what, lines, _ in rows_after('docs/splats.md', '## Glue code'):
        if what.split(':')[0] in counts:
            expect('docs/splats.md', f'lines for "{what}"', number(lines), counts.pop(what.split(':')[0]))
    if counts:
        raise Mistake(f'docs/splats.md has no row for {", ".join(counts)}')


def rounded(value, like):
    """Returns `value` with the same number of decimal places as the text `like`."""
    return f'{float(value):,.{len(like.partition(".")[2])}f}'


def splats_times():
    rows = {}
    for row in results('nvidia-h200-2026-11-30-splats.csv'):
        key = row['version'], int(row['splats']), int(row['degree']), int(row['size'])
        if key not in rows or float(row['total']) > float(rows[key]['total']):  # the slower of two runs
            rows[key] = row

    def compared(row, other):
        return [f'{int(row[other]) / 1000:.3f}', f'{int(row[other]) / float(row["total"]):.2f}']

    def ms(row):
        return f'{float(row["total"]) / 1000:.3f}'
    for cells in rows_after('docs/splats.md', '## Speed'):
        of_both = [rows['after', number(cells[0]), degree, 1] for degree in (0, 3)]
        wanted = [f'{int(of_both[0]["pairs"]):,}']
        for row in of_both:
            wanted += [ms(row), *compared(row, 'cuda')]
        expect('docs/splats.md', f'in the row of {cells[0]} splats', cells[1:], wanted)
    for cells in rows_after('docs/splats.md', 'HiGS is NVIDIA'):
        row = rows['after', number(cells[0]), 0, number(cells[1])]
        expect('docs/splats.md', f'in the row of {cells[0]} splats of size {cells[1]}', cells[2:],
               [f'{int(row["pairs"]):,}', ms(row), *compared(row, 'higs'), *compared(row, 'cuda')])
    for cells in rows_after('docs/splats.md', 'By stage at degree 0'):
        row = rows[cells[2], number(cells[0]), 0, number(cells[1])]
        stages = ('project', 'depth_order', 'pairs_us', 'tile_order', 'blend', 'total')
        expect('docs/splats.md', f'in the stages of {cells[0]} splats of size {cells[1]}, {cells[2]}', cells[3:],
               [f'{float(row[stage]):.0f}' for stage in stages])
    million = rows['after', 1_000_000, 0, 1]
    ours, *others = said('README.md', r'splats on an H200 in ([\d.]+) ms, where the CUDA original takes ([\d.]+) and '
                                      r"NVIDIA's HiGS ([\d.]*\d)")
    expect('README.md', 'ms for a million splats', [ours, *others],
           [rounded(float(million['total']) / 1000, ours)] +
           [rounded(int(million[name]) / 1000, text) for name, text in zip(('cuda', 'higs'), others)])


def splats_formats():
    wanted = [[row['format'], row['bytes_per_splat'], row['mean'], row['mean_degree_0']]
              for row in results('splat-formats-2026-11-30.csv')]
    expect('docs/splats.md', 'as formats', rows_after('docs/splats.md', 'Size and loss for the generated cloud'), wanted)


def culling_times():
    rows = {(int(row['instances']), row['culling']): row for row in results('nvidia-h200-2026-11-25-culling.csv')}
    for cells in rows_after('docs/culling.md', '## Times'):
        row = rows[number(cells[0]), cells[1]]
        wanted = [f'{float(row["cpu_ms"]):.2f}', f'{float(row["gpu_ms"]):.2f}', f'{float(row["draw_first_us"]) / 1000:.2f}',
                  f'{int(row["draws"]):,}', f'{int(row["instances_drawn"]):,}', f'{int(row["triangles"]):,}']
        for says, is_ in zip(cells[2:], wanted, strict=True):
            if abs(float(says.replace(',', '')) - float(is_.replace(',', ''))) > 0.0101:  # the file is rounded already
                raise Mistake(f'docs/culling.md says {says} in the row of {cells[0]} {cells[1]}, the file {is_}')
    gpu_ms = {cells[1]: cells[3] for cells in rows_after('docs/culling.md', '## Times') if number(cells[0]) == 1_000_000}
    expect('README.md', 'ms for a million instances', list(gpu_ms.values()),
           list(said('README.md', r'on an H200 in ([\d.]+) ms, where it takes ([\d.]+\d) to draw all')))


def paths_times():
    rows = [row for row in results('nvidia-h200-2026-11-30-paths.csv') if row['time'] == 'graph']
    by_lines = {int(row['lines']): row for row in rows}
    for cells in rows_after('docs/paths.md', '## Speed'):
        row = by_lines.get(number(cells[2]))
        if row is None:
            raise Mistake(f'docs/paths.md: no drawing of the file has {cells[2]} lines')
        expect('docs/paths.md', f'us for {cells[0]}', int(cells[3]), round(float(row['median_ms']) * 1000))
        expect('docs/paths.md', f'pixels for {cells[0]}', cells[1], f'{row["width"]} x {row["height"]}')


def peer_times():
    """Checks the sentence of README.md about sorts of 2^12 keys."""
    file = re.search(r'results="\$root/benchmarks/results/(.*)"', text_of('docs/pictures.sh'))[1]
    us = {(row['op'], row['type'], row['impl'].strip('"')): float(row['median_ms']) * 1000
          for row in results(file) if int(row['n']) == 4096}
    low = said('README.md', r'take ([\d.]+) us for keys of low entropy \(CUB ([\d.]+)\)')
    expect('README.md', 'us for keys of low entropy', list(low),
           [rounded(us['radix_sort_keys low_entropy', 'u32', impl], '1.0') for impl in ('weir', 'cub')])
    values = said('README.md', r'and ([\d.]+) us for u64 keys with u32 values \(CUB ([\d.]+)\)')
    expect('README.md', 'us for u64 keys with values', list(values),
           [rounded(us['radix_sort_pairs', 'u64', impl], '1.0') for impl in ('weir', 'cub')])


def comparison_losses():
    """Checks the cells of README.md that docs/comparison.md counts, and its rows of losses."""
    cells = [cell for row in rows_after('README.md', '<!-- speed: README -->') for cell in row[1:] if cell]
    slower, of_all = said('docs/comparison.md', r'CUB is faster in (\d+) of the (\d+) cells of the')
    expect('docs/comparison.md', 'cells in which CUB is faster', [int(slower), int(of_all)],
           [sum('**' in cell for cell in cells), len(cells)])
    losses = {row[0]: row[1] for row in rows_after('docs/performance.md', '<!-- speed: losses -->')}
    for operation, ratios in rows_after('docs/comparison.md', 'The largest losses of Weir'):
        expect('docs/comparison.md', f'for "{operation}"', ratios, losses.get(operation))


def amd_kernels():
    file, = said('docs/platforms.md', r'`benchmarks/results/(amd-radv-[\d-]+\.csv)`')
    rows = results(file)
    says_count('docs/platforms.md', r'has ([\d,]+) rows, one for each kernel', 'rows', len(rows))
    says_count('docs/platforms.md', r'none takes more than ([\d,]+) bytes of workgroup memory', 'bytes',
               max(int(row['lds_bytes']) for row in rows))
    says_count('docs/platforms.md', r'with (\w+) generations and both sizes of subgroups', 'generations',
               len({row['generation'] for row in rows}))
    if any(int(row['spilled_vgprs']) for row in rows):
        raise Mistake('docs/platforms.md says that no kernel spills a vector register')
    spills = [row for row in rows if int(row['spilled_sgprs'])]
    key, count, generation = said('docs/platforms.md', r'shapes of `default`, sorts of (\w+) keys by a single workgroup would spill '
                                  r'(\w+) scalar registers on (\w+),')
    expect('docs/platforms.md', 'as spills of scalar registers',
           {(generation, key, 'radix sort by one workgroup', str(WORDS.index(count)), 'default:2^12')},
           {tuple(row[column] for column in ('generation', 'type', 'pass', 'spilled_sgprs', 'chosen_by')) for row in spills})


def amd_registers():
    """Checks the table of docs/platforms.md: VGPRs, and subgroups per SIMD."""
    file, = said('docs/platforms.md', r'`benchmarks/results/(amd-radv-[\d-]+\.csv)`')
    kernels = { # op, type, pass, the inputs for which the shape is; values are moved by the kernel sort_pairs alone
        'Scan, u32': ('scan', 'u32', 'scan', 'amd:any'),
        'Scan, u64': ('scan', 'u64', 'scan', 'amd:any'),
        'Scan, f32': ('scan', 'f32', 'scan', 'amd:any'),
        'Scan, affine maps': ('scan', 'affine', 'scan', 'amd:any'),
        'Scan by key, u32': ('scan of segments', 'u32', 'scan', 'amd:any'),
        'Reduction by key': ('reduce_by_key', 'u32', 'reduce by key', 'amd:any'),
        'Selection': ('select_if', 'u32', 'select', 'amd:any'),
        'Partition': ('partition', 'u32', 'partition', 'amd:any'),
        'Run-length encoding': ('run_length_encode', 'u32', 'run-length encode', 'amd:any'),
        'Reduction, f32': ('reduce', 'f32', 'reduce', 'amd:any'),
        'Sort of 4096 keys, one workgroup': ('radix_sort', 'u32', 'radix sort by one workgroup', 'amd:2^12'),
        'Sweep of a sort, u32 keys': ('radix_sort', 'u32', 'radix sort sweep', 'amd:any'),
        'Sweep, u64 keys': ('radix_sort', 'u64', 'radix sort sweep', 'amd:any'),
        'Sweep, u32 pairs': ('radix_sort', 'u32', 'radix sort sweep', 'amd:any'),
        'Sort of 1024 keys by ranks': ('radix_sort by ranks', 'u32', 'radix sort by ranks', 'any'),
        'Segmented sort': ('segmented_sort', 'u32', 'segmented sort', 'any'),
        'Union': ('set_union', 'u32', 'set union', 'any'),
    }
    of_kernel = {}
    for row in results(file):
        for name, (op, kind, of, chosen) in kernels.items():
            key = name, row['generation'], row['subgroup']
            if (row['op'], row['type']) == (op, kind) and row['pass'].split(' of bit')[0] == of and \
                    chosen in row['chosen_by'].split() and ('pairs' in name) == (row['kernel'] == 'sort_pairs') and \
                    int(of_kernel.get(key, {'vgprs': 0})['vgprs']) < int(row['vgprs']): # the worst of several sweeps
                of_kernel[key] = row
    table = rows_after('docs/platforms.md', '(2026-11-30; RADV')
    generations = ['polaris10', 'vega10', 'navi10', 'navi21', 'navi31', 'gfx1201']
    expect('docs/platforms.md', 'as the kernels of the table', sorted(row[0] for row in table), sorted(kernels))
    for name, _, *cells in table:
        for generation, cell in zip(generations, cells, strict=True):
            of_sizes = [of_kernel[name, generation, size] for size in ('64', '32') if (name, generation, size) in of_kernel]
            expect('docs/platforms.md', f'in the row "{name}" of {generation}', cell,
                   '; '.join(f'{row["vgprs"]}, {row["subgroups_per_simd"]}' for row in of_sizes))


def constants_of_layers():
    constants = sorted(int(number) for file in (root / 'shaders/include/weir').glob('*.glsl')
                       for number in re.findall(r'^WEIR_CONSTANT\((\d+),', file.read_text(encoding='utf-8'), re.M)
                       if int(number) >= 2000)
    first, last = said('docs/layers.md', r'constants (\d+) to (\d+)')
    expect('docs/layers.md', 'constants', list(range(int(first), int(last) + 1)), sorted(set(constants)))


def sizes_of_programs():
    small, large = said('docs/shipping.md', r'at most ([\d.]+) MB, and all of Weir at most ([\d.]+) MB')
    script = text_of('tests/scripts/install.sh')
    limits = [int(re.search(name + r'\b.*takes_at_most (\d+)', script)[1]) for name in ('size_with_a_sort', 'size_with_all')]
    expect('docs/shipping.md', 'bytes', [float(small) * 1e6, float(large) * 1e6], limits)


def version():
    is_ = re.search(r'project\(weir\s+VERSION ([\d.]+)', text_of('CMakeLists.txt'))
    if is_ is None:
        raise Mistake('CMakeLists.txt has no version')
    for page, pattern in (('README.md', r'The version is ([\d.]+\d)'), ('docs/versions.md', r'The version is ([\d.]+\d)'),
                          ('CHANGELOG.md', r'\n## ([\d.]+)')):
        expect(page, 'as the version', said(page, pattern)[0], is_[1])


def drawings():
    report = text_of('benchmarks/results/svg-references-2026-11-30.md')
    scenes, ours, theirs = said('docs/samples.md', r'over (\d+) scenes its distance to librsvg, resvg and Skia is ([\d.]+) of 255 '
                                r'in the mean, that of these among themselves ([\d.]*\d)')
    row = [cell.strip() for cell in re.search(r'^\| all \|(.*)\|$', report, re.M)[1].split('|')]
    expect('docs/samples.md', 'in the row "all"', [scenes, ours, theirs],
           [row[0], rounded(row[-3], ours), rounded(row[-2], theirs)])
    of_all, passed = said('docs/samples.md', r'Of (\d+) drawings of resvg\'s tests (\d+) are within tolerance')
    expect('docs/samples.md', 'drawings', [passed, of_all], list(re.search(r'(\d+) of (\d+) files pass', report).groups()))


def pixels():
    most = constant('renderers/paths/include/weir/paths/view.hpp', r'max_pixels = (\d+);')
    expect('docs/paths.md', 'pixels', list(said('docs/paths.md', r'Pictures of up to (\d+) x (\d+) pixels')), [str(most)] * 2)


def tiles():
    """Checks the maximum number of keys of sets in all tiles."""
    count = max_tiles()
    keys, wide, *millions = said('docs/search.md', r'Tiles have (\d+) keys of 32 bits or (\d+) of 64 bits') + \
        said('docs/search.md', r'of them: (\d+) or (\d+) million keys')
    expect('docs/search.md', 'million keys', [int(million) for million in millions],
           [round(count * int(per_tile) / 1e6) for per_tile in (keys, wide)])


def legend():
    """Checks the kinds of boxes in pictures of plans."""
    names = re.findall(r'\{"#[0-9a-f]{6}", "([^"]+)"\}', text_of('graph/inspect/dot.cpp'))
    rows = rows_after('docs/inspecting.md', 'A color stands for a kind of box')
    expect('docs/inspecting.md', 'as the kinds of boxes', [row[1] for row in rows], names)


def speed_picture():
    """Checks that docs/speed.svg is drawn from the results file of the speed tables."""
    file = re.search(r'results="\$root/(.*)"', text_of('docs/pictures.sh'))[1]
    drawn = subprocess.run(['awk', '-F', ',', '-f', root / 'docs/speed.awk', root / file], capture_output=True, text=True,
                           check=False, env={'LC_ALL': 'C', 'PATH': '/usr/bin:/bin'})
    if drawn.stdout != text_of('docs/speed.svg'):
        raise Mistake(f'docs/speed.svg is not what docs/speed.awk draws from {file}: ./run pictures {drawn.stderr}')


CHECKS = [readme_example, culling_lines, splats_lines, splats_times, splats_formats, culling_times, paths_times, peer_times, comparison_losses,
          amd_kernels, amd_registers, constants_of_layers, sizes_of_programs, version, drawings, pixels, tiles, legend,
          speed_picture]


def succeeds(name, check):
    """Prints the result of a check. Returns true if it succeeds."""
    try:
        check()
        print(f'ok {name}')
        return True
    except Mistake as mistake:
        print(f'FAIL {name}: {mistake}')
    except (TypeError, KeyError, ValueError, OSError) as mistake:
        print(f'FAIL {name}: {type(mistake).__name__}: {mistake}')
    return False


results_of_checks = [succeeds(check.__name__, check) for check in CHECKS]
results_of_checks += [succeeds(f'{page} {what}', lambda: says_count(page, pattern, what, count())) for page, pattern, what, count in COUNTS]
sys.exit(not all(results_of_checks))
