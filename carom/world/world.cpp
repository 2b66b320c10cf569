// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/world.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>

#include "carom/world/simulate/make_engine.h"

namespace carom::world {
namespace {

constexpr std::uint64_t k_magic = 0x34'4b'43'4d'4f'52'41'43;  // "CAROMCK4"

// Of all bytes before it, eight at a time (as FNV-1a, with the bits turned round so that the upper
// ones count too): a checkpoint that was damaged can look like one with a body of any speed, and a
// run from there need not end.
std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U ^ bytes.size();
    for (std::size_t k = 0; k < bytes.size(); k += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + k, std::min(sizeof word, bytes.size() - k));
        hash = std::rotl((hash ^ word) * 0x100000001b3U, 29);
    }
    return hash;
}

void check_checksum(std::span<const std::uint8_t> bytes) {
    ByteReader in(bytes);
    if (in.get<std::uint64_t>() != k_magic || bytes.size() < 2 * sizeof(std::uint64_t))
        throw std::invalid_argument("not a checkpoint");
    ByteReader end(bytes.last(sizeof(std::uint64_t)));
    if (end.get<std::uint64_t>() != checksum(bytes.first(bytes.size() - sizeof(std::uint64_t))))
        throw std::invalid_argument("the checkpoint is damaged: its checksum is another");
}

bool same_inertia(const Body& x, const Body& y) {
    return x.inertia && y.inertia && x.inertia->tensor() == y.inertia->tensor();
}

// Every pair of materials that could meet must have a law that many contacts can be resolved with.
void check_laws(std::span<const Body> bodies, const Contacts& contacts,
                impact::MultipleId multiple) {
    const std::size_t count = contacts.material_count();
    std::vector<std::size_t> free(count), all(count);
    for (const Body& body : bodies) {
        ++all[body.material];
        if (!body.fixed) ++free[body.material];
    }
    for (MaterialId a = 0; a < count; ++a) {
        for (MaterialId b = a; b < count; ++b) {
            const bool meet = a == b ? free[a] > 0 && all[a] > 1
                                     : (free[a] > 0 && all[b] > 0) || (all[a] > 0 && free[b] > 0);
            if (!meet) continue;
            const std::string who = "'" + contacts.name(a) + "' and '" + contacts.name(b) + "'";
            const ContactLaw* rule = contacts.find(a, b);
            if (rule == nullptr) {
                throw std::invalid_argument("no contact law for " + who +
                                            "; set one, or one for \"*\"");
            }
            const std::string wrong =
                impact::check_multiple_law(multiple, impact::law_info(rule->law), rule->parameters);
            if (!wrong.empty()) throw std::invalid_argument(who + ": " + wrong);
        }
    }
}

void check_overlaps(std::span<const Body> bodies) {
    const std::vector<Overlap> overlaps = find_overlaps(bodies);
    if (overlaps.empty()) return;
    const Overlap& o = overlaps.front();
    throw std::invalid_argument("'" + bodies[o.a].name + "' and '" + bodies[o.b].name +
                                "' overlap by " + std::to_string(o.depth) +
                                " m at the start; move them apart");
}

}  // namespace

struct World::Inside {
    Settings settings;
    Contacts contacts;
    std::vector<Body> bodies;
    Tally tally;
    double energy_start = 0.0;
    Vec3 momentum_start = Vec3::Zero();
    std::uint64_t checkpoints = 0;
    bool begun = false;
    bool stopped = false;  // with events at this very time still to come
    std::unordered_set<std::string> names;
    std::unique_ptr<Engine> engine;
};

World::World(const Settings& settings, Contacts contacts) : in_(std::make_unique<Inside>()) {
    check_settings(settings);
    in_->settings = settings;
    in_->contacts = std::move(contacts);
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

std::span<const Body> World::bodies() const {
    return in_->bodies;
}
const Settings& World::settings() const {
    return in_->settings;
}
const Contacts& World::contacts() const {
    return in_->contacts;
}
const Tally& World::tally() const {
    return in_->tally;
}

BodyId World::add(const BodySpec& spec) {
    if (in_->begun) throw std::invalid_argument("bodies have to be added before the first run");
    try {
        if (!spec.name.empty() && in_->names.contains(spec.name)) {
            throw std::invalid_argument("there is another body of this name; give it its own");
        }
        Body body = make_body(spec, in_->contacts.material(spec.material));
        if (!in_->bodies.empty() && same_inertia(body, in_->bodies.back())) {
            body.inertia = in_->bodies.back().inertia;
        }
        in_->bodies.push_back(std::move(body));
        in_->names.insert(spec.name);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("body '" + spec.name + "': " + error.what());
    }
    return static_cast<BodyId>(in_->bodies.size() - 1);
}

void World::prepare() {
    if (in_->engine) return;
    check_laws(in_->bodies, in_->contacts, in_->settings.multiple);
    check_overlaps(in_->bodies);
    in_->engine = make_engine({in_->settings, in_->contacts, in_->bodies, in_->tally});
    for (const Body& body : in_->bodies) {
        in_->energy_start += energy(body, body.first, in_->settings.gravity);
        in_->momentum_start += body.mass * body.first.velocity;
    }
}

void World::check_time(double until) const {
    if (std::isfinite(until) && until >= time()) return;
    std::ostringstream text;
    text << std::setprecision(17) << "World::run to " << until << " s: the time to run to must be "
         << "finite and not before now, which is " << time()
         << " s; a world does not go back, build another one";
    throw std::invalid_argument(text.str());
}

bool World::run(double until, Listener* listener, const StopCheck& stop) {
    check_time(until);
    prepare();
    if (!in_->begun) {
        in_->begun = true;
        in_->engine->rebuild();
        if (listener != nullptr) {
            for (BodyId i = 0; i < in_->bodies.size(); ++i)
                listener->on_segment(in_->engine->segment(i));
        }
    }
    const bool there = run_from_checkpoint_to_checkpoint(until, listener, stop);
    in_->stopped = !there;
    if (listener != nullptr) listener->on_whole(time());
    return there;
}

bool World::run_from_checkpoint_to_checkpoint(double until, Listener* listener,
                                              const StopCheck& stop) {
    const double step = in_->settings.checkpoint;
    while (step > 0.0) {
        const double next = static_cast<double>(in_->checkpoints + 1) * step;
        if (next > until) break;
        if (!in_->engine->run(next, listener, stop)) return false;
        ++in_->checkpoints;
        // everything goes through the bytes, as it would after a stop
        const std::vector<std::uint8_t> bytes = checkpoint();
        read_checkpoint(bytes);
        if (listener != nullptr) listener->on_checkpoint(next, bytes);
    }
    // what has been stopped may have events left at this very time
    if (until == in_->engine->time() && !in_->stopped) return true;
    return in_->engine->run(until, listener, stop);
}

void World::tell_forces(Listener& listener) const {
    if (in_->engine) in_->engine->tell_forces(listener);
}

std::vector<std::uint8_t> World::checkpoint() const {
    ByteWriter out;
    out.put(k_magic);
    out.put(static_cast<std::uint64_t>(in_->bodies.size()));
    out.put(in_->checkpoints);
    out.put(in_->energy_start);
    out.put(in_->momentum_start);
    in_->tally.save(out);
    in_->engine->save(out);
    out.put(checksum(out.bytes()));
    return out.bytes();
}

void World::read_checkpoint(std::span<const std::uint8_t> bytes) {
    ByteReader in(bytes);
    in.get<std::uint64_t>();  // k_magic
    if (in.get<std::uint64_t>() != in_->bodies.size()) {
        throw std::invalid_argument("the checkpoint is of a world with other bodies");
    }
    in_->checkpoints = in.get<std::uint64_t>();
    in_->energy_start = in.get<double>();
    in_->momentum_start = in.vector();
    in_->tally.load(in);
    in_->engine->load(in);
    if (in.left() != sizeof(std::uint64_t))
        throw std::invalid_argument("the checkpoint is longer than it should be");
    in_->engine->rebuild();
}

void World::restore(std::span<const std::uint8_t> bytes) {
    prepare();
    check_checksum(bytes);
    read_checkpoint(bytes);
    // the next checkpoint lies ahead, or the run would write those of all the time before
    const double next = static_cast<double>(in_->checkpoints + 1) * in_->settings.checkpoint;
    if (in_->settings.checkpoint > 0.0 && !(next >= time()))
        throw std::invalid_argument("the number of the checkpoint does not go with its time");
    in_->begun = true;
}

double World::time() const {
    return in_->engine ? in_->engine->time() : 0.0;
}

BodyId World::find(std::string_view name) const {
    const auto found = std::find_if(in_->bodies.begin(), in_->bodies.end(),
                                    [&](const Body& body) { return body.name == name; });
    return found == in_->bodies.end() ? k_no_body
                                      : static_cast<BodyId>(found - in_->bodies.begin());
}

void World::check_id(BodyId id) const {
    if (id < in_->bodies.size()) return;
    const std::string who = id == k_no_body
                                ? "k_no_body stands for no body: World::find gives it for a name "
                                  "that no body has, check for it"
                                : "there is no body " + std::to_string(id);
    throw std::out_of_range(who + "; this world has " + std::to_string(in_->bodies.size()) +
                            " bodies, numbered from 0 in the order of World::add");
}

const Body& World::body(BodyId id) const {
    check_id(id);
    return in_->bodies[id];
}

motion::State World::state(BodyId id) const {
    check_id(id);
    return in_->engine ? in_->engine->state(id) : in_->bodies[id].first;
}

shape::Pose World::pose(BodyId id) const {
    return frame_pose(body(id), state(id));
}

bool World::asleep(BodyId id) const {
    check_id(id);
    return in_->engine && in_->engine->asleep(id);
}

Audit World::audit() const {
    Audit audit;
    audit.energy_start = in_->energy_start;
    audit.energy_lost = in_->tally.energy_lost.value();
    audit.energy_gained = in_->tally.energy_gained.value();
    audit.driven = in_->tally.driven.value();
    audit.max_overlap = in_->tally.overlap.depth;
    audit.relative_overlap = in_->tally.overlap.relative;
    audit.pile_restitutions = in_->tally.pile_restitutions;
    audit.substituted = in_->tally.substituted;
    audit.momentum_scale = in_->tally.pushed.value();
    Vec3 residual = -in_->momentum_start;
    Sum energy_end;
    for (BodyId i = 0; i < in_->bodies.size(); ++i) {
        const Body& body = in_->bodies[i];
        if (body.fixed) continue;
        const motion::State now = state(i);
        energy_end.add(energy(body, now, in_->settings.gravity));
        residual += body.mass * now.velocity;
        audit.momentum_scale += body.mass * now.velocity.norm();
        if (!in_->engine) continue;
        const Segment segment = in_->engine->segment(i);
        const Pushed pushed =
            pushed_by_forces(body, segment, make_motion(body, segment, in_->settings.gravity),
                             in_->settings.gravity, time());
        residual -= pushed.momentum;
        audit.driven += pushed.energy;
        audit.energy_lost += pushed.lost;
        if (is_lasting(segment.kind)) audit.force_work_residual += pushed.energy - pushed.lost;
    }
    const ForceWork::Work open = in_->engine ? in_->engine->open_work() : ForceWork::Work{};
    audit.force_work_residual +=
        in_->tally.contact_work.value() - in_->tally.force_work.value() - open.on_free;
    audit.force_work_scale = in_->tally.force_work_size.value() + open.size;
    for (int k = 0; k < 3; ++k)
        residual[k] -= in_->tally.given[k].value() + in_->tally.weighed[k].value();
    audit.energy_end = in_->engine ? energy_end.value() : in_->energy_start;
    audit.energy_residual =
        audit.energy_end - audit.energy_start + audit.energy_lost - audit.driven;
    audit.momentum_residual = residual.norm();
    return audit;
}

}  // namespace carom::world
