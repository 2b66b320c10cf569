// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "carom/world/world.h"

namespace carom::record {

// A recording could not be written or read; the message begins with its path and says what would
// be right.
class RecordError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// What a recording says of itself. No wall-clock time, so that the same run gives the same bytes.
struct Header {
    std::string scene_name;    // as the user called it
    std::string scene_text;    // the whole scene file
    std::string scene_folder;  // where files named in it are looked for
    std::string version;       // of the Carom that made it; a Writer puts down its own
    double duration = 0.0;     // s, that the run is to take
    std::vector<std::string> body_names;
    std::vector<std::string> body_materials;
};

// How far a recording is certainly good.
struct Progress {
    double time = 0.0;
    bool finished = false;
    std::uint64_t events = 0, segments = 0, checkpoints = 0;
    std::uint64_t lasting = 0;  // segments of lasting contact
    std::uint64_t forces = 0;   // intervals of contact forces
};

// Writes a recording while a world runs: give it to World::run as the listener. docs/formats.md
// says what is in the file, and how it stays readable when the program is killed at any moment.
//
// A new recording is made under another name (path + ".new") and takes its own when it can be
// opened. With force over an existing file all goes to path + ".part", which takes the place of the
// old file in finish(). Once a write has failed every further call throws what went wrong then, and
// the file stays as its last commit left it. A writer that is destroyed without finish() commits
// what it was told and leaves a recording that can be resumed.
class Writer : public world::Listener {
public:
    struct Options {
        bool force = false;  // replace an existing file, once the new one is whole
        // Events, segments of lasting contact and forces between commits, besides checkpoints.
        std::uint64_t commit_events = 10'000;
    };
    // A new recording of a world that has not run yet. Throws RecordError when the file exists
    // (without force) or cannot be written.
    Writer(const std::filesystem::path& path, const Header& header, const world::World& world,
           const Options& options);
    Writer(const std::filesystem::path& path, const Header& header, const world::Settings& settings,
           const world::Contacts& contacts, const Options& options);
    // Goes on with an unfinished one from its last checkpoint (none: from the start), whose bytes
    // are to be had from Recording::last_checkpoint() before or after. What was recorded beyond
    // that is given up. A path that ends in ".part" is what force was to put in place of the path
    // without it, and finish() does so.
    static Writer resume(const std::filesystem::path& path);
    ~Writer() override;
    Writer(Writer&&) noexcept;
    Writer& operator=(Writer&&) noexcept;

    void on_event(const world::Event& event) override;
    void on_segment(const world::Segment& segment) override;
    void on_force(const world::ContactForce& force) override;
    void on_checkpoint(double t, std::span<const std::uint8_t> bytes) override;
    void on_whole(double t) override;
    // Commits what has come so far, up to simulated time t.
    void commit(double t);
    // Closes an unfinished recording whose run was stopped, perhaps in the middle of an event: only
    // what had been told by the last on_whole() counts, or by a later commit. It can be resumed.
    void leave();
    // The run is over: writes the audit and what it added up, and closes. Without it the recording
    // counts as unfinished.
    void finish(double t, const world::Audit& audit, const world::Tally& tally = {});
    // Closes and removes the file: for a run that was refused before it began.
    void discard() noexcept;

    // Where the recording is (or, with force, will be).
    const std::filesystem::path& path() const;

private:
    class File;
    explicit Writer(std::unique_ptr<File> file);
    std::unique_ptr<File> file_;
};

// The convex parts that shapes are made of; names as in scenes.
enum class PartType : std::uint8_t { sphere, plane, box, capsule, cylinder, cone, hull };
const char* name_of(PartType type);

// A part of a body's shape, in its own frame (shape/shape.h), placed in the shape's by pose. What
// its type does not have is zero or empty. Lengths in m.
struct RecordedPart {
    PartType type = PartType::sphere;
    double radius = 0.0;         // of a sphere, capsule, cylinder or cone
    double length = 0.0;         // of a capsule's straight part, or the height of the other two
    Vec3 size = Vec3::Zero();    // of a box, its whole edges
    Vec3 normal = Vec3::Zero();  // of a plane, outwards
    std::vector<Vec3> vertices;  // of a hull
    shape::Pose pose;
};

// A body as the run has used it. SI units; the shape's frame unless something else is said.
struct RecordedBody {
    std::string name, material;
    bool fixed = false;
    double mass = 0.0;             // 0 when fixed
    Vec3 center = Vec3::Zero();    // of mass; of a fixed body the origin
    Mat3 inertia = Mat3::Zero();   // about the centre of mass; zero when fixed
    double radius = 0.0;           // largest distance of a point from the centre; may be infinite
    shape::Pose pose;              // of the shape's frame at time 0, in the world
    Vec3 velocity = Vec3::Zero();  // of the centre at time 0, world axes
    Vec3 angular_velocity = Vec3::Zero();  // at time 0, world axes
    std::vector<RecordedPart> parts;
};

// What a run added up, as a finished recording tells it.
struct Totals {
    std::uint64_t events = 0, impacts = 0, micro = 0, checks = 0;
};

// Reads a recording, finished or not, also while it is being written; never what came after the
// last commit at the time it was opened. All of it may throw RecordError: numbers that no run can
// have written are refused. Not for several threads at once.
class Recording {
public:
    explicit Recording(const std::filesystem::path& path);
    ~Recording();
    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;

    const Header& header() const;
    const std::string& settings() const;  // every setting of the world, as JSON
    const std::string& contacts() const;  // the law of each pair of materials, as JSON
    const Progress& progress() const;
    const std::optional<world::Audit>& audit() const;  // of a finished one
    const std::optional<Totals>& totals() const;       // of a finished one
    const std::vector<world::Event>& events() const;   // in time order; read when first asked for
    const std::vector<world::Segment>& segments() const;     // in the order they were told
    const std::vector<world::ContactForce>& forces() const;  // in the order of their ends
    // What the bodies are, in the order of their numbers; empty in recordings of versions 1 and 2.
    std::vector<RecordedBody> read_bodies() const;
    // Some of them, for recordings that are larger than memory: `count` from `first` on, or as many
    // as there are.
    std::vector<world::Event> read_events(std::uint64_t first, std::uint64_t count) const;
    std::vector<world::Segment> read_segments(std::uint64_t first, std::uint64_t count) const;
    std::vector<world::ContactForce> read_forces(std::uint64_t first, std::uint64_t count) const;
    // The last checkpoint's bytes and its time; none: empty. So many events, segments and forces
    // were told before it.
    struct Checkpoint {
        double t = 0.0;
        std::uint64_t events = 0, segments = 0, forces = 0;
        std::vector<std::uint8_t> bytes;
    };
    Checkpoint last_checkpoint() const;
    // A hash of all that is recorded (scene text, version, bodies, settings, laws, events,
    // segments, forces, but not the scene's name and folder): equal for equal runs, resumed or not.
    std::uint64_t digest() const;

private:
    class File;
    std::unique_ptr<File> file_;
};

// States of bodies at any time from a recording's segments, exactly: the motion that the last
// segment with t0 <= t stands for, made again to the bit. Remembers each body's last motion, so
// that sampling in the order of time is quick; not for several threads at once.
class Sampler {
public:
    // The bodies give inertia and prescribed motions; their world need not have run. Both must
    // outlive the sampler. Throws std::invalid_argument for segments of bodies that are not there,
    // or that go back in time.
    Sampler(const world::World& world, const std::vector<world::Segment>& segments);
    Sampler(std::span<const world::Body> bodies, const Vec3& gravity,
            std::span<const world::Segment> segments);
    Sampler(const world::World& world, std::vector<world::Segment>&& segments) = delete;

    // For 0 <= t <= the end. Of the centre of mass. Throws std::invalid_argument before the body's
    // first segment.
    motion::State at(world::BodyId body, double t) const;
    world::SegmentKind kind_at(world::BodyId body, double t) const;

private:
    struct Track {
        std::vector<std::uint32_t> segments;  // in the order of time
        std::size_t now = 0;                  // the place in there that `motion` was made from
        std::optional<motion::Motion> motion;
    };
    void begin(std::size_t bodies);
    std::size_t place(const Track& track, world::BodyId body, double t) const;

    const world::World* world_ = nullptr;
    std::span<const world::Body> bodies_;
    Vec3 gravity_;
    std::span<const world::Segment> segments_;
    mutable std::vector<Track> tracks_;
};

}  // namespace carom::record
