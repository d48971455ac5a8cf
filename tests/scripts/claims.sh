#!/usr/bin/env bash
# Compares figures in README.md and docs/ with counts of the tree: lines of programs, rows of results, members of enums.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/claims.py"
