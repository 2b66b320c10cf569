#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks of the house: who includes whom, what every law must have, headers, lengths, format.

usage: check_house.py          check
       check_house.py --map    renew the map of carom/world in docs/architecture.md, and check
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import world_map

ROOT = pathlib.Path(__file__).resolve().parent.parent
# each room and the rooms it may use, from the ground up
ROOMS = {
    "math": [],
    "impact": ["math"],
    "shape": ["math"],
    "motion": ["math"],
    "detect": ["math", "shape", "motion"],
    "world": ["math", "impact", "shape", "motion", "detect"],
    "scene": ["math", "impact", "shape", "motion", "detect", "world"],
    "record": ["math", "impact", "shape", "motion", "detect", "world"],
    "serve": ["math", "impact", "shape", "motion", "detect", "world", "scene", "record"],
    "cli": ["math", "impact", "shape", "motion", "detect", "world", "scene", "record", "serve"],
}
LONGEST = 450
PROBLEMS = []


def problem(where, what):
    PROBLEMS.append(f"{where}: {what}")


def tracked(*patterns):
    out = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in out.stdout.splitlines() if (ROOT / line).is_file()]


def check_includes():
    for path in tracked("carom/*.h", "carom/*.cpp"):
        room = path.relative_to(ROOT).parts[1]
        allowed = {room, *ROOMS.get(room, [])}
        if room not in ROOMS:
            problem(path, f"room '{room}' is not in the list of rooms")
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'#include "carom/(\w+)/', line)
            if found and found[1] not in allowed:
                problem(f"{path}:{number}", f"'{room}' may not use '{found[1]}'")
            if re.match(r'#include "(tests|bench)/', line):
                problem(f"{path}:{number}", "the library may not use tests or benchmarks")


def check_laws():
    table = (ROOT / "carom/impact/law_table.cpp").read_text()
    names = re.findall(r'\{LawId::(\w+), "([a-z-]+)"', table)
    if len(names) < 16:
        problem("carom/impact/law_table.cpp", "found fewer laws than there are")
    for stem, name in names:
        for path in (f"carom/impact/{stem}.h", f"carom/impact/{stem}.cpp",
                     f"tests/impact/{stem}_test.cpp", f"docs/theory/{name}.md"):
            if not (ROOT / path).is_file():
                problem(path, f"missing: law '{name}' needs it")


def check_files():
    for path in tracked("*.h", "*.cpp", "*.py", "CMakeLists.txt", "*.cmake", "*.sh", "run", "test"):
        text = path.read_text()
        if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(text.splitlines()[:3]):
            problem(path, "no SPDX line at the top")
        lines = text.count("\n")
        if lines > LONGEST and path.suffix in (".h", ".cpp", ".py"):
            problem(path, f"{lines} lines; no file may have more than {LONGEST}")
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b", line):
                problem(f"{path}:{number}", "unfinished work")


def check_node():
    """Every package of the pages must run with Debian 12's node."""
    debian = (18, 20)
    lock = json.loads((ROOT / "viewer/package-lock.json").read_text())
    for name, package in lock["packages"].items():
        least = re.match(r">=\s*(\d+)(?:\.(\d+))?", package.get("engines", {}).get("node", ""))
        if least and (int(least[1]), int(least[2] or 0)) > debian:
            problem("viewer/package-lock.json",
                    f"{name} needs node {package['engines']['node']}; Debian 12 has 18.20")
        if "resolved" in package and "://" in package["resolved"]:
            problem("viewer/package-lock.json", f"{name} names the host of a registry")


def check_units():
    """Every source of a module is in the list of its CMakeLists.txt."""
    for path in tracked("carom/*.cpp"):
        room = ROOT / "carom" / path.relative_to(ROOT).parts[1]
        name = str(path.relative_to(room))
        if not re.search(rf"(^|\s){re.escape(name)}(\s|\)|$)", (room / "CMakeLists.txt").read_text()):
            problem(path, f"not in {room.relative_to(ROOT)}/CMakeLists.txt")


def check_format():
    tool = shutil.which("clang-format")
    if tool is None:
        problem("clang-format", "not installed")
        return
    files = tracked("carom/*.h", "carom/*.cpp", "tests/*.h", "tests/*.cpp", "bench/*.h",
                    "bench/*.cpp")
    done = subprocess.run([tool, "--dry-run", "-Werror", *map(str, files)], capture_output=True,
                          text=True)
    if done.returncode != 0:
        names = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.M)))
        for name in names:
            problem(name, "not formatted; run clang-format -i on it")


def main():
    check_includes()
    world_map.check_map(tracked("carom/world/*.h", "carom/world/*.cpp"), problem,
                        "--map" in sys.argv)
    check_laws()
    check_files()
    check_node()
    check_units()
    check_format()
    for line in PROBLEMS:
        print(line.replace(str(ROOT) + "/", ""), file=sys.stderr)
    print(f"house: {len(PROBLEMS)} problems")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
