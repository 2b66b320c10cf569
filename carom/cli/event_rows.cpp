// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/event_rows.h"

#include "carom/cli/event_filter.h"
#include "carom/cli/json_out.h"
#include "carom/cli/progress_bar.h"

namespace carom::cli {
namespace {

constexpr std::size_t k_flush = std::size_t{1} << 16;

void drain(fmt::memory_buffer& buffer, OutputFile& out) {
    out.write({buffer.data(), buffer.size()});
    buffer.clear();
}

void put(fmt::memory_buffer& buffer, std::string_view text) {
    buffer.append(text.data(), text.data() + text.size());
}

std::string vector_text(const Vec3& v) {
    return fmt::format("{}, {}, {}", short_number(v.x()), short_number(v.y()), short_number(v.z()));
}

std::string_view law_name(const world::Event& event) {
    return impact::law_info(event.law).name;
}

}  // namespace

EventRows::EventRows(RowStyle style, const record::Header& header, OutputFile& out)
    : style_(style),
      header_(header),
      out_(out),
      table_({"t (s)", "kind", "a", "b", "law", "approach (m/s)", "impulse (N s)",
              "energy lost (J)", "e", "point (m)"}) {
    if (style_ != RowStyle::csv) return;
    put(buffer_, "t,kind,a,b,point_x,point_y,point_z,normal_x,normal_y,normal_z,u_x,u_y,u_z,");
    put(buffer_, "u_after_x,u_after_y,u_after_z,impulse_x,impulse_y,impulse_z,law,energy_lost,");
    put(buffer_, "restitution\n");
}

void EventRows::add(const world::Event& event) {
    switch (style_) {
        case RowStyle::json:
            add_json(event);
            break;
        case RowStyle::csv:
            add_csv(event);
            break;
        case RowStyle::table:
            add_row(event);
            break;
    }
    if (buffer_.size() > k_flush) drain(buffer_, out_);
}

void EventRows::finish() {
    if (style_ == RowStyle::table) put(buffer_, table_.text());
    drain(buffer_, out_);
}

void EventRows::add_json(const world::Event& event) {
    JsonOut out(buffer_);
    out.begin();
    out.number("t", event.t);
    out.text("kind", world::name_of(event.kind));
    out.text("a", header_.body_names[event.a]);
    if (event.b == world::k_no_body) {
        out.null("b");
    } else {
        out.text("b", header_.body_names[event.b]);
    }
    if (is_hit(event.kind)) {
        out.vector("point", event.point);
        out.vector("normal", event.normal);
        out.vector("u", event.u);
        out.vector("u_after", event.u_after);
        out.vector("impulse", event.impulse);
        out.text("law", law_name(event));
    } else {
        for (const char* name : {"point", "normal", "u", "u_after", "impulse", "law"})
            out.null(name);
    }
    out.number("energy_lost", event.energy_lost);
    if (is_hit(event.kind)) {
        out.number("restitution", event.restitution);
    } else {
        out.null("restitution");
    }
    out.end();
    out.end_line();
}

void EventRows::add_csv(const world::Event& event) {
    put_csv_number(buffer_, event.t);
    put(buffer_, ",");
    put(buffer_, world::name_of(event.kind));
    put(buffer_, ",");
    put_csv_text(buffer_, header_.body_names[event.a]);
    put(buffer_, ",");
    if (event.b != world::k_no_body) put_csv_text(buffer_, header_.body_names[event.b]);
    if (is_hit(event.kind)) {
        for (const Vec3* v :
             {&event.point, &event.normal, &event.u, &event.u_after, &event.impulse})
            put_csv_vector(buffer_, *v);
        put(buffer_, ",");
        put(buffer_, law_name(event));
    } else {
        put(buffer_, ",,,,,,,,,,,,,,,,");
    }
    put(buffer_, ",");
    put_csv_number(buffer_, event.energy_lost);
    put(buffer_, ",");
    if (is_hit(event.kind)) put_csv_number(buffer_, event.restitution);
    put(buffer_, "\n");
}

void EventRows::add_row(const world::Event& event) {
    const bool hit = is_hit(event.kind);
    table_.add(
        {fmt::format("{:.9g}", event.t), world::name_of(event.kind), header_.body_names[event.a],
         event.b == world::k_no_body ? "-" : header_.body_names[event.b],
         hit ? std::string(law_name(event)) : "-", hit ? short_number(approach_speed(event)) : "-",
         hit ? vector_text(event.impulse) : "-", short_number(event.energy_lost),
         hit ? short_number(event.restitution) : "-", hit ? vector_text(event.point) : "-"});
}

ForceRows::ForceRows(RowStyle style, const record::Header& header, OutputFile& out)
    : style_(style),
      header_(header),
      out_(out),
      table_({"from (s)", "to (s)", "a", "b", "force on a (N)", "impulse (N s)", "normal",
              "point (m)", "point at the end (m)"}) {
    if (style_ != RowStyle::csv) return;
    put(buffer_, "t0,t1,a,b,point_x,point_y,point_z,normal_x,normal_y,normal_z,");
    put(buffer_, "impulse_x,impulse_y,impulse_z,force_x,force_y,force_z,");
    put(buffer_, "point_end_x,point_end_y,point_end_z,follows,acts\n");
}

void ForceRows::add(const world::ContactForce& force) {
    const std::string& a = header_.body_names[force.a];
    const std::string& b = header_.body_names[force.b];
    const Vec3 mean = force.impulse / (force.t1 - force.t0);
    if (style_ == RowStyle::table) {
        table_.add({fmt::format("{:.9g}", force.t0), fmt::format("{:.9g}", force.t1), a, b,
                    vector_text(mean), vector_text(force.impulse), vector_text(force.normal),
                    vector_text(force.point), vector_text(force.point_end)});
    } else if (style_ == RowStyle::json) {
        JsonOut out(buffer_);
        out.begin();
        out.number("t0", force.t0);
        out.number("t1", force.t1);
        out.text("a", a);
        out.text("b", b);
        out.vector("point", force.point);
        out.vector("normal", force.normal);
        out.vector("impulse", force.impulse);
        out.vector("force", mean);
        out.vector("point_end", force.point_end);
        out.text("follows", world::name_of(force.follows));
        out.text("acts", world::name_of(force.acts));
        out.end();
        out.end_line();
    } else {
        put_csv_number(buffer_, force.t0);
        put(buffer_, ",");
        put_csv_number(buffer_, force.t1);
        put(buffer_, ",");
        put_csv_text(buffer_, a);
        put(buffer_, ",");
        put_csv_text(buffer_, b);
        for (const Vec3* v : {&force.point, &force.normal, &force.impulse, &mean, &force.point_end})
            put_csv_vector(buffer_, *v);
        put(buffer_, ",");
        put(buffer_, world::name_of(force.follows));
        put(buffer_, ",");
        put(buffer_, world::name_of(force.acts));
        put(buffer_, "\n");
    }
    if (buffer_.size() > k_flush) drain(buffer_, out_);
}

void ForceRows::finish() {
    if (style_ == RowStyle::table) put(buffer_, table_.text());
    drain(buffer_, out_);
}

SumRows::SumRows(RowStyle style, const record::Header& header, double seconds, OutputFile& out)
    : style_(style),
      header_(header),
      seconds_(seconds),
      out_(out),
      table_({"a", "b", "impacts", "micro", "begins", "impulse on a (N s)", "sizes (N s)",
              "largest (N s)", "lasting impulse (N s)", "lasting time (s)", "mean force (N)",
              "energy lost (J)", "first (s)", "last (s)"}) {
    if (style_ != RowStyle::csv) return;
    put(buffer_, "a,b,impacts,micro,begins,impulse_x,impulse_y,impulse_z,impulse_sizes,");
    put(buffer_,
        "largest_impulse,lasting_impulse_x,lasting_impulse_y,lasting_impulse_z,lasting_time,");
    put(buffer_, "mean_force_x,mean_force_y,mean_force_z,energy_lost,first,last\n");
}

void SumRows::add(const PairSum& pair) {
    const std::string& a = header_.body_names[pair.a];
    const std::string& b = header_.body_names[pair.b];
    // not finite for no time at all
    const Vec3 force = (pair.impulse + pair.lasting) / seconds_;
    if (style_ == RowStyle::table) {
        table_.add({a, b, grouped(pair.impacts), grouped(pair.micro), grouped(pair.begins),
                    vector_text(pair.impulse), short_number(pair.impulse_sizes),
                    short_number(pair.largest_impulse), vector_text(pair.lasting),
                    short_number(pair.lasting_time), vector_text(force),
                    short_number(pair.energy_lost), short_number(pair.first),
                    short_number(pair.last)});
    } else if (style_ == RowStyle::json) {
        JsonOut out(buffer_);
        out.begin();
        out.text("a", a);
        out.text("b", b);
        out.count("impacts", pair.impacts);
        out.count("micro", pair.micro);
        out.count("begins", pair.begins);
        out.vector("impulse", pair.impulse);
        out.number("impulse_sizes", pair.impulse_sizes);
        out.number("largest_impulse", pair.largest_impulse);
        out.vector("lasting_impulse", pair.lasting);
        out.number("lasting_time", pair.lasting_time);
        out.vector("mean_force", force);
        out.number("energy_lost", pair.energy_lost);
        out.number("first", pair.first);
        out.number("last", pair.last);
        out.end();
        out.end_line();
    } else {
        put_csv_text(buffer_, a);
        put(buffer_, ",");
        put_csv_text(buffer_, b);
        put(buffer_, fmt::format(",{},{},{}", pair.impacts, pair.micro, pair.begins));
        put_csv_vector(buffer_, pair.impulse);
        put_csv_vector(buffer_, {pair.impulse_sizes, pair.largest_impulse, pair.lasting.x()});
        put_csv_vector(buffer_, {pair.lasting.y(), pair.lasting.z(), pair.lasting_time});
        put_csv_vector(buffer_, force);
        put(buffer_, ",");
        put_csv_number(buffer_, pair.energy_lost);
        put(buffer_, fmt::format(",{},{}\n", pair.first + 0.0, pair.last + 0.0));
    }
    if (buffer_.size() > k_flush) drain(buffer_, out_);
}

void SumRows::finish() {
    if (style_ == RowStyle::table) put(buffer_, table_.text());
    drain(buffer_, out_);
}

}  // namespace carom::cli
