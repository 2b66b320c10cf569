#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documents against the program: the table of laws, every example, every link.

usage: check_docs.py PROGRAM            check
       check_docs.py PROGRAM --write    renew the table of laws in the README
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN = "<!-- laws: made by 'carom laws --markdown' -->\n"
END = "<!-- end of laws -->"
PROBLEMS = []


def problem(where, what):
    PROBLEMS.append(f"{where}: {what}")


def run(program, *arguments, text=""):
    return subprocess.run([program, *arguments], input=text, capture_output=True, text=True,
                          cwd=ROOT)


def check_table(program, write):
    readme = ROOT / "README.md"
    text = readme.read_text()
    table = run(program, "laws", "--markdown").stdout
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 or end < 0:
        problem("README.md", "no place for the table of laws")
        return
    start += len(BEGIN)
    if text[start:end] != table:
        if write:
            readme.write_text(text[:start] + table + text[end:])
        else:
            problem("README.md", "the table of laws is not that of the program; "
                                 "run scripts/check_docs.py PROGRAM --write")


def blocks(path, kind):
    text = path.read_text()
    for found in re.finditer(rf"^```{kind}\n(.*?)^```", text, re.M | re.S):
        yield text.count("\n", 0, found.start()) + 1, found[1]


def check_problems(program, path):
    """Every json-problem block must be solved by the program."""
    for line, body in blocks(path, "json-problem"):
        done = run(program, "impact", "--json", text=body)
        answers = [json.loads(out) for out in done.stdout.splitlines()]
        if done.returncode != 0 or not answers or any("p" not in a for a in answers):
            problem(f"{path}:{line}", f"the example is not solved: {done.stdout}{done.stderr}")


def check_shell(program, path):
    """Every console block: lines after '$ ' are run, what follows must be what they print."""
    for line, body in blocks(path, "console"):
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.M):
            real = command.replace("build/release/carom", program)
            done = subprocess.run(["bash", "-c", real], capture_output=True, text=True, cwd=ROOT)
            if done.stdout != expected:
                problem(f"{path}:{line}", f"'{command}' prints\n{done.stdout}instead of\n{expected}")


def check_links(path):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
        if not (path.parent / target).exists():
            problem(path, f"link to '{target}', which is not there")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    check_table(program, "--write" in sys.argv)
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((ROOT / "docs").rglob("*.md"))
    for path in pages:
        check_problems(program, path)
        check_shell(program, path)
        check_links(path)
    for line in PROBLEMS:
        print(line.replace(str(ROOT) + "/", ""), file=sys.stderr)
    print(f"documents: {len(pages)} pages, {len(PROBLEMS)} problems")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
