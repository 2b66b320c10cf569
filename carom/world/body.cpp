// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/body.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "carom/motion/forced.h"
#include "carom/shape/bounds.h"
#include "carom/shape/mass_properties.h"

namespace carom::world {
namespace {

constexpr double k_default_density = 1000.0;

void check_finite(const Vec3& v, const char* what) {
    constexpr double k_largest = 1e50;
    if (!(v.cwiseAbs().maxCoeff() <= k_largest)) {
        throw std::invalid_argument(std::string(what) +
                                    " must be finite, with components of at most 1e50");
    }
}

void check_spec(const BodySpec& spec) {
    if (!spec.shape || spec.shape->parts.empty()) {
        throw std::invalid_argument("has no shape; give it one");
    }
    check_finite(spec.pose.position, "position");
    check_finite(spec.velocity, "velocity");
    check_finite(spec.angular_velocity, "angular_velocity");
    if (spec.mass && spec.density) {
        throw std::invalid_argument("give either mass or density, not both");
    }
    if (spec.fixed && !spec.forces.empty()) {
        throw std::invalid_argument("forces are for free bodies; a fixed one moves as it is told");
    }
    motion::check_fields(spec.forces);
    if (!spec.fixed && spec.pivot) {
        throw std::invalid_argument(
            "pivot is for fixed bodies; a free one turns about its centre of mass");
    }
}

bool has_half_space(const shape::Shape& shape) {
    return std::any_of(shape.parts.begin(), shape.parts.end(), [](const shape::Part& part) {
        return std::holds_alternative<shape::HalfSpace>(part.convex);
    });
}

void make_fixed(Body& body, const BodySpec& spec) {
    if (body.unbounded && !spec.angular_velocity.isZero(0.0)) {
        throw std::invalid_argument("a plane must not turn; give a large box instead");
    }
    body.fixed = true;
    body.still = spec.velocity.isZero(0.0) && spec.angular_velocity.isZero(0.0);
    body.prescribed = std::make_shared<const motion::Prescribed>(motion::Prescribed::turning(
        spec.pose.position, spec.pose.orientation, spec.pivot.value_or(spec.pose.position),
        spec.velocity, spec.angular_velocity, 0.0));
    body.first = body.prescribed->at(0.0);
}

// Turning about the long axis of a body that is thinner by far than it is long is rounding beside
// turning about the others, and where it touches is known to a few digits of its thickness only.
void check_moments(const Vec3& moments) {
    constexpr double k_most_ratio = 1e13;  // 3e-7 of the length
    if (moments.maxCoeff() <= k_most_ratio * moments.minCoeff()) return;
    throw std::invalid_argument(
        "the body is too thin for its length: its moments of inertia differ by more than a factor "
        "of 1e13; make it thicker or shorter");
}

void make_free(Body& body, const BodySpec& spec) {
    if (body.unbounded) {
        throw std::invalid_argument("a plane has no mass; make it fixed = true");
    }
    const shape::MassProperties mass =
        spec.mass ? shape::mass_properties(*spec.shape, shape::Mass{*spec.mass})
                  : shape::mass_properties(
                        *spec.shape, shape::Density{spec.density.value_or(k_default_density)});
    const Mat3 inertia = spec.inertia.value_or(mass.inertia);
    if (spec.inertia) shape::check_inertia(inertia);
    body.forces = spec.forces;
    body.mass = mass.mass;
    body.inverse_mass = 1.0 / mass.mass;
    body.center = mass.center;
    body.inertia = std::make_shared<const motion::PrincipalInertia>(inertia);
    check_moments(body.inertia->moments());
    const Mat3& I = body.inertia->tensor();
    body.isotropic = I(0, 0) == I(1, 1) && I(1, 1) == I(2, 2) && I(0, 1) == 0.0 && I(0, 2) == 0.0 &&
                     I(1, 2) == 0.0;
    body.inverse_inertia = inertia.inverse();
    body.inverse_inertia = 0.5 * (body.inverse_inertia + body.inverse_inertia.transpose()).eval();
    body.first = {spec.pose.apply(mass.center), spec.pose.orientation.normalized(), spec.velocity,
                  spec.angular_velocity};
}

// Its motion under its forces for a time. Which body and forces cannot be followed is told.
motion::ForcedMotion forced_motion(const Body& body, const Segment& segment, const Vec3& gravity,
                                   double length) {
    std::vector<motion::ForceField> fields = body.forces;
    fields.emplace_back(motion::Gravity{gravity});
    try {
        return motion::forced_motion(segment.state, body.mass, *body.inertia, fields, segment.t0,
                                     segment.t0 + length);
    } catch (const std::invalid_argument& error) {
        std::string names;
        for (const motion::ForceField& force : body.forces)
            names += (names.empty() ? "" : ", ") + std::string(motion::name_of(force));
        throw std::invalid_argument("body '" + body.name + "' under its forces (" + names +
                                    "): " + error.what());
    }
}

}  // namespace

Body make_body(const BodySpec& spec, std::uint32_t material) {
    check_spec(spec);
    Body body;
    body.name = spec.name;
    body.shape = spec.shape;
    body.material = material;
    body.unbounded = has_half_space(*spec.shape);
    if (spec.fixed) {
        make_fixed(body, spec);
    } else {
        make_free(body, spec);
    }
    body.radius = shape::radius_about(*spec.shape, body.center);
    return body;
}

MotionPiece make_motion_piece(const Body& body, const Segment& segment, const Vec3& gravity) {
    // an integrated motion is made anew after so long (s): a matter of cost only
    constexpr double k_forced_length = 1.0;
    switch (segment.kind) {
        case SegmentKind::given:
            if (body.prescribed) return {*body.prescribed, k_forever};
            break;
        case SegmentKind::asleep:
            return {motion::Prescribed::still(segment.state.position, segment.state.orientation),
                    k_forever};
        case SegmentKind::flight:
            if (!body.inertia) break;
            if (body.isotropic) {
                return {motion::Ballistic::sphere(segment.state, gravity, segment.t0), k_forever};
            }
            return {motion::Ballistic(segment.state, *body.inertia, gravity, segment.t0),
                    k_forever};
        case SegmentKind::forced: {
            if (!body.inertia || body.forces.empty()) break;
            motion::ForcedMotion forced = forced_motion(body, segment, gravity, k_forced_length);
            return {std::move(forced.motion), forced.until};
        }
        case SegmentKind::held:
            if (!body.inertia) break;
            return {motion::Accelerated(segment.state, segment.lasting.a, segment.lasting.alpha,
                                        segment.t0, segment.lasting.t1),
                    segment.lasting.t1};
        case SegmentKind::constrained: {
            if (!body.inertia) break;
            const LastingForm& form = segment.lasting;
            const motion::DensePiece piece(segment.t0, form.t1 - segment.t0,
                                           motion::knot_of(segment.state, form.a, form.alpha),
                                           motion::knot_of(form.end, form.a_end, form.alpha_end),
                                           form.end.position - segment.state.position);
            return {motion::Integrated::of_pieces({piece}, form.t1), form.t1};
        }
        case SegmentKind::on_plane: {
            if (!body.inertia) break;
            const motion::SphereOnPlane course(sphere_contact(body, segment.lasting, gravity),
                                               segment.state, segment.t0);
            return {course, std::min(course.valid_until(), segment.lasting.t1)};
        }
    }
    throw std::invalid_argument("body '" + body.name + "' cannot have a segment of kind '" +
                                name_of(segment.kind) + "'");
}

motion::SphereContact sphere_contact(const Body& body, const LastingForm& form,
                                     const Vec3& gravity) {
    motion::SphereContact contact;
    contact.radius = body.radius;
    contact.mass = body.mass;
    contact.moment = body.inertia->tensor()(0, 0);
    contact.mu = form.mu;
    contact.mu_roll = form.mu_roll;
    contact.mu_spin = form.mu_spin;
    contact.gravity = gravity;
    contact.plane = form.plane;
    return contact;
}

motion::Motion make_motion(const Body& body, const Segment& segment, const Vec3& gravity) {
    return make_motion_piece(body, segment, gravity).motion;
}

Mat3 inverse_inertia_in_world(const Body& body, const motion::Quat& orientation) {
    if (body.isotropic) return body.inverse_inertia;
    const Mat3 R = orientation.toRotationMatrix();
    const Mat3 turned = R * body.inverse_inertia * R.transpose();
    return 0.5 * (turned + turned.transpose());
}

bool is_ball(const Body& body) {
    return body.shape->parts.size() == 1 &&
           std::holds_alternative<shape::Sphere>(body.shape->parts[0].convex);
}

bool can_roll_on_rim(const Body& body) {
    constexpr std::size_t k_round_corners = 24;
    return std::any_of(body.shape->parts.begin(), body.shape->parts.end(), [](const auto& part) {
        const shape::Convex& convex = part.convex;
        if (const shape::Polyhedron* hull = shape::polyhedron_of(convex))
            return hull->vertices().size() >= k_round_corners;
        return !std::holds_alternative<shape::Sphere>(convex) &&
               !std::holds_alternative<shape::HalfSpace>(convex);
    });
}

shape::Pose frame_pose(const Body& body, const motion::State& state) {
    return {state.position - state.orientation * body.center, state.orientation};
}

Pushed pushed_by_forces(const Body& body, const Segment& segment, const motion::Motion& motion,
                        const Vec3& gravity, double t) {
    if (segment.kind == SegmentKind::flight) {
        return {body.mass * (t - segment.t0) * gravity, 0.0};
    }
    const bool lasting = is_lasting(segment.kind);
    if (segment.kind != SegmentKind::forced && !lasting) return {Vec3::Zero(), 0.0};
    const motion::State now = motion::at(motion, t);
    const Vec3 momentum = body.mass * (now.velocity - segment.state.velocity);
    const double gained = energy(body, now, gravity) - energy(body, segment.state, gravity);
    if (!lasting) return {momentum, gained};
    const motion::SupportPlane& plane = segment.lasting.plane;
    const bool moved = segment.kind == SegmentKind::on_plane &&
                       (plane.turn_rate != 0.0 || !plane.velocity.isZero(0.0));
    const double work = moved ? gained : segment.lasting.power * (t - segment.t0);
    return {momentum, work, work - gained};
}

double energy(const Body& body, const motion::State& state, const Vec3& gravity) {
    if (body.fixed) return 0.0;
    const Vec3 w = state.orientation.conjugate() * state.angular_velocity;
    const Vec3 L = body.inertia->tensor() * w;
    return 0.5 * body.mass * state.velocity.squaredNorm() + 0.5 * w.dot(L) -
           body.mass * gravity.dot(state.position);
}

}  // namespace carom::world
