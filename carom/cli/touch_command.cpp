// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "carom/cli/commands.h"
#include "carom/cli/line_session.h"
#include "carom/cli/option_checks.h"
#include "carom/cli/table.h"
#include "carom/cli/touch_problem.h"
#include "carom/detect/body_contact.h"

namespace carom::cli {
namespace {

constexpr const char* k_touch_help = R"(
A problem is one JSON object a line: two bodies and the time to look ahead, in SI units, z up.
  {"id":1,"a":{"shape":{"type":"box","size":[0.1,0.2,0.05]},
               "motion":{"position":[0,0,1],"angular_velocity":[3,1,0],"gravity":[0,0,-9.81]}},
          "b":{"shape":{"type":"plane"}},"until":1.0}   (on one line)
Shapes: sphere (radius), plane (normal; solid below it, fixed), box (size), capsule (radius, length
of the straight part), cylinder, cone (radius, height), hull (points or file), mesh (file or pieces),
compound (parts, each a shape with position and orientation). Axes are along z.
Motion, all optional: position of the shape's origin (a primitive's is its centre of mass),
orientation [w,x,y,z] or axis and angle in degrees, velocity of the centre of mass, angular_velocity,
gravity, mass or density, inertia. With "fixed":true the body moves as given: velocity is that of its
position, or of the pivot it turns about.
The answer has the id and: t (s), point (m) and normal (from b to a) of the first contact, distance
(m), features {a, b} that touch; overlap is true when the bodies overlap at the start. Without a
contact until then, t, point, normal and features are null, and distance is that at the end.
As JSON Lines each line is answered as soon as no further input is waiting; a table comes at the end.
A line that cannot be answered gives {"id":…,"line":…,"error":…}, and the others are still answered.
docs/touch.md says more.
Exit codes: 0 all answered; 1 a search took too many steps; 2 a line is not a valid problem.)";

struct TouchOptions {
    std::vector<std::string> files;  // none: standard input
    bool json = false;
    bool table = false;
    long steps = 1'000'000;  // most steps of one search
};

using detect::BodyContact;
using detect::ContactKind;

bool is_contact(const BodyContact& c) {
    return c.contact.kind == ContactKind::touch || c.contact.kind == ContactKind::overlap;
}

// "face 3"; features that a body has once only go without a number.
std::string feature_text(detect::Feature feature) {
    switch (feature.kind) {
        case detect::FeatureKind::surface:
        case detect::FeatureKind::side:
        case detect::FeatureKind::apex:
            return detect::name_of(feature.kind);
        default:
            return fmt::format("{} {}", detect::name_of(feature.kind), feature.index);
    }
}

std::string feature_of_part(const ReadBody& body, std::size_t part, detect::Feature feature) {
    const std::string text = feature_text(feature);
    return body.shape.parts.size() > 1 ? fmt::format("part {} {}", part, text) : text;
}

std::string list(const Vec3& v) {
    // adding zero makes -0 a 0
    return fmt::format("[{},{},{}]", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
}

Vec3 contact_point(const detect::Separation& s) {
    return 0.5 * (s.point_a + s.point_b);
}

std::string answer_json(const TouchProblem& problem, const BodyContact& c) {
    const detect::Separation& s = c.contact.apart;
    if (!is_contact(c)) {
        return fmt::format(
            "{{\"id\":{},\"t\":null,\"point\":null,\"normal\":null,\"distance\":{},"
            "\"features\":null}}\n",
            problem.id, s.distance);
    }
    return fmt::format(
        "{{\"id\":{},\"t\":{},\"point\":{},\"normal\":{},\"distance\":{},\"features\":{{\"a\":"
        "\"{}\",\"b\":\"{}\"}}{}}}\n",
        problem.id, c.contact.t, list(contact_point(s)), list(s.normal), s.distance,
        feature_of_part(problem.a, c.part_a, s.a), feature_of_part(problem.b, c.part_b, s.b),
        c.contact.kind == ContactKind::overlap ? ",\"overlap\":true" : "");
}

std::string vector_text(const Vec3& v) {
    return fmt::format("{}, {}, {}", short_number(v.x()), short_number(v.y()), short_number(v.z()));
}

class Session : public LineSession {
public:
    explicit Session(const TouchOptions& options)
        : LineSession("carom touch",
                      options.table || (!options.json && isatty(STDOUT_FILENO) != 0)),
          table_({"id", "t (s)", "point (m)", "normal", "distance (m)", "a", "b"}) {
        search_.most_steps = options.steps;
    }

protected:
    void answer(std::string_view line, std::size_t number) override {
        const TouchProblem problem = read_touch_problem(line);
        const detect::MovingBody a(problem.a.shape, problem.a.center, problem.a.motion);
        const detect::MovingBody b(problem.b.shape, problem.b.center, problem.b.motion);
        detect::BodyMemory memory;
        const BodyContact c = detect::body_contact(a, b, 0.0, problem.until, memory, search_);
        if (c.contact.kind == ContactKind::unsettled) {
            unsolved(problem.id,
                     fmt::format("not settled within {} steps: no contact before t = {}, unknown "
                                 "after it; --steps allows more",
                                 search_.most_steps, c.contact.t),
                     number);
            return;
        }
        const detect::Separation& s = c.contact.apart;
        if (!std::isfinite(c.contact.t + s.distance + contact_point(s).sum() + s.normal.sum())) {
            unsolved(problem.id, "has no finite answer: its numbers are too large or too small",
                     number);
            return;
        }
        if (as_table()) {
            add_row(problem, c);
        } else {
            write(answer_json(problem, c));
        }
    }
    void finish() override {
        if (as_table() && rows_ > 0) write(table_.text());
    }

private:
    void add_row(const TouchProblem& problem, const BodyContact& c) {
        const detect::Separation& s = c.contact.apart;
        ++rows_;
        if (!is_contact(c)) {
            table_.add({problem.id, "never", "-", "-", short_number(s.distance), "-", "-"});
            return;
        }
        table_.add({problem.id, short_number(c.contact.t), vector_text(contact_point(s)),
                    vector_text(s.normal), short_number(s.distance),
                    feature_of_part(problem.a, c.part_a, s.a),
                    feature_of_part(problem.b, c.part_b, s.b)});
    }

    detect::ContactSearch search_;
    Table table_;
    std::size_t rows_ = 0;
};

}  // namespace

void add_touch(CLI::App& app, int& code) {
    const auto options = std::make_shared<TouchOptions>();
    CLI::App* command =
        app.add_subcommand("touch", "When, where and how two moving bodies first touch");
    command->add_option("FILES", options->files,
                        "Files of problems; - is standard input (default: standard input)");
    command->add_option("--steps", options->steps, "Most steps of one search")
        ->check(whole_number_between(1, 1'000'000'000'000))
        ->type_name("N")
        ->capture_default_str();
    CLI::Option* json =
        command->add_flag("--json", options->json, "JSON Lines (the default unless on a terminal)");
    command->add_flag("--table", options->table, "A table (the default on a terminal)")
        ->excludes(json);
    command->footer(k_touch_help);
    command->callback([options, &code] { code = Session(*options).run(options->files); });
}

}  // namespace carom::cli
