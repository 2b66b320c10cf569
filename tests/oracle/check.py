# SPDX-License-Identifier: Apache-2.0
"""Solves every problem in a folder of vectors again and prints the largest relative error per file.

Usage: check.py FOLDER [NAME ...]      (NAME: file names without .jsonl; default: all that fit)
The error is max|p - p_expected| / max|p_expected|. Exit code 1 when a file exceeds its bound.
"""
import json
import pathlib
import sys
import time

from common import Uncertain
from laws import solve

BOUND = {"compliant": 1e-10}


def error(p, expected):
    scale = max(abs(x) for x in expected)
    miss = max(abs(float(x - y)) for x, y in zip(p, expected))
    return miss / scale if scale else miss


def main():
    folder = pathlib.Path(sys.argv[1])
    names = sys.argv[2:] or sorted(x.stem for x in folder.glob("*.jsonl"))
    bad = False
    print("%-24s %5s %12s %10s %8s" % ("file", "lines", "max error", "worst id", "seconds"))
    for name in names:
        worst, where, count, start = 0.0, "-", 0, time.time()
        for line in open(folder / (name + ".jsonl")):
            case = json.loads(line)
            problem = case["problem"]
            if "K" not in problem or "p" not in case["expect"]:
                continue
            count += 1
            try:
                miss = error(solve(problem), case["expect"]["p"])
            except Uncertain as why:
                print("  %s %s: %s" % (name, problem.get("id"), why))
                bad = True
                continue
            if miss > worst:
                worst, where = miss, problem.get("id")
        if count:
            bad |= worst > BOUND.get(name, 1e-12)
            print("%-24s %5d %12.2e %10s %8.1f" % (name, count, worst, where, time.time() - start), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
