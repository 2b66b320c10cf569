#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the Carom authors
"""How much faster a chaotic scene is in `lasting` than in `micro`: the mean over runs that differ in
gravity by 1e-7, each the better of two.

    bench/scenes/compare_modes.py PROGRAM SCENE [RUNS]
    bench/scenes/compare_modes.py build/release/carom scenes/coins.toml 16
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile


def run(program, scene):
    best = None
    for _ in range(2):
        command = [program, "run", str(scene), "--json", "--quiet", "--no-recording"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        if best is None or answer["wall"] < best["wall"]:
            best = answer
    return best


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) == 4 else 16
    text = re.sub(r"(?m)^(contact|gravity) = .*\n", "", source.read_text())
    total = {"micro": 0.0, "lasting": 0.0}
    impacts = dict.fromkeys(total, 0)
    overlap = 0.0
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / source.name
        for k in range(runs):
            for mode in total:
                settings = f'[simulation]\ncontact = "{mode}"\ngravity = [0, 0, {-9.81 * (1 + 1e-7 * k)!r}]'
                scene.write_text(text.replace("[simulation]", settings, 1))
                answer = run(program, scene)
                total[mode] += answer["wall"]
                impacts[mode] += answer["impacts"]
                if mode == "lasting":
                    overlap = max(overlap, answer["audit"]["max_overlap"])
    for mode in total:
        print(f"{mode:8} {1e3 * total[mode] / runs:8.1f} ms  {impacts[mode] / runs:8.1f} impacts")
    print(f"{total['micro'] / total['lasting']:.2f} times faster; largest overlap {1e3 * overlap:.3g} mm")


main()
