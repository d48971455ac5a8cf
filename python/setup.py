"""Builds the wheel in the folder that wheel.sh has prepared."""

import os

from setuptools import setup

setup(
    version=os.environ["WEIR_VERSION"],
    cffi_modules=["build_native.py:ffi"],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
