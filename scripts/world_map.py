# SPDX-License-Identifier: Apache-2.0
"""The map of carom/world: its folders, who uses whom, sizes. check_house.py draws and checks it."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/architecture.md"
BEGIN = "<!-- map: made by 'scripts/check_house.py --map' -->\n"
END = "<!-- end of map -->"
# Folders from the ground up: each may use its own level and those below. Files that lie in
# carom/world itself are data that all folders use, but for the class World on top of all.
LEVELS = [["data"], ["touch", "graph"], ["micro"], ["sleep"], ["cluster"], ["island"],
          ["constrained"], ["pile"],
          ["gas"], ["simulate"], ["world"]]
TOP_FILES = ("world.h", "world.cpp", "overlap.cpp", "promises.h", "promises.cpp")
# Includes against this order that exist, and why. A new one is a problem, and so is one of these
# that is gone: the list can only become shorter.
UPWARD = {
    ("graph/body_track.h", "sleep/rest.h"): "`BodyTrack` holds `QuietSince`",
    ("graph/contact_pair.h", "micro/micro_rule.h"): "`ContactPair` holds its `MicroRule`",
    ("sleep/pile_rest.cpp", "pile/pile_tolerances.h"): "the rule of sleep has its tolerances there",
    ("touch/landing_search.cpp", "island/island_tolerances.h"): "`slow_landing`",
    ("touch/touching.cpp", "island/island_tolerances.h"): "`first_step`",
}
LONGEST = 350  # lines of a file
MOST_FUNCTIONS = 40  # member functions of a class
# Classes above that, with the number they may not exceed; a smaller number has to be written here.
LARGE = {"BallEngine": 42, "Simulator": 42}
ROUNDED = 100  # lines in the map are rounded to this, or every edit would change it


def folder_of(name):
    """The folder of a file, given by its path below carom/world."""
    if "/" in name:
        return name.split("/")[0]
    return "world" if name in TOP_FILES else "data"


def without_comments(text):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"\balignas\(\d+\)|template\s*<[^<>]*>", "", text)


def end_of_block(text, start):
    """The place of the brace that closes the one at start."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def is_function(statement):
    """Whether a statement of a class body, without its blocks, declares a member function."""
    statement = re.sub(r"\b(public|private|protected)\s*:", " ", statement)
    statement = re.sub(r"\[\[.*?\]\]", " ", statement)
    if re.search(r"\b(using|friend|static_assert|typedef)\b", statement):
        return False
    if re.search(r"=\s*delete", statement):
        return False
    # what is inside angles belongs to a type
    while re.search(r"<[^<>]*>", statement):
        statement = re.sub(r"<[^<>]*>", " ", statement)
    if re.search(r"\boperator\b", statement):
        return True
    found = re.search(r"[\w~]\s*\(", statement)
    return found is not None and "=" not in statement[:found.start()]


def classes(text):
    """Name and number of member functions of every class and struct of a source."""
    text = without_comments(text)
    for found in re.finditer(r"\b(?<!enum )(?:class|struct)\s+(\w+)[^;{}()=]*\{", text):
        start = found.end() - 1
        body = text[start + 1:end_of_block(text, start)]
        # a block ends a statement if it is that of a function
        count, statement, at = 0, "", 0
        while at < len(body):
            if body[at] == "{":
                at = end_of_block(body, at)
                if "(" in statement:
                    count += is_function(statement)
                    statement = ""
            elif body[at] == ";":
                count += is_function(statement)
                statement = ""
            else:
                statement += body[at]
            at += 1
        yield found[1], count


class Module:
    """What the sources of carom/world say; paths are those below it."""

    def __init__(self, paths):
        base = ROOT / "carom/world"
        self.texts = {str(p.relative_to(base)): p.read_text() for p in paths}
        self.includes = []  # file, line, included file
        for name, text in sorted(self.texts.items()):
            for number, line in enumerate(text.splitlines(), 1):
                found = re.match(r'#include "carom/world/([^"]+)"', line)
                if found:
                    self.includes.append((name, number, found[1]))

    def largest_class(self, folder):
        counts = [(count, name) for file, text in self.texts.items() if folder_of(file) == folder
                  for name, count in classes(text)]
        return max(counts, default=(0, ""))

    def row(self, folder):
        files = [name for name in self.texts if folder_of(name) == folder]
        lines = sum(self.texts[name].count("\n") for name in files)
        order = [name for level in LEVELS for name in level]
        used = {folder_of(target) for name, _, target in self.includes
                if folder_of(name) == folder and (name, target) not in UPWARD} - {folder}
        count, largest = self.largest_class(folder)
        rounded = max(ROUNDED, round(lines / ROUNDED) * ROUNDED)
        uses = ", ".join(f"`{name}`" for name in order if name in used)
        shown = {"data": "(data)", "world": "(`World`)"}.get(folder, f"`{folder}/`")
        return f"| {shown} | {uses} | {len(files)} | {rounded} | `{largest}`, {count} |"

    def table(self):
        lines = ["| folder | uses | files | lines, about | largest class, member functions |",
                 "|---|---|---|---|---|"]
        lines += [self.row(folder) for level in LEVELS for folder in level]
        lines += ["", "Includes against this order:", "", "| file | includes | why |", "|---|---|---|"]
        lines += [f"| `{name}` | `{target}` | {why} |"
                  for (name, target), why in sorted(UPWARD.items())]
        return "\n".join(lines) + "\n"


def check_order(module, problem):
    place = {name: i for i, level in enumerate(LEVELS) for name in level}
    for folder in sorted({folder_of(name) for name in module.texts} - place.keys()):
        problem(f"carom/world/{folder}", "not in LEVELS of scripts/world_map.py")
    found = set()
    for name, number, target in module.includes:
        upper, lower = folder_of(name), folder_of(target)
        if (name, target) in UPWARD:
            found.add((name, target))
        elif place.get(lower, 0) > place.get(upper, len(LEVELS)):
            problem(f"carom/world/{name}:{number}", f"'{upper}' may not use '{lower}'")
    for name, target in sorted(UPWARD.keys() - found):
        problem(f"carom/world/{name}", f"does not include '{target}' any more: take that out of "
                                       "UPWARD in scripts/world_map.py")


def check_sizes(module, problem):
    for name, text in module.texts.items():
        if text.count("\n") > LONGEST:
            problem(f"carom/world/{name}", f"{text.count(chr(10))} lines; no file of this module "
                                           f"may have more than {LONGEST}")
        for found, count in classes(text):
            most = LARGE.get(found, MOST_FUNCTIONS)
            if count > most:
                problem(f"carom/world/{name}", f"'{found}' has {count} member functions; no class "
                                               f"of this module may have more than {most}")
            elif found in LARGE and name.endswith(".h") and count < most:
                problem(f"carom/world/{name}", f"'{found}' has {count} member functions: write "
                                               "that into LARGE in scripts/world_map.py, or take it out")


def check_map(paths, problem, write):
    """The order, the sizes, and that the page shows them; with `write` the page is renewed."""
    module = Module(paths)
    check_order(module, problem)
    check_sizes(module, problem)
    text = PAGE.read_text() if PAGE.is_file() else ""
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 or end < 0:
        problem("docs/architecture.md", "no place for the map of carom/world")
        return
    start += len(BEGIN)
    if text[start:end] == module.table():
        return
    if write:
        PAGE.write_text(text[:start] + module.table() + text[end:])
    else:
        problem("docs/architecture.md", "the map of carom/world is out of date; run "
                                        "scripts/check_house.py --map")
