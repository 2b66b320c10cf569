// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Bodies under forces as pages see them: against the integrated motion.

#include "carom/serve/forced_pieces.h"

#include <gtest/gtest.h>

#include "carom/motion/accelerated.h"
#include "carom/record/layout.h"
#include "tests/serve/served.h"

namespace carom::tests {
namespace {

// A spinning plate in air, that hits a floor: drag along its way and of its spin.
std::string plate_in_air() {
    return R"([simulation]
duration = 2.0
[[contact]]
e = 0.6
mu = 0.3
[[body]]
name = "plate"
shape = { type = "box", size = [0.2, 0.15, 0.03] }
mass = 0.5
position = [0, 0, 1]
velocity = [2, 1, 3]
angular_velocity = [3, 9, 1]
forces = [{ type = "drag", linear = 0.2, quadratic = 0.05, rotational = 0.0005 }]
[[body]]
name = "floor"
shape = { type = "plane" }
fixed = true
)";
}

// The motion that a page makes of its tables.
class PageMotion {
public:
    PageMotion(const std::string& segments, const std::string& lasting, std::uint32_t body) {
        const auto rows = rows_from<record::SegmentRow>(segments);
        for (const auto& more : rows_from<record::LastingRow>(lasting)) {
            world::Segment segment = record::from_row(rows.at(more.segment), 2);
            if (segment.body != body) continue;
            record::add_lasting(segment, more, more.segment);
            pieces_.push_back(segment);
        }
    }
    motion::State at(double t) const {
        const auto after = std::upper_bound(
            pieces_.begin(), pieces_.end(), t,
            [](double time, const world::Segment& piece) { return time < piece.t0; });
        const world::Segment& piece = *(after - 1);
        return motion::Accelerated(piece.state, piece.lasting.a, piece.lasting.alpha, piece.t0,
                                   piece.lasting.t1)
            .at(t);
    }
    std::size_t size() const { return pieces_.size(); }

private:
    std::vector<world::Segment> pieces_;
};

void expect_true_motion(const Served& served, const std::string& recording) {
    const record::Recording truth(recording);
    const scene::Scene scene = scene::read_scene_text(plate_in_air(), "plate");
    const world::World world = scene::make_world(scene);
    const record::Sampler sampler(world, truth.segments());
    const PageMotion page(served.table("/api/table/segments"), served.table("/api/table/lasting"),
                          0);
    EXPECT_LT(page.size(), 20'000U);
    const double tolerance = 2e-8 * world.body(0).radius;
    for (int i = 0; i <= 4001; ++i) {
        const double t = 2.0 * i / 4001.0;
        const motion::State is = page.at(t), should = sampler.at(0, t);
        ASSERT_LT((is.position - should.position).norm(), tolerance) << t;
        ASSERT_LT(is.orientation.angularDistance(should.orientation) * world.body(0).radius,
                  tolerance)
            << t;
        ASSERT_LT((is.velocity - should.velocity).norm(), 1e-3) << t;
    }
}

TEST(ForcedPieces, OfARecordingStayWithTheMotion) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "plate", plate_in_air());
    expect_true_motion(serve_recording(path), path);
}

TEST(ForcedPieces, OfALiveRunStayWithTheMotion) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "plate", plate_in_air());
    const Served served = serve_scene(plate_in_air());
    served.wait_for("/api/meta");
    expect_true_motion(served, path);
}

TEST(ForcedPieces, NoForcedSegmentIsLeft) {
    const ScratchFolder scratch;
    const Served served = serve_recording(record(scratch, "plate", plate_in_air()));
    for (const auto& row : rows_from<record::SegmentRow>(served.table("/api/table/segments")))
        EXPECT_NE(row.kind, static_cast<std::uint32_t>(world::SegmentKind::forced));
}

}  // namespace
}  // namespace carom::tests
