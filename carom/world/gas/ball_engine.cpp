// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/gas/ball_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "carom/motion/ballistic.h"
#include "carom/world/restored_state.h"

namespace carom::world {
namespace {

// The only part of a shape if it is a T, else null.
template <class T>
const T* only_part(const Body& body) {
    if (!body.shape || body.shape->parts.size() != 1) return nullptr;
    return std::get_if<T>(&body.shape->parts[0].convex);
}

bool is_plain_ball(const Body& body) {
    return only_part<shape::Sphere>(body) != nullptr && body.isotropic &&
           body.shape->parts[0].pose.position == body.center;
}

BallWall make_wall(const Body& body, std::uint32_t id) {
    const shape::Part& part = body.shape->parts[0];
    const shape::Pose pose = shape::compose(frame_pose(body, body.first), part.pose);
    BallWall wall;
    wall.normal = pose.rotate(std::get<shape::HalfSpace>(part.convex).normal).normalized();
    wall.offset = wall.normal.dot(pose.position);
    wall.body = id;
    return wall;
}

}  // namespace

bool BallEngine::fits(const Settings& settings, std::span<const Body> bodies) {
    if (settings.multiple != impact::MultipleId::sequential) return false;
    if (!settings.gravity.isZero(0.0)) return false;
    bool any_free = false;
    for (const Body& body : bodies) {
        const bool fits = body.fixed ? body.still && only_part<shape::HalfSpace>(body) != nullptr
                                     : body.forces.empty() && is_plain_ball(body);
        if (!fits) return false;
        any_free = any_free || !body.fixed;
    }
    return any_free;
}

BallEngine::BallEngine(const EngineInput& input) : input_(input) {
    const std::size_t n = input_.bodies.size();
    ball_of_.assign(n, BallGrid::k_end);
    const auto balls = static_cast<std::size_t>(std::count_if(
        input_.bodies.begin(), input_.bodies.end(), [](const Body& body) { return !body.fixed; }));
    if (balls > BallGrid::k_most_balls) {
        throw std::invalid_argument("too many balls; at most 2^30 - 2 can be simulated");
    }
    balls_.reserve(balls);
    cards_.reserve(balls);
    spins_.reserve(balls);
    for (std::uint32_t id = 0; id < n; ++id) {
        const Body& body = input_.bodies[id];
        if (body.fixed) {
            walls_.push_back(make_wall(body, id));
            continue;
        }
        ball_of_[id] = ball_count();
        const double radius = only_part<shape::Sphere>(body)->radius;
        alike_ = alike_ && (balls_.empty() || radius == largest_radius_);
        largest_radius_ = std::max(largest_radius_, radius);
        Ball ball;
        ball.x = body.first.position;
        ball.v = body.first.velocity;
        balls_.push_back(ball);
        Card card;
        card.radius = radius;
        card.inverse_mass = body.inverse_mass;
        card.inverse_inertia = body.inverse_inertia(0, 0);
        card.body = id;
        cards_.push_back(card);
        spins_.push_back({body.first.orientation, body.first.angular_velocity, 0.0});
    }
    near_.resize(balls + 8);  // and what a cell copies in excess
    number_materials();
}

// Materials of these bodies alone, numbered from 0, and the law of each two.
void BallEngine::number_materials() {
    std::vector<std::uint32_t> number(input_.contacts.material_count(), BallGrid::k_end);
    const auto numbered = [&](std::uint32_t body) {
        const std::uint32_t id = input_.bodies[body].material;
        if (number[id] == BallGrid::k_end) {
            number[id] = static_cast<std::uint32_t>(material_ids_.size());
            material_ids_.push_back(id);
        }
        return number[id];
    };
    for (Card& card : cards_)
        card.material = numbered(card.body);
    for (BallWall& wall : walls_)
        wall.material = numbered(wall.body);
    for (const std::uint32_t a : material_ids_) {
        for (const std::uint32_t b : material_ids_) {
            PairLaw pair;
            if (const ContactLaw* found = input_.contacts.find(a, b)) {
                pair = {*found, true, found->law == impact::LawId::frictionless};
            }
            laws_.push_back(pair);
        }
    }
}

// Where the balls are, but for a few that are far out: on each axis within four times the mean
// distance from the mean.
Aabb BallEngine::middle_box() const {
    const double count = static_cast<double>(balls_.size());
    const auto place = [&](const Ball& b) { return Vec3(b.x + (now_ - b.t0) * b.v); };
    Vec3 mean = Vec3::Zero(), spread = Vec3::Zero();
    for (const Ball& b : balls_)
        mean += place(b) / count;
    Aabb box{mean, mean};
    for (const Ball& b : balls_) {
        const Vec3 at = place(b);
        spread += (at - mean).cwiseAbs() / count;
        box.low = box.low.cwiseMin(at);
        box.high = box.high.cwiseMax(at);
    }
    box.low = box.low.cwiseMax(Vec3(mean - 4.0 * spread));
    box.high = box.high.cwiseMin(Vec3(mean + 4.0 * spread));
    return box;
}

// One grid for each factor of two in radius, the largest balls first.
void BallEngine::make_grids() {
    constexpr std::size_t k_most_grids = 8;
    box_ = middle_box();
    const Vec3 size = (box_.high - box_.low).cwiseMax(2.0 * largest_radius_);
    const double volume = size.x() * size.y() * size.z();
    std::vector<std::size_t> counts(k_most_grids, 0);
    std::vector<double> largest(k_most_grids, 0.0);
    const auto grade = [&](double radius) {
        const double halvings = std::floor(std::log2(largest_radius_ / radius));
        return static_cast<std::size_t>(
            std::min(std::max(halvings, 0.0), static_cast<double>(k_most_grids - 1)));
    };
    for (const Card& card : cards_) {
        const std::size_t g = grade(card.radius);
        ++counts[g];
        largest[g] = std::max(largest[g], card.radius);
    }
    grids_.clear();
    look_ahead_ = k_never;
    std::vector<std::uint16_t> number(k_most_grids, 0);
    for (std::size_t g = 0; g < k_most_grids; ++g) {
        if (counts[g] == 0) continue;
        number[g] = static_cast<std::uint16_t>(grids_.size());
        grids_.emplace_back(box_, volume, counts[g], largest[g], walls_);
        look_ahead_ = std::min(look_ahead_, grids_.back().least_side());
    }
    for (std::uint32_t i = 0; i < ball_count(); ++i) {
        const Vec3 at = balls_[i].x + (now_ - balls_[i].t0) * balls_[i].v;
        cards_[i].place.grid = number[grade(cards_[i].radius)];
        for (int k = 0; k < 3; ++k)
            cards_[i].place.cell[k] = grids_[cards_[i].place.grid].cell_of(at[k], k);
        file(i);
    }
}

void BallEngine::file(std::uint32_t i) {
    BallGrid& grid = grids_[cards_[i].place.grid];
    const std::size_t index = grid.index(cards_[i].place.cell);
    cards_[i].place.walls = grid.wall_set(index);
    BallGrid::Cell& cell = grid.cell(index);
    const std::uint32_t count = cell.count();
    if (count < cell.ball.size()) {
        cell.ball[count] = i;
        ++cell.state;
    } else {
        balls_[i].next = cell.more();
        cell.set_more(i);
    }
}

void BallEngine::unfile(std::uint32_t i) {
    BallGrid& grid = grids_[cards_[i].place.grid];
    BallGrid::Cell& cell = grid.cell(grid.index(cards_[i].place.cell));
    const auto end = cell.ball.begin() + cell.count();
    const auto place = std::find(cell.ball.begin(), end, i);
    std::uint32_t first = cell.more();
    if (place == end) {
        // it hangs on the chain
        std::uint32_t* link = &first;
        while (*link != i)
            link = &balls_[*link].next;
        *link = balls_[i].next;
        cell.set_more(first);
    } else if (first != BallGrid::k_end) {
        // one of the chain takes its place
        *place = first;
        cell.set_more(balls_[first].next);
    } else {
        *place = *(end - 1);
        --cell.state;
    }
}

void BallEngine::rebuild() {
    double radii = 0.0, speeds = 0.0;
    for (std::uint32_t i = 0; i < ball_count(); ++i) {
        radii += cards_[i].radius;
        speeds += balls_[i].v.norm();
        cards_[i].at_once = 0;
    }
    instant_ = speeds > 0.0 ? 1e-12 * radii / speeds : 0.0;
    find_first_plans();
}

void BallEngine::find_first_plans() {
    make_grids();
    queue_.reset(balls_.size());
    events_since_look_ = 0;
    for (std::uint32_t i = 0; i < ball_count(); ++i)
        plan(i);
}

// Grids are made anew when the balls have spread or drawn together.
void BallEngine::look_around() {
    constexpr double k_wider = 1.5, k_closer = 0.5;
    events_since_look_ = 0;
    const Aabb box = middle_box();
    const Vec3 size = (box.high - box.low).cwiseMax(2.0 * largest_radius_);
    const Vec3 before = (box_.high - box_.low).cwiseMax(2.0 * largest_radius_);
    const bool moved =
        ((box.low + box.high) - (box_.low + box_.high)).cwiseAbs().maxCoeff() > before.maxCoeff();
    const bool wider = (size.array() > k_wider * before.array()).any();
    const bool closer = (size.array() < k_closer * before.array()).any();
    if (moved || wider || closer) find_first_plans();
}

motion::State BallEngine::state(BodyId body) const {
    const Segment now = segment(body);
    if (now.kind == SegmentKind::given) return now.state;
    return motion::Ballistic::sphere(now.state, Vec3::Zero(), now.t0).at(now_);
}

Segment BallEngine::segment(BodyId body) const {
    const std::uint32_t i = ball_of_[body];
    if (i == BallGrid::k_end) return {0.0, body, SegmentKind::given, input_.bodies[body].first};
    const Ball& ball = balls_[i];
    const Spin& spin = spins_[i];
    const motion::Attitude attitude =
        motion::FreeRotation::steady(spin.orientation, spin.w, spin.t).at(ball.t0);
    return {ball.t0, body, SegmentKind::flight, {ball.x, attitude.orientation, ball.v, spin.w}};
}

void BallEngine::save(ByteWriter& out) const {
    out.put(now_);
    for (std::size_t i = 0; i < balls_.size(); ++i) {
        out.put(balls_[i].t0);
        out.put(spins_[i].t);
        out.put(motion::State{balls_[i].x, spins_[i].orientation, balls_[i].v, spins_[i].w});
    }
}

void BallEngine::load(ByteReader& in) {
    now_ = in.get<double>();
    check_restored_time(now_, std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < balls_.size(); ++i) {
        balls_[i].t0 = in.get<double>();
        spins_[i].t = in.get<double>();
        check_restored_time(balls_[i].t0, now_);
        check_restored_time(spins_[i].t, now_);
        const motion::State state = in.state();
        check_restored(state);
        if (!can_be_restored(state.position + (now_ - balls_[i].t0) * state.velocity))
            throw std::invalid_argument("the checkpoint holds a ball at no place");
        balls_[i].x = state.position;
        balls_[i].v = state.velocity;
        spins_[i].orientation = state.orientation;
        spins_[i].w = state.angular_velocity;
    }
}

std::size_t BallEngine::bytes() const {
    std::size_t sum = queue_.bytes() + balls_.capacity() * sizeof(Ball) +
                      cards_.capacity() * sizeof(Card) + spins_.capacity() * sizeof(Spin) +
                      near_.capacity() * sizeof(std::uint32_t) +
                      ball_of_.capacity() * sizeof(std::uint32_t);
    for (const BallGrid& grid : grids_)
        sum += grid.bytes();
    return sum;
}

}  // namespace carom::world
