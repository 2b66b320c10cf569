// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/level_face.h"

#include <algorithm>
#include <vector>

#include "carom/detect/core.h"
#include "carom/detect/witness.h"

namespace carom::world {
namespace {

// A flat face in the part's frame: its outward normal n, and n . x on it.
struct FlatFace {
    Vec3 normal;
    double offset;
};

// The flat faces that do not face away from a direction.
std::vector<FlatFace> flat_faces(const shape::Convex& convex, const Vec3& outward) {
    constexpr double k_away = 1e-6;
    std::vector<FlatFace> out;
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        for (const auto& face : body->faces())
            if (face.normal.dot(outward) > -k_away) out.push_back({face.normal, face.offset});
    } else if (const auto* cylinder = std::get_if<shape::Cylinder>(&convex)) {
        out = {{Vec3::UnitZ(), cylinder->half_height}, {-Vec3::UnitZ(), cylinder->half_height}};
    } else if (const auto* cone = std::get_if<shape::Cone>(&convex)) {
        out = {{-Vec3::UnitZ(), 0.25 * cone->height}};
    }
    return out;
}

// Whether a body surely reaches beyond faces of another: by places of it that were found before,
// and the one that lies deepest behind the face.
class Beyond {
public:
    Beyond(const Side& body, const Side& faces)
        : body_(body),
          in_faces_(faces.part->pose(faces.state).inverse()),
          pose_(body.part->pose(body.state)) {}

    bool reaches(const FlatFace& face, const Vec3& m, double overlap) {
        const auto behind = [&](const Vec3& y) {
            return face.normal.dot(y) - face.offset < -overlap;
        };
        if (std::any_of(known_.begin(), known_.end(), behind)) return true;
        const shape::Convex& convex = body_.part->convex();
        const Vec3 x = pose_.apply(detect::core_support(convex, pose_.rotate_inverse(-m), hint_));
        known_.push_back(in_faces_.apply(x - detect::core_radius(convex) * m));
        return behind(known_.back());
    }

private:
    const Side& body_;
    shape::Pose in_faces_, pose_;
    shape::Index hint_ = shape::k_no_index;
    std::vector<Vec3> known_;  // in the frame of the faces
};

// The places of a side that lie farthest along a direction (world frame).
std::vector<Vec3> farthest(const Side& side, const Vec3& outward) {
    const shape::Pose pose = side.part->pose(side.state);
    const shape::Convex& convex = side.part->convex();
    std::vector<Vec3> out = detect::support_set(convex, pose.rotate_inverse(outward));
    for (Vec3& x : out)
        x = pose.apply(x) + detect::core_radius(convex) * outward;
    return out;
}

}  // namespace

std::optional<LevelFace> find_level_face(const Touch& touch, double overlap) {
    if (touch.a.part->unbounded() || touch.b.part->unbounded()) return std::nullopt;
    std::optional<LevelFace> best;
    for (const bool of_b : {true, false}) {
        const Side& side = of_b ? touch.b : touch.a;
        const Side& other = of_b ? touch.a : touch.b;
        const Vec3 towards = of_b ? touch.normal : Vec3(-touch.normal);
        const shape::Pose pose = side.part->pose(side.state);
        Beyond beyond(other, side);
        for (const FlatFace& face : flat_faces(side.part->convex(), pose.rotate_inverse(towards))) {
            const Vec3 m = pose.rotate(face.normal);
            // most faces are out of the question, by more than rounding
            if (beyond.reaches(face, m, 10.0 * overlap)) continue;
            const double level = m.dot(farthest(side, m)[0]);
            const std::vector<Vec3> lowest = farthest(other, -m);
            if (m.dot(lowest[0]) - level < -overlap) continue;
            double fastest = -k_forever;
            for (const Vec3& x : lowest)
                fastest = std::max(fastest,
                                   m.dot(velocity_at(side.state, x) - velocity_at(other.state, x)));
            if (best && !(fastest < best->approach_speed)) continue;
            best = LevelFace{of_b ? m : Vec3(-m), fastest};
        }
    }
    return best;
}

bool lies_on_level_face(const Graph& graph, const ContactPair& pair, const Vec3& normal) {
    constexpr double k_level = 1e-6;  // rad; larger: joints of faces that differ by that are passed
    if (graph.track(pair.a).body->fixed == graph.track(pair.b).body->fixed) return false;
    const BodyId id = graph.track(pair.a).body->fixed ? pair.b : pair.a;
    const Vec3 up = pair.a == id ? normal : Vec3(-normal);
    const std::vector<std::uint32_t>& pairs = graph.track(id).pairs;
    return std::any_of(pairs.begin(), pairs.end(), [&](std::uint32_t k) {
        const ContactPair& other = graph.pair(k);
        if (!other.contact.active || !graph.track(other.other(id)).body->fixed) return false;
        const Vec3 under = other.a == id ? other.contact.normal : Vec3(-other.contact.normal);
        return (under - up).norm() <= k_level;
    });
}

}  // namespace carom::world
