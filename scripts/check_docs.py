#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documents against the program and the sources.

usage: check_docs.py PROGRAM            check
       check_docs.py PROGRAM --write    renew the table of laws in the README

Fenced blocks are checked by their info string:
  ```json-problem        each line must be solved by 'carom impact'
  ```console             lines after '$ ' are run; what follows them must be what they print
  ```toml                a whole scene ([simulation] and bodies) must pass 'carom check'
  ```python run          a whole script; it is run with the program on the PATH, in a folder that all
                         scripts of a page share. Needs numpy and h5py, and is skipped without them.
  ```python              must compile
  ```text output         what the 'python run' block before it prints
  ```cpp from FILE       the lines stand in FILE, in this order ('// ...' leaves some out)
  ```cmake from FILE     the same
  ```cpp compile         a whole source file; the compiler must accept it
Links, also those to headings, must lead somewhere; every page must be linked from the README or from
the index of theory; the README must name every command. Tests that a page names, as `Suite.Test`,
`Suite.*` or in a --gtest_filter, must be in tests/.
"""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN = "<!-- laws: made by 'carom laws --markdown' -->\n"
END = "<!-- end of laws -->"
LONGEST = 120  # s, of one script or command
PROBLEMS = []
SKIPPED = []


def problem(where, what):
    PROBLEMS.append(f"{where}: {what}")


def run(program, *arguments, text=""):
    return subprocess.run([program, *arguments], input=text, capture_output=True, text=True,
                          cwd=ROOT)


def blocks(path):
    """Line, info string and text of every fenced block of a page."""
    text = path.read_text()
    for found in re.finditer(r"^```([^\n`]+)\n(.*?)^```", text, re.M | re.S):
        yield text.count("\n", 0, found.start()) + 1, found[1].strip(), found[2]


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


def check_commands(program):
    """The README names every command that the program has."""
    text = (ROOT / "README.md").read_text()
    shown = run(program, "--help").stdout
    start = re.search(r"^(sub)?commands:$", shown, re.M | re.I)
    names = re.findall(r"^  ([a-z]+) ", shown[start.end():], re.M) if start else []
    if not names:
        problem("README.md", "'carom --help' lists no commands")
    for name in names:
        if not re.search(rf"`carom {name}\b", text):
            problem("README.md", f"'carom {name}' is not in the table of commands")


def check_problem_lines(program, where, body):
    done = run(program, "impact", "--json", text=body)
    answers = [json.loads(out) for out in done.stdout.splitlines()]
    if done.returncode != 0 or not answers or any("error" in answer for answer in answers):
        problem(where, f"the example is not solved: {done.stdout}{done.stderr}")


def check_console(program, where, body):
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.M):
        real = command.replace("build/release/carom", program)
        try:
            done = subprocess.run(["bash", "-c", real], capture_output=True, text=True, cwd=ROOT,
                                  timeout=LONGEST)
        except subprocess.TimeoutExpired:
            problem(where, f"'{command}' does not end within {LONGEST} s")
            continue
        if done.stdout != expected:
            problem(where, f"'{command}' prints\n{done.stdout}{done.stderr}instead of\n{expected}")


def check_scene(program, where, body, folder):
    if "[simulation]" not in body or "[[body]]" not in body:
        return
    scene = folder / "scene.toml"
    scene.write_text(body)
    done = run(program, "check", str(scene))
    if done.returncode != 0:
        problem(where, f"the scene is wrong: {done.stderr}")


@functools.cache
def script_python():
    """A Python with numpy and h5py; the system's has Debian's packages. None if there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            subprocess.run([python, "-c", "import numpy, h5py"], check=True, capture_output=True)
            return python
        except (OSError, subprocess.CalledProcessError):
            pass
    return None


def run_script(program, where, body, folder):
    """What a script prints; None when it was not run to its end."""
    if script_python() is None:
        SKIPPED.append(where)
        return None
    script = folder / "example.py"
    script.write_text(body)
    path = f"{pathlib.Path(program).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        done = subprocess.run([script_python(), str(script)], capture_output=True, text=True,
                              cwd=folder, timeout=LONGEST, env={**os.environ, "PATH": path})
    except subprocess.TimeoutExpired:
        problem(where, f"the script does not end within {LONGEST} s")
        return None
    if done.returncode != 0:
        problem(where, f"the script fails:\n{done.stdout}{done.stderr}")
        return None
    return done.stdout


def check_quote(where, body, name):
    """The lines of a block stand in a file, in this order."""
    file = ROOT / name
    if not file.is_file():
        problem(where, f"quotes '{name}', which is not there")
        return
    lines = [line.strip() for line in file.read_text().splitlines()]
    at = 0
    for part in re.split(r"^\s*(?://|#) \.\.\.\s*\n", body, flags=re.M):
        quoted = [line.strip() for line in part.strip("\n").splitlines()]
        found = next((i for i in range(at, len(lines) - len(quoted) + 1)
                      if lines[i:i + len(quoted)] == quoted), None)
        if found is None:
            problem(where, f"'{name}' does not hold these lines:\n{part}")
            return
        at = found + len(quoted)


def check_compiles(where, body):
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    eigen = next((p for p in ("/usr/include/eigen3", "/usr/local/include/eigen3")
                  if pathlib.Path(p).is_dir()), "/usr/include/eigen3")
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{ROOT}",
                           f"-isystem{eigen}", "-xc++", "-"], input=body, capture_output=True,
                          text=True)
    if done.returncode != 0:
        problem(where, f"the compiler refuses it:\n{done.stderr}")


def check_syntax(where, body):
    """Python that is not run is at least Python."""
    try:
        compile(body, where, "exec")
    except SyntaxError as error:
        problem(where, f"not Python: {error}")


def check_blocks(program, path):
    printed = None  # by the last script
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for line, info, body in blocks(path):
            where = f"{path}:{line}"
            kind, _, rest = info.partition(" ")
            if kind == "json-problem":
                check_problem_lines(program, where, body)
            elif kind == "console":
                check_console(program, where, body)
            elif kind == "toml":
                check_scene(program, where, body, folder)
            elif info == "python run":
                printed = run_script(program, where, body, folder)
            elif info == "text output":
                if printed is not None and printed != body:
                    problem(where, f"the script prints\n{printed}instead of\n{body}")
            elif kind in ("cpp", "cmake") and rest.startswith("from "):
                check_quote(where, body, rest[5:])
            elif info == "cpp compile":
                check_compiles(where, body)
            elif kind == "cpp":
                problem(where, "say how this block is checked: 'cpp from FILE' or 'cpp compile'")
            elif kind == "python":
                check_syntax(where, body)


def headings(path):
    """The anchors of a page, as GitHub makes them."""
    anchors = set()
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    for title in re.findall(r"^#+ (.*)$", text, re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchors.add(re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-"))
    return anchors


def links(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target:
            name, _, anchor = target.partition("#")
            yield (path.parent / name).resolve() if name else path, anchor, target


def check_links(path):
    for file, anchor, target in links(path):
        if not file.exists():
            problem(path, f"link to '{target}', which is not there")
        elif anchor and file.suffix == ".md" and anchor not in headings(file):
            problem(path, f"link to '{target}': no such heading")


@functools.cache
def tests():
    """Suite and name of every C++ test."""
    kind = re.compile(r"\b(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)")
    return {found for file in (ROOT / "tests").rglob("*.cpp") for found in kind.findall(file.read_text())}


def check_tests(path):
    """The tests that a page names are there. Both parts of such a name begin with a capital."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    named = re.findall(r"`([A-Z]\w*)\.([A-Z]\w*|\*)`", text)
    named += re.findall(r"--gtest_filter='([A-Z]\w*)\.([A-Z]\w*|\*)'", path.read_text())
    suites = {suite for suite, _ in tests()}
    for suite, name in named:
        if (suite, name) not in tests() and not (name == "*" and suite in suites):
            problem(path, f"no test is called '{suite}.{name}'")


def check_index(pages):
    """Every page can be found from the README or from the index of theory."""
    known = set()
    for index in (ROOT / "README.md", ROOT / "docs/theory/index.md"):
        known |= {file for file, _, _ in links(index)}
    for path in pages:
        if path.name != "README.md" and path not in known:
            problem(path, "no index names this page")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    check_table(program, "--write" in sys.argv)
    check_commands(program)
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((ROOT / "docs").rglob("*.md"))
    check_index(pages)
    for path in pages:
        check_blocks(program, path)
        check_links(path)
        check_tests(path)
    for line in PROBLEMS:
        print(line.replace(str(ROOT) + "/", ""), file=sys.stderr)
    skipped = f", {len(SKIPPED)} scripts not run (no numpy or h5py)" if SKIPPED else ""
    print(f"documents: {len(pages)} pages, {len(PROBLEMS)} problems{skipped}")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
