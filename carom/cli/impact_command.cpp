// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "carom/cli/commands.h"
#include "carom/cli/every_law.h"
#include "carom/cli/impact_answer.h"
#include "carom/cli/impact_examples.h"
#include "carom/cli/impact_problem.h"
#include "carom/cli/line_session.h"
#include "carom/cli/multi_contact_answer.h"
#include "carom/cli/multi_contact_reader.h"
#include "carom/cli/say.h"
#include "carom/cli/table.h"
#include "carom/impact/permissible.h"

namespace carom::cli {
namespace {

constexpr const char* k_impact_help = R"(
A problem is one JSON object a line, in the contact frame (z is the normal, from B to A):
  {"id":1,"law":"routh","K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5}
K (1/kg) gives the change of the contact velocity by an impulse; u (m/s) is the contact velocity of A
minus that of B. Or as two bodies in the world frame:
  {"id":2,"law":"routh","mu":0.4,"e":0.5,"normal":[0,0,1],
   "A":{"mass":1,"inertia":[[0.4,0,0],[0,0.4,0],[0,0,0.4]],"r":[0,0,-1],"v":[-1,0,-5],"w":[0,2,0]},
   "B":"fixed"}   (on one line)
Plane problems have a 2x2 K and u = [ux, uz]. 'carom laws' lists the laws and their parameters.
The answer has the id and: impulse (on A, N s), u and u_after (m/s, before and after), energy_lost (J),
restitution {kinematic, kinetic, energetic}, permissible {energy, separation, cone, normal}, path;
with bodies also A and B {v, w}, after the impact. Vectors are in the frame of the problem.

Several contacts at one instant are one problem, in the world frame, normals from b to a:
  {"id":3,"multiple":"sequential","law":"routh","mu":0.4,"e":0.5,
   "bodies":[{"mass":1,"inertia":[[0.4,0,0],[0,0.4,0],[0,0,0.4]],"position":[0,0,1],"v":[1,0,-2]},
             "fixed"],
   "contacts":[{"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1]},
               {"a":0,"b":1,"point":[1,0,1],"normal":[-1,0,0],"mu":0.1}]}   (on one line)
multiple: sequential (default; "ties":"index"|"random", "seed", "tolerance", "most_rounds"),
  coupled ("stiffness" and "power" of the contacts, 1 and 1.5 by default; "reclose":"gap"|"approach")
  or simultaneous ("restitution":"newton"|"poisson").
law, parameters, stiffness and power at the top stand for all contacts that have none of their own;
the law "hinge" makes a ball joint. --all gives the answer of every 'multiple'; --trace and --region
are for problems of one contact. The answer has bodies [{v, w}] after the impact, contacts [{impulse,
u, u_after}], energy_lost, rounds, approach_left and permissible.

docs/impact.md lists all fields with their units. As JSON Lines each line is answered as soon as no
further input is waiting, so that a program may write a problem, read its answer and write the next; a
table comes at the end.
A line that cannot be solved gives {"id":…,"line":…,"error":…}, and the others are still solved.
Exit codes: 0 all solved; 1 a law does not apply to a line's problem; 2 a line is not a valid problem.)";

struct ImpactOptions {
    std::vector<std::string> files;  // none: standard input
    std::string law;
    bool all = false;
    bool trace = false;
    bool region = false;
    bool json = false;
    bool table = false;
    bool examples = false;
};

std::string vector_text(const ImpactProblem& problem, const Vec3& v) {
    if (problem.plane) return fmt::format("{}, {}", short_number(v.x()), short_number(v.z()));
    const Vec3 shown = problem.bodies ? Vec3(problem.R_CW.transpose() * v) : v;
    return fmt::format("{}, {}, {}", short_number(shown.x()), short_number(shown.y()),
                       short_number(shown.z()));
}

std::string path_text(const impact::Path& path) {
    std::string text;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i > 0) text += " ";
        text += impact::mode_name(path[i]);
    }
    return text;
}

Table answer_table(std::string first) {
    return Table(
        {std::move(first), "impulse (N s)", "u after (m/s)", "energy lost (J)", "e shown", "path"});
}

void add_row(Table& table, const ImpactProblem& problem, std::string name,
             const impact::Solution& solution) {
    const impact::Contact& c = problem.contact;
    const double lost = -impact::energy_change(c, solution.p);
    const auto shown = impact::shown_restitution(c, solution);
    // rounding is not worth a person's attention
    const Vec3 after = c.u + c.K * solution.p;
    const double speck = 1e-13 * c.u.cwiseAbs().maxCoeff();
    const Vec3 shown_after =
        after.unaryExpr([=](double v) { return std::abs(v) < speck ? 0.0 : v; });
    table.add({std::move(name), vector_text(problem, solution.p), vector_text(problem, shown_after),
               short_number(lost), shown.kinematic ? short_number(*shown.kinematic) : "-",
               path_text(solution.path)});
}

std::string all_table(const ImpactProblem& problem) {
    Table table = answer_table("law");
    std::string silent;
    for (const LawAnswer& answer : answer_with_every_law(problem)) {
        if (answer.solved) {
            add_row(table, problem, answer.label, answer.solution);
        } else {
            silent += fmt::format("  {:<22} {}\n", answer.label, answer.reason);
        }
    }
    std::string text = table.text();
    if (!silent.empty()) text += "no answer:\n" + silent;
    return text;
}

int run_examples() {
    for (const ImpactExample& example : impact_examples()) {
        ReadOptions read;
        read.every_law = true;
        const ImpactProblem problem = read_problem(example.line, read);
        fmt::print("{}\n{}\n\n", example.title, example.point);
        const Vec3& u = problem.contact.u;
        const auto marks = impact::region_landmarks(problem.contact, *problem.parameters.mu);
        fmt::print("  contact velocity {} m/s   mu {}   e {}   largest e any law may show {}\n\n",
                   vector_text(problem, u), *problem.parameters.mu, *problem.parameters.e,
                   short_number(marks.largest_kinematic_e));
        fmt::print("{}\n", all_table(problem));
    }
    return flush_output() ? k_done : k_failed;
}

// Reads, solves and writes line by line.
class Session : public LineSession {
public:
    Session(const ImpactOptions& options, const ReadOptions& read)
        : LineSession("carom impact",
                      options.table || (!options.json && isatty(STDOUT_FILENO) != 0)),
          options_(options),
          read_(read),
          table_(answer_table("id")) {}

protected:
    void answer(std::string_view line, std::size_t number) override {
        if (const auto joint = read_multi_contact_line(line, read_)) {
            solve(*joint, number);
        } else {
            solve(read_problem(line, read_), number);
        }
    }
    void finish() override {
        if (as_table() && !options_.all && rows_ > 0) write(table_.text());
    }

private:
    void solve(const ImpactProblem& problem, std::size_t line) {
        if (options_.all) {
            if (as_table()) {
                write(fmt::format("problem {}\n{}\n", problem.id, all_table(problem)));
            } else {
                write_all_answers(buffer(), problem);
            }
            return;
        }
        trace_.samples.clear();
        trace_.transitions.clear();
        const impact::Outcome outcome = impact::resolve(
            *problem.law, problem.contact, problem.parameters, problem.trace ? &trace_ : nullptr);
        if (outcome.refusal != nullptr) {
            unsolved(problem.id, fmt::format("law '{}' {}", problem.law->name, outcome.refusal),
                     line);
            return;
        }
        if (as_table()) {
            add_row(table_, problem, problem.id, outcome.solution);
            ++rows_;
        } else {
            write_answer(buffer(), problem, outcome.solution, problem.trace ? &trace_ : nullptr,
                         options_.region);
        }
    }

    void solve(const MultiContactLine& joint, std::size_t line) {
        if (options_.all) {
            if (as_table()) {
                write(all_joint_tables(joint));
            } else {
                write_all_multi_contact_answers(buffer(), joint);
            }
            return;
        }
        impact::MultiContactSolution solution;
        try {
            solution = impact::resolve_multiple(joint.multiple, joint.problem, joint.settings);
        } catch (const std::invalid_argument& error) {
            unsolved(joint.id, error.what(), line);
            return;
        }
        if (as_table()) {
            write(joint_table(joint, solution));
        } else {
            write_multi_contact_answer(buffer(), joint, solution);
        }
    }

    const ImpactOptions& options_;
    ReadOptions read_;
    Table table_;
    std::size_t rows_ = 0;
    impact::Trace trace_;
};

int run_impact(const ImpactOptions& options) {
    if (options.examples) return run_examples();
    ReadOptions read;
    read.trace = options.trace;
    read.every_law = options.all;
    if (!options.law.empty()) {
        read.law = impact::find_law(options.law);
        if (read.law == nullptr) {
            const std::string_view near = impact::nearest_law(options.law);
            say("carom impact: unknown law '{}'{}\n", options.law,
                near.empty() ? std::string("; 'carom laws' lists them")
                             : fmt::format("; did you mean '{}'?", near));
            return k_bad_input;
        }
    }
    return Session(options, read).run(options.files);
}

}  // namespace

void add_impact(CLI::App& app, int& code) {
    const auto options = std::make_shared<ImpactOptions>();
    CLI::App* command =
        app.add_subcommand("impact", "Solves impacts: JSON Lines in, JSON Lines out");
    command->add_option("FILES", options->files,
                        "Files of problems; - is standard input (default: standard input)");
    CLI::Option* law = command
                           ->add_option("--law", options->law,
                                        "Use this law instead of each line's own; joints stay")
                           ->type_name("NAME");
    CLI::Option* all =
        command->add_flag("--all", options->all, "Every law's answer to each problem");
    law->excludes(all);
    command->add_flag("--trace", options->trace, "Also the path inside each impact")->excludes(all);
    command
        ->add_flag("--region", options->region,
                   "Also margins, landmarks and curves of the permissible region")
        ->excludes(all);
    CLI::Option* json =
        command->add_flag("--json", options->json, "JSON Lines (the default unless on a terminal)");
    command->add_flag("--table", options->table, "A table (the default on a terminal)")
        ->excludes(json);
    command->add_flag("--examples", options->examples,
                      "A few telling impacts, solved with every law");
    command->footer(k_impact_help);
    command->callback([options, &code] { code = run_impact(*options); });
}

}  // namespace carom::cli
