# SPDX-License-Identifier: Apache-2.0
"""An independent judge of the program: runs random scenes and measures what came out.

    judge.py PROGRAM --seeds A:B [--jobs 1] [--timeout 30] [--keep FOLDER]
    judge.py PROGRAM scene.toml ...          judges scene files instead of seeds

Method. Each scene (random_scenes.py) is run with `PROGRAM run`; a run that takes longer than the timeout,
in processor time, is a hang, one that ends by a signal a crash, one with another exit code than 0 an error.
Poses are then taken with `PROGRAM sample` at random times, at the times of impacts and shortly after them.
From these and the tables /bodies and /shapes of the recording the judge computes by itself

- through: the deepest overlap of any two bodies (overlap.py), relative to the radius of the smaller free
  body; bad above 1e-3. What is reported is a certified lower bound;
- energy: kinetic and potential energy; bad where it rises by more than 1e-6 of its scale above an earlier
  value, in scenes where no fixed body moves ("small" up to 1e-3, "energy" above). The scale is the largest
  energy above the lowest places reached, plus the sum of m g r. In mode "micro" the bounces that its manual
  states are allowed;
- momentum: linear and angular momentum; bad where they change by more than 1e-7 of their scale, in scenes
  without gravity and without fixed bodies.

A hang is stopped with SIGTERM, then killed; what it recorded until then is judged too. Needs numpy and h5py.
Exit code: 0 all good, 1 some scene is bad, 2 wrong call.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

import h5py
import numpy as np

import overlap
import random_scenes

THROUGH = 1e-3
ENERGY = 1e-6
LARGE_RISE = 1e-3
MOMENTUM = 1e-7
NOTICED = 2e-4  # overlaps below this part of the radius are not measured further
MOST_GROWN = 1500  # pairs and times of a scene that are measured to the end
Bad = collections.namedtuple("Bad", "kind size text")


# --- running the program --------------------------------------------------------------------------------


def cpu_seconds(pid):
    """Processor time of a living process."""
    try:
        fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return math.nan


def stop(process):
    """Ends a run that takes too long; says how it took it."""
    used = cpu_seconds(process.pid)
    process.send_signal(signal.SIGTERM)
    try:
        process.communicate(timeout=5)
        return used, "stopped by SIGTERM"
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return used, "did not react to SIGTERM within 5 s"


def wait(process, timeout):
    """What a run said on standard error when it ended; None when it has used up its time.

    Time is that of the processor, so that a busy machine makes no hangs, or four times as long by the clock."""
    until = time.monotonic() + 4 * timeout
    while time.monotonic() < until and not cpu_seconds(process.pid) >= timeout:
        try:
            return process.communicate(timeout=0.25)[1]
        except subprocess.TimeoutExpired:
            pass
    return None


def run(program, scene, recording, timeout):
    """Runs a scene: (a Bad or None, the wall time)."""
    begun = time.monotonic()
    call = [program, "run", scene, "-o", recording, "--json", "--quiet"]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    err = wait(process, timeout)
    if err is None:
        used, how = stop(process)
        text = "not done after %.0f s of processor time (%.0f s by the clock), %s" % (used, time.monotonic() - begun, how)
        return Bad("hang", used, text), time.monotonic() - begun
    wall = time.monotonic() - begun
    message = " ".join(err.replace(os.path.dirname(scene) + "/", "").split())[:300]
    if process.returncode < 0:
        return Bad("crash", 1, "signal %s; %s" % (signal.Signals(-process.returncode).name, message)), wall
    if process.returncode:
        return Bad("error", process.returncode, "exit code %d; %s" % (process.returncode, message)), wall
    return None, wall


# --- reading what it recorded ---------------------------------------------------------------------------


def read_parts(file):
    """The convex parts of each body."""
    vertices = file["hull_vertices"][:] if "hull_vertices" in file else np.zeros((0, 3))
    parts = collections.defaultdict(list)
    for row in file["shapes"][:]:
        first = int(row["first_vertex"])
        parts[int(row["body"])].append(overlap.Part(
            overlap.KINDS[int(row["type"])], float(row["radius"]), float(row["length"]), tuple(row["size"].tolist()),
            tuple(row["normal"].tolist()), np.array(vertices[first:first + int(row["vertices"])], float).reshape(-1, 3),
            row["position"].astype(float), overlap.rotation(row["orientation"])))
    return parts


class Recording:
    """Bodies, shapes, and states at chosen times."""

    def __init__(self, program, path, rng, samples=50):
        with h5py.File(path, "r", swmr=True) as file:
            self.bodies = file["bodies"][:]
            self.parts = read_parts(file)
            if not len(file["commits"]):
                raise RuntimeError("nothing was committed")
            last = file["commits"][-1]
            self.end = float(last["t"])
            events = file["events"][: int(last["events"])]
            settings = file["header"]["settings"][()]
        settings = settings if isinstance(settings, bytes) else bytes(settings)
        self.settings = json.loads(settings.rstrip(b"\0"))
        self.free = self.bodies["fixed"] == 0
        hits = events["t"][(events["kind"] <= 2)]
        self.times = self.choose(rng, hits, samples)
        self.sample(program, path)

    def choose(self, rng, hits, samples):
        times = [0.0, self.end] + [rng.uniform(0, self.end) for _ in range(samples)]
        if len(hits):
            chosen = [float(hits[rng.randrange(len(hits))]) for _ in range(20)]
            times += chosen + [t + 10 ** rng.uniform(-6, -2) for t in chosen]
        return sorted({t for t in times if 0 <= t <= self.end})

    def sample(self, program, path):
        target = path + ".npz"
        call = [program, "sample", path, "--at", ",".join(map(repr, self.times)), "-o", target, "--force"]
        done = subprocess.run(call, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise RuntimeError("sample: exit code %d; %s" % (done.returncode, " ".join(done.stderr.split())[-200:]))
        states = np.load(target)
        self.t = states["t"]
        self.pos = states["position"]  # [T,B,3]
        self.rot = overlap.rotation(states["orientation"])  # [T,B,3,3]
        self.v = states["velocity"]
        self.w = states["angular_velocity"]
        self.center = self.pos + np.einsum("tbij,bj->tbi", self.rot, self.bodies["center"])


# --- overlap --------------------------------------------------------------------------------------------


def near(rec, a, b):
    """Numbers of the times at which the bounding spheres of two bodies meet."""
    reach = rec.bodies["radius"][a] + rec.bodies["radius"][b]
    if not math.isfinite(reach):
        return np.arange(len(rec.t))
    middle_a, middle_b = rec.center[:, a], rec.center[:, b]
    if rec.bodies["fixed"][b]:
        middle_b = rec.pos[:, b]
    if rec.bodies["fixed"][a]:
        middle_a = rec.pos[:, a]
    return np.nonzero(np.linalg.norm(middle_a - middle_b, axis=1) < reach)[0]


def small_radius(rec, a, b):
    return min(rec.bodies["radius"][i] for i in (a, b) if rec.free[i])


def suspects(rec):
    """(relative upper bound, exact, time number, body, part, body, part, direction), the worst first."""
    found = []
    count = len(rec.bodies)
    for a, b in ((a, b) for a in range(count) for b in range(a + 1, count) if rec.free[a] or rec.free[b]):
        when = near(rec, a, b)
        if not len(when):
            continue
        size = small_radius(rec, a, b)
        for pa in rec.parts[a]:
            for pb in rec.parts[b]:
                place_a = overlap.place(pa, rec.pos[when, a], rec.rot[when, a])
                place_b = overlap.place(pb, rec.pos[when, b], rec.rot[when, b])
                values, exact, d = overlap.bounds(pa, *place_a, pb, *place_b)
                for k in np.nonzero(values > NOTICED * size)[0]:
                    poses = (place_a[0][k], place_a[1][k]), (place_b[0][k], place_b[1][k])
                    found.append((values[k] / size, exact, int(when[k]), a, pa, poses[0], b, pb, poses[1], d[k]))
    return sorted(found, key=lambda s: -s[0])


def deepest(rec):
    """The deepest overlap relative to the smaller radius: (lower bound, upper bound, time, body, body)."""
    best, grown = (0.0, 0.0, 0.0, 0, 0), 0
    for upper, exact, k, a, pa, pose_a, b, pb, pose_b, d in suspects(rec):
        if upper <= best[0] or grown >= MOST_GROWN:
            break
        low = upper
        if not exact:
            grown += 1
            size = small_radius(rec, a, b)
            low, upper = (x / size for x in overlap.grow(pa, pose_a, pb, pose_b, d, NOTICED * size))
        if low > best[0]:
            best = (low, upper, float(rec.t[k]), a, b)
    return best


def check_overlap(rec):
    low, high, t, a, b = deepest(rec)
    if low <= THROUGH:
        return []
    names = [rec.bodies["name"][i].decode().rstrip("\0") for i in (a, b)]
    size = small_radius(rec, a, b)
    return [Bad("through", low, "%s in %s by %.3g of the radius (%.3g m) at t = %.6g s" % (*names, low, low * size, t))]


# --- energy and momentum --------------------------------------------------------------------------------


def turning_inertia(rec, free):
    """Inertia in world axes [T,F,3,3]."""
    r = rec.rot[:, free]
    return r @ rec.bodies["inertia"][free] @ np.swapaxes(r, -1, -2)


def energies(rec):
    """The energy at each time, its scale, and what mode "micro" may give and take."""
    free = np.nonzero(rec.free)[0]
    m = rec.bodies["mass"][free]
    g = np.array(rec.settings["gravity"], float)
    v, w, c = rec.v[:, free], rec.w[:, free], rec.center[:, free]
    kinetic = 0.5 * np.sum(m * np.sum(v * v, axis=2), axis=1)
    kinetic += 0.5 * np.einsum("tbi,tbij,tbj->t", w, turning_inertia(rec, free), w)
    height = -(c - c[0]) @ g
    potential = height @ m
    weight = np.linalg.norm(g) * float(np.sum(m * rec.bodies["radius"][free]))
    scale = weight + np.max(kinetic + np.sum((height - height.min(axis=0)) * m, axis=1))
    small = 0.0
    if rec.settings["contact"] == "micro":
        bounce = rec.settings["micro"] * np.sqrt(np.linalg.norm(g) * rec.bodies["radius"][free].max())
        small = 4 * float(np.sum(m)) * bounce**2
    return kinetic + potential, scale, small


def check_energy(rec):
    fixed = ~rec.free
    if np.any(rec.bodies["velocity"][fixed]) or np.any(rec.bodies["angular_velocity"][fixed]):
        return []
    energy, scale, small = energies(rec)
    rise = energy - np.minimum.accumulate(energy)
    k = int(np.argmax(rise))
    if rise[k] <= ENERGY * scale + small or scale == 0:
        return []
    part = rise[k] / scale
    kind = "energy" if part > LARGE_RISE else "small"
    return [Bad(kind, part, "energy rises by %.3g of its scale (%.3g J) until t = %.6g s" % (part, rise[k], rec.t[k]))]


def check_momentum(rec):
    if not np.all(rec.free) or np.any(rec.settings["gravity"]):
        return []
    m = rec.bodies["mass"][:, None]
    linear = np.sum(m * rec.v, axis=1)
    middle = rec.center[0].mean(axis=0)
    spin = np.einsum("tbij,tbj->tbi", turning_inertia(rec, np.arange(len(m))), rec.w)
    orbit = np.cross(rec.center - middle, m * rec.v)
    angular = np.sum(spin + orbit, axis=1)
    scales = np.max(np.sum(np.linalg.norm(m * rec.v, axis=2), axis=1)), np.max(np.sum(
        np.linalg.norm(spin, axis=2) + np.linalg.norm(rec.center - middle, axis=2) * np.linalg.norm(m * rec.v, axis=2), axis=1))
    bad = []
    for name, value, scale in (("linear", linear, scales[0]), ("angular", angular, scales[1])):
        change = np.max(np.linalg.norm(value - value[0], axis=1))
        if scale > 0 and change > MOMENTUM * scale:
            bad.append(Bad("momentum", change / scale, "%s momentum changes by %.3g of its scale" % (name, change / scale)))
    return bad[:1]


def check_states(rec):
    if all(np.all(np.isfinite(x)) for x in (rec.pos, rec.rot, rec.v, rec.w)):
        return []
    return [Bad("error", 1, "states that are not finite")]


def judge_recording(program, path, rng):
    """All that is wrong with a recording."""
    try:
        rec = Recording(program, path, rng)
    except (OSError, RuntimeError, KeyError, ValueError, subprocess.TimeoutExpired) as problem:
        return [Bad("error", 1, "the recording cannot be read: %s" % problem)]
    bad = check_states(rec)
    if bad:
        return bad
    return check_overlap(rec) + check_energy(rec) + check_momentum(rec)


# --- many scenes ----------------------------------------------------------------------------------------

Verdict = collections.namedtuple("Verdict", "name family text bad wall judged")


def judge_scene(program, name, family, text, seed, timeout):
    """Runs and judges one scene."""
    with tempfile.TemporaryDirectory(prefix="carom-judge-") as folder:
        scene, recording = os.path.join(folder, "scene.toml"), os.path.join(folder, "x.carom")
        with open(scene, "w") as file:
            file.write(text)
        trouble, wall = run(program, scene, recording, timeout)
        begun = time.monotonic()
        bad = [trouble] if trouble else []
        if os.path.exists(recording):
            found = judge_recording(program, recording, random.Random(seed))
            bad += [b for b in found if not (trouble and b.kind == "error")]
        elif not trouble:
            bad.append(Bad("error", 1, "no recording was written"))
        return Verdict(name, family, text, bad, wall, time.monotonic() - begun)


def features(text):
    """The settings of a scene in a few words."""
    scene = tomllib.loads(text)
    simulation, rule = scene["simulation"], (scene.get("contact") or [{}])[0]
    free = sum(not b.get("fixed", False) for b in scene.get("body", []))
    words = ["%d free bodies" % free, "e %g" % rule.get("e", math.nan), "mu %g" % rule.get("mu", math.nan),
             simulation.get("multiple", "sequential"), simulation.get("contact", "lasting")]
    if not any(simulation.get("gravity", [1])):
        words.append("no gravity")
    return ", ".join(words)


def keep(folder, verdict):
    """Stores a bad scene, with what is wrong in its first line."""
    os.makedirs(folder, exist_ok=True)
    kinds = "-".join(sorted({b.kind for b in verdict.bad}))
    path = os.path.join(folder, "%s-%s-%s.toml" % (verdict.family, verdict.name, kinds))
    with open(path, "w") as file:
        file.write("# " + "; ".join("%s: %s" % (b.kind, b.text) for b in verdict.bad) + "\n" + verdict.text)


def report(verdict):
    for bad in verdict.bad:
        print("%-8s seed %-5s %-15s %s  [%s; %.1f s]" % (bad.kind, verdict.name, verdict.family, bad.text, features(verdict.text), verdict.wall), flush=True)


KINDS = ("hang", "crash", "error", "through", "energy", "small", "momentum")


def summary(verdicts):
    """A table: how many scenes of each family are bad, by kind."""
    print("\n%-15s %6s %6s " % ("family", "scenes", "bad") + " ".join("%8s" % k for k in KINDS) + "   mean s")
    families = sorted({v.family for v in verdicts})
    for family in families + ["all"]:
        chosen = [v for v in verdicts if family in (v.family, "all")]
        counts = [sum(any(b.kind == k for b in v.bad) for v in chosen) for k in KINDS]
        bad = sum(bool(v.bad) for v in chosen)
        print("%-15s %6d %6d " % (family, len(chosen), bad) + " ".join("%8s" % (c or ".") for c in counts)
              + " %8.2f" % (sum(v.wall for v in chosen) / len(chosen)))
    for kind in ("through", "energy", "small", "momentum"):
        sizes = [b.size for v in verdicts for b in v.bad if b.kind == kind]
        if sizes:
            print("%s: %d; %s" % (kind, len(sizes), ", ".join("%d above %g" % (sum(s > x for s in sizes), x) for x in (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1))))
    walls = sorted(v.wall for v in verdicts)
    judged = sum(v.judged for v in verdicts) / len(verdicts)
    print("running time per scene: median %.2f s, mean %.2f s, longest %.1f s; judging %.2f s" % (walls[len(walls) // 2], sum(walls) / len(walls), walls[-1], judged))


def arguments():
    parser = argparse.ArgumentParser(description="Runs random scenes and judges overlap, energy and momentum.")
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*", help="scene files, instead of --seeds")
    parser.add_argument("--seeds", help="A:B, from A to B - 1; also lists as 1,5,10:20")
    parser.add_argument("--jobs", type=int, default=1, help="scenes at the same time")
    parser.add_argument("--timeout", type=float, default=30, help="seconds of processor time until a run is a hang")
    parser.add_argument("--keep", help="folder for the bad scenes")
    parser.add_argument("--allow", default="", help="kinds that do not count for the exit code, as small,momentum")
    given = parser.parse_args()
    if bool(given.scenes) == bool(given.seeds):
        parser.error("give either --seeds A:B or scene files")
    return given


def seeds(text):
    """Numbers of a list as 1,5,10:20."""
    chosen = []
    for item in text.split(","):
        first, _, last = item.partition(":")
        chosen += range(int(first), int(last or int(first) + 1))
    return chosen


def work(given):
    """(name, family, text, seed) of each scene."""
    if given.seeds:
        return [(str(s), random_scenes.family(s), random_scenes.scene(s), s) for s in seeds(given.seeds)]
    return [(os.path.splitext(os.path.basename(p))[0], "file", open(p).read(), 1) for p in given.scenes]


def main():
    given = arguments()
    program = os.path.abspath(given.program)
    if not os.access(program, os.X_OK):
        print("%s is not a program that can be run" % given.program, file=sys.stderr)
        return 2
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    verdicts = []
    with concurrent.futures.ProcessPoolExecutor(max(given.jobs, 1)) as pool:
        waiting = [pool.submit(judge_scene, program, *item, given.timeout) for item in work(given)]
        for done in waiting:
            verdict = done.result()
            verdicts.append(verdict)
            report(verdict)
            if verdict.bad and given.keep:
                keep(given.keep, verdict)
    if verdicts:
        summary(verdicts)
    allowed = set(given.allow.split(","))
    return 1 if any(b.kind not in allowed for v in verdicts for b in v.bad) else 0


if __name__ == "__main__":
    sys.exit(main())
