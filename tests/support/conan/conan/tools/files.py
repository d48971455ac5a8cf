import fnmatch
import os
import shutil


def load(recipe, path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def copy(recipe, pattern, src, dst):
    """Copies the files below src whose path relative to src matches, with their folders."""
    copied = []
    for folder, folders, files in os.walk(src):
        if folder == src: # large, and no pattern asks for files of them
            folders[:] = [name for name in folders if name not in ("build", ".git")]
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), src)
            if fnmatch.fnmatch(path, pattern):
                os.makedirs(os.path.dirname(os.path.join(dst, path)), exist_ok=True)
                shutil.copy2(os.path.join(src, path), os.path.join(dst, path))
                copied.append(path)
    assert copied, f"nothing in {src} matches {pattern}"
    return copied


def rmdir(recipe, path):
    shutil.rmtree(path, ignore_errors=True)
