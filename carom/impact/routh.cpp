// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/routh.h"

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/impact/ray_series.h"
#include "carom/impact/routh_progress.h"
#include "carom/impact/slide_series.h"
#include "carom/impact/tolerances.h"
#include "carom/math/bracket.h"

namespace carom::impact {
namespace {

constexpr double k_never = std::numeric_limits<double>::infinity();
constexpr int k_slide_samples = 8;

// The at most two slip directions at which h = du_z/dp_z = k33 - mu b.c changes sign.
struct JamDirections {
    bool possible = false;
    double cut;  // cosine of the half opening about b
    std::array<Vec2, 2> direction;

    JamDirections(const Principal& K, double mu) {
        const double b = std::sqrt(K.b1 * K.b1 + K.b2 * K.b2);
        possible = mu * b > K.k33;
        if (!possible) return;
        const double c = K.b1 / b;
        const double s = K.b2 / b;
        const double dc = K.k33 / (mu * b);
        const double ds = std::sqrt((1.0 - dc) * (1.0 + dc));
        direction = {Vec2(c * dc - s * ds, s * dc + c * ds), Vec2(c * dc + s * ds, s * dc - c * ds)};
    }
};

double cross(const Vec2& a, const SlideSeries::Slip& b) { return a.x() * b.y - a.y() * b.x; }

// One Taylor step of sliding: walks it piece by piece, on each of which u_z is monotone.
class SlideStep {
public:
    SlideStep(RouthProgress& progress, const JamDirections& jam)
        : progress_(progress),
          series_(progress.K, progress.parameters.mu, progress.x, progress.y, progress.uz),
          uz_(progress.uz) {
        cut(jam);
    }

    // True when the impact ended within the step.
    bool walk() {
        bool ended = false;
        for (std::size_t i = 0; i < cuts_ && !ended && !stopped_; ++i) {
            ended = walk_piece(cut_[i]);
        }
        settle();
        return ended;
    }

private:
    // Orders the pieces: the ends are the zeros of h passed on the way and the end of the step.
    void cut(const JamDirections& jam) {
        const double end = series_.step();
        if (jam.possible) {
            const SlideSeries::Slip first = series_.slip(0.0);
            const SlideSeries::Slip last = series_.slip(end);
            for (const Vec2& d : jam.direction) {
                const double a = cross(d, first);
                const double b = cross(d, last);
                if (!(a * b < 0.0) || d.x() * (first.x + last.x) + d.y() * (first.y + last.y) < 0.0)
                    continue;
                std::uintmax_t most = 100;
                const auto root = boost::math::tools::toms748_solve(
                    [&](double t) { return cross(d, series_.slip(t)); }, 0.0, end, a, b,
                    boost::math::tools::eps_tolerance<double>(52), most);
                cut_[cuts_++] = 0.5 * (root.first + root.second);
            }
            if (cuts_ == 2 && cut_[0] > cut_[1]) std::swap(cut_[0], cut_[1]);
        }
        cut_[cuts_++] = end;
    }

    bool walk_piece(double to) {
        while (at_ < to && !stopped_) {
            const double uz_to = series_.uz(to);
            const bool compression = uz_ < 0.0 || (uz_ == 0.0 && uz_to < 0.0);
            const bool crosses = compression ? uz_to > 0.0 : uz_to < 0.0;
            const double limit = crosses ? zero_of_uz(to, uz_to) : to;
            if (!compression || progress_.ends_in_any_phase()) {
                const double end = end_before(limit);
                if (end <= limit) {
                    move(end, series_.uz(end), compression);
                    return true;
                }
            }
            move(limit, crosses ? 0.0 : uz_to, compression);
            if (crosses) {
                progress_.mark(compression ? TransitionKind::maximum_compression
                                           : TransitionKind::recompression);
                if (compression && progress_.reach_maximum_compression()) return true;
                // start afresh at u_z = 0: small works are then not differences of large ones
                stopped_ = progress_.ends_by_work();
            }
        }
        return false;
    }

    double zero_of_uz(double to, double uz_to) const {
        const double guess = at_ + (to - at_) * uz_ / (uz_ - uz_to);
        return math::bracketed_newton(
                   [&](double t) {
                       return math::ValueSlope{series_.uz(t), series_.uz_slope(t)};
                   },
                   at_, to, uz_, guess)
            .x;
    }

    // Where the termination is met in (at_, limit], else infinity.
    double end_before(double limit) const {
        if (progress_.ends_by_velocity()) {
            const double goal = progress_.uz_goal();
            if (uz_ >= goal) return at_;
            const double uz_limit = series_.uz(limit);
            if (uz_limit < goal) return k_never;
            return root(
                limit, uz_ - goal, uz_limit - goal,
                [&](double t) { return math::ValueSlope{series_.uz(t) - goal, series_.uz_slope(t)}; });
        }
        if (progress_.ends_by_work()) {
            const double left = progress_.work_left();
            const double goal = work_ + left;
            const double at_limit = series_.work(limit) - goal;
            if (left <= 0.0) return at_;
            if (at_limit < 0.0) return k_never;
            return root(limit, -left, at_limit, [&](double t) {
                return math::ValueSlope{series_.work(t) - goal,
                                        series_.uz(t) * series_.speed(t)};
            });
        }
        const double left = progress_.impulse_left();
        const double goal = z_ + left;
        const double at_limit = series_.normal_impulse(limit) - goal;
        if (left <= 0.0) return at_;
        if (at_limit < 0.0) return k_never;
        return root(limit, -left, at_limit, [&](double t) {
            return math::ValueSlope{series_.normal_impulse(t) - goal, series_.speed(t)};
        });
    }

    template <class Function>
    double root(double limit, double value_at, double value_limit, Function&& f) const {
        const double guess = at_ + (limit - at_) * value_at / (value_at - value_limit);
        return math::bracketed_newton(f, at_, limit, value_at, guess).x;
    }

    // Goes on to tau within one phase, u_z there being uz.
    void move(double tau, double uz, bool compression) {
        if (progress_.trace != nullptr) trace(tau);
        const double z = series_.normal_impulse(tau);
        const double work = series_.work(tau);
        progress_.account(z - z_, work - work_, compression);
        at_ = tau;
        uz_ = uz;
        z_ = z;
        work_ = work;
    }

    void trace(double tau) const {
        RouthProgress now = progress_;
        for (int i = 1; i <= k_slide_samples; ++i) {
            const double t = at_ + (tau - at_) * i / k_slide_samples;
            const SlideSeries::Slip slip = series_.slip(t);
            const SlideSeries::Slip p = series_.friction_impulse(t);
            now.x = slip.x;
            now.y = slip.y;
            now.uz = series_.uz(t);
            now.sample(Mode::slide, p.x, p.y, series_.normal_impulse(t) - z_,
                       series_.work(t) - work_);
        }
    }

    // Brings the velocities and the friction impulse up to where the walk ended.
    void settle() {
        const SlideSeries::Slip slip = series_.slip(at_);
        const SlideSeries::Slip p = series_.friction_impulse(at_);
        progress_.x = slip.x;
        progress_.y = slip.y;
        progress_.uz = uz_;
        progress_.px += p.x;
        progress_.py += p.y;
    }

    RouthProgress& progress_;
    SlideSeries series_;
    std::array<double, 3> cut_{};
    std::size_t cuts_ = 0;
    double at_ = 0.0;  // tau reached
    double z_ = 0.0;     // normal impulse there
    double work_ = 0.0;  // normal work there
    double uz_;        // normal velocity there, exactly zero at its zeros
    bool stopped_ = false;
};

// Jumps to zero slip along a converging ray if nothing happens on the way; true when it did.
bool jump_to_rest(RouthProgress& now, const RayField& field, const JamDirections& jam) {
    const RayEnding ending = ending_on_ray(now.K, now.parameters.mu, now.x, now.y, field);
    if (!ending.found) return false;
    // h of one sign on the way, so that u_z is monotone
    const double mu = now.parameters.mu;
    const double r = std::sqrt(now.x * now.x + now.y * now.y);
    const double h_now = now.K.k33 - mu * (now.K.b1 * now.x + now.K.b2 * now.y) / r;
    const double h_ray = now.K.k33 - mu * (now.K.b1 * ending.ray_c + now.K.b2 * ending.ray_s);
    if (h_now * h_ray <= 0.0) return false;
    if (jam.possible && h_now > 0.0) {
        const double side_now = now.K.b1 * now.y - now.K.b2 * now.x;
        const double side_ray = now.K.b1 * ending.ray_s - now.K.b2 * ending.ray_c;
        const double ahead = now.K.b1 * ending.ray_c + now.K.b2 * ending.ray_s;
        if (side_now * side_ray <= 0.0 && ahead > 0.0) return false;
    }
    const double uz_end = now.uz + ending.uz_change;
    const double work = uz_end * ending.Z - ending.omega;
    const bool compression = now.uz < 0.0 || (now.uz == 0.0 && uz_end < 0.0);
    if (compression ? uz_end > 0.0 : uz_end < 0.0) return false;
    if (!compression || now.ends_in_any_phase()) {
        if (now.ends_by_work() && work >= now.work_left()) return false;
        if (now.ends_by_velocity() && uz_end >= now.uz_goal()) return false;
        if (!now.ends_by_work() && !now.ends_by_velocity() && ending.Z >= now.impulse_left())
            return false;
    }
    now.account(ending.Z, work, compression);
    now.px += ending.px;
    now.py += ending.py;
    now.uz = uz_end;
    return true;
}

// Slides until the impact ends (true) or the slip vanishes (false).
bool slide(RouthProgress& now) {
    const double mu = now.parameters.mu;
    const JamDirections jam(now.K, mu);
    const double first_speed = std::sqrt(now.x * now.x + now.y * now.y);
    now.path.add(Mode::slide);
    for (;;) {
        const double r = std::sqrt(now.x * now.x + now.y * now.y);
        if (r <= k_tolerances.slip_end * first_speed) break;
        const double c = now.x / r;
        const double s = now.y / r;
        const RayField field = ray_field(now.K, mu, c, s);
        if (std::abs(field.f) <=
            k_tolerances.on_ray * (std::abs(field.f_th) + std::abs(field.g))) {
            const double g = growth_on_ray(now.K, mu, c, s);
            const StraightStretch ray{-mu * c,
                                      -mu * s,
                                      g * c,
                                      g * s,
                                      normal_rate_on_ray(now.K, c, s, g),
                                      g < 0.0 ? -r / g : k_never,
                                      Mode::slide};
            if (follow_straight(now, ray)) return true;
            break;
        }
        if (now.trace == nullptr && jump_to_rest(now, field, jam)) break;
        SlideStep step(now, jam);
        if (step.walk()) return true;
    }
    now.x = now.y = 0.0;
    return false;
}

// The rest of the impact from zero slip: stick, or slip along the diverging ray.
void finish_from_rest(RouthProgress& now, bool slid) {
    const double mu = now.parameters.mu;
    const Principal& K = now.K;
    StraightStretch stretch{};
    stretch.length = k_never;
    if (K.stick_is_stable(mu)) {
        const Vec2 q = K.stick_direction();
        stretch = {q.x(), q.y(), 0.0, 0.0, K.kappa, k_never, Mode::stick};
        if (slid) now.mark(TransitionKind::slip_to_stick);
    } else {
        const UnitSlip ray = diverging_ray(K, mu);
        stretch = {-mu * ray.c1,
                   -mu * ray.c2,
                   ray.lambda * ray.c1,
                   ray.lambda * ray.c2,
                   normal_rate_on_ray(K, ray.c1, ray.c2, ray.lambda),
                   k_never,
                   mu > 0.0 ? Mode::ray : Mode::frictionless};
        if (slid) now.mark(TransitionKind::slip_to_slip);
    }
    now.path.add(stretch.mode);
    follow_straight(now, stretch);
}

// Without friction the slip plays no part.
void finish_frictionless(RouthProgress& now) {
    now.path.add(Mode::frictionless);
    follow_straight(now, {0.0, 0.0, now.K.b1, now.K.b2, now.K.k33, k_never, Mode::frictionless});
}

Solution integrate(const Contact& contact, const RouthParameters& parameters, Trace* trace) {
    const Principal K = make_principal(contact.K);
    const Vec2 slip = K.turn(contact.u.x(), contact.u.y());
    RouthProgress now(K, parameters, slip, contact.u.z());
    now.trace = trace;
    const bool slips = (slip.x() != 0.0 || slip.y() != 0.0) && parameters.mu > 0.0;
    if (contact.u.z() == 0.0) {
        // grazing: an impact only if the slip drives the bodies together
        if (!slips) return Solution::none();
        const double h = K.k33 - parameters.mu * (K.b1 * slip.x() + K.b2 * slip.y()) / slip.norm();
        if (h >= 0.0) return Solution::none();
    }
    now.sample(slips ? Mode::slide : Mode::stick, 0.0, 0.0, 0.0, 0.0);
    if (parameters.mu == 0.0) {
        finish_frictionless(now);
    } else if (!slips || !slide(now)) {
        finish_from_rest(now, slips);
    }
    now.mark(TransitionKind::end);

    Solution solution;
    const Vec2 p = K.turn_back(now.px, now.py);
    solution.p = {p.x(), p.y(), now.pz};
    solution.path = now.path;
    solution.history = now.history;
    solution.history.known = true;
    return solution;
}

}  // namespace

const char* termination_name(Termination termination) {
    switch (termination) {
        case Termination::stronge: return "stronge";
        case Termination::poisson: return "poisson";
        case Termination::poisson_first: return "poisson-first";
        case Termination::newton: return "newton";
    }
    return "unknown";
}

Solution routh(const Contact& contact, const RouthParameters& parameters, Trace* trace) {
    if (contact.u.z() > 0.0) return Solution::none();
    if (trace != nullptr) integrate(contact, parameters, trace);
    return integrate(contact, parameters, nullptr);
}

}  // namespace carom::impact
