// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "carom/cli/commands.h"
#include "carom/cli/every_law.h"
#include "carom/cli/impact_answer.h"
#include "carom/cli/impact_examples.h"
#include "carom/cli/impact_problem.h"
#include "carom/cli/line_session.h"
#include "carom/cli/table.h"
#include "carom/impact/permissible.h"

namespace carom::cli {
namespace {

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
        {std::move(first), "impulse p", "velocity after", "energy lost", "e shown", "path"});
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
        const auto marks = impact::region_landmarks(problem.contact, problem.parameters.mu);
        fmt::print("  contact velocity {}   mu {}   e {}   largest e any law may show {}\n\n",
                   vector_text(problem, u), problem.parameters.mu, problem.parameters.e,
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
        solve(read_problem(line, read_), number);
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

    const ImpactOptions& options_;
    ReadOptions read_;
    Table table_;
    std::size_t rows_ = 0;
    impact::Trace trace_;
};

}  // namespace

int run_impact(const ImpactOptions& options) {
    if (options.examples) return run_examples();
    ReadOptions read;
    read.trace = options.trace;
    read.every_law = options.all;
    if (!options.law.empty()) {
        read.law = impact::find_law(options.law);
        if (read.law == nullptr) {
            const std::string_view near = impact::nearest_law(options.law);
            fmt::print(stderr, "carom impact: unknown law '{}'{}\n", options.law,
                       near.empty() ? std::string("; 'carom laws' lists them")
                                    : fmt::format("; did you mean '{}'?", near));
            return k_bad_input;
        }
    }
    return Session(options, read).run(options.files);
}

}  // namespace carom::cli
