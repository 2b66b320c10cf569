// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/layout.h"

#include <cstring>
#include <string>

namespace carom::record {
namespace {

Handle enumeration() {
    return {H5Tenum_create(H5T_STD_U32LE), H5Tclose, "make a type"};
}

void add(hid_t type, const char* name, std::uint32_t value) {
    check(H5Tenum_insert(type, name, &value), "make a type");
}

template <class Kind>
Handle kinds_until(Kind last) {
    Handle type = enumeration();
    for (std::uint32_t k = 0; k <= static_cast<std::uint32_t>(last); ++k)
        add(type, world::name_of(static_cast<Kind>(k)), k);
    return type;
}

Handle law_names() {
    Handle type = enumeration();
    for (const impact::LawInfo& law : impact::laws())
        add(type, std::string(law.name).c_str(), static_cast<std::uint32_t>(law.id));
    return type;
}

std::string member_name(hid_t type, unsigned i) {
    char* name = H5Tget_member_name(type, i);
    if (name == nullptr) return {};
    std::string copy(name);
    H5free_memory(name);
    return copy;
}

Handle member_type(hid_t type, unsigned i) {
    return {H5Tget_member_type(type, i), H5Tclose, "read a type"};
}

bool same_kind_of_number(hid_t a, hid_t b) {
    if (H5Tget_class(a) != H5Tget_class(b)) return false;
    if (H5Tget_class(a) != H5T_ENUM) return H5Tequal(a, b) > 0;
    const Handle super_a(H5Tget_super(a), H5Tclose, "read a type");
    const Handle super_b(H5Tget_super(b), H5Tclose, "read a type");
    return H5Tequal(super_a, super_b) > 0;
}

}  // namespace

Handle compound(std::size_t size, std::initializer_list<Field> fields) {
    Handle type(H5Tcreate(H5T_COMPOUND, size), H5Tclose, "make a type");
    for (const Field& field : fields) {
        if (field.length == 1) {
            check(H5Tinsert(type, field.name, field.offset, field.type), "make a type");
            continue;
        }
        const Handle array(H5Tarray_create2(field.type, 1, &field.length), H5Tclose, "make a type");
        check(H5Tinsert(type, field.name, field.offset, array), "make a type");
    }
    return type;
}

Handle event_type() {
    const Handle kind = kinds_until(world::EventKind::wake);
    const Handle law = law_names();
    const hid_t f8 = H5T_IEEE_F64LE, u4 = H5T_STD_U32LE;
    return compound(sizeof(EventRow), {{"t", offsetof(EventRow, t), f8},
                                       {"a", offsetof(EventRow, a), u4},
                                       {"b", offsetof(EventRow, b), u4},
                                       {"kind", offsetof(EventRow, kind), kind},
                                       {"law", offsetof(EventRow, law), law},
                                       {"point", offsetof(EventRow, point), f8, 3},
                                       {"normal", offsetof(EventRow, normal), f8, 3},
                                       {"u", offsetof(EventRow, u), f8, 3},
                                       {"u_after", offsetof(EventRow, u_after), f8, 3},
                                       {"impulse", offsetof(EventRow, impulse), f8, 3},
                                       {"energy_lost", offsetof(EventRow, energy_lost), f8},
                                       {"restitution", offsetof(EventRow, restitution), f8}});
}

Handle segment_type() {
    const Handle kind = kinds_until(world::SegmentKind::constrained);
    const hid_t f8 = H5T_IEEE_F64LE;
    return compound(sizeof(SegmentRow),
                    {{"t0", offsetof(SegmentRow, t0), f8},
                     {"body", offsetof(SegmentRow, body), H5T_STD_U32LE},
                     {"kind", offsetof(SegmentRow, kind), kind},
                     {"position", offsetof(SegmentRow, position), f8, 3},
                     {"orientation", offsetof(SegmentRow, orientation), f8, 4},
                     {"velocity", offsetof(SegmentRow, velocity), f8, 3},
                     {"angular_velocity", offsetof(SegmentRow, angular_velocity), f8, 3}});
}

Handle lasting_type() {
    const hid_t f8 = H5T_IEEE_F64LE;
    return compound(sizeof(LastingRow),
                    {{"segment", offsetof(LastingRow, segment), H5T_STD_U64LE},
                     {"t1", offsetof(LastingRow, t1), f8},
                     {"a", offsetof(LastingRow, a), f8, 3},
                     {"alpha", offsetof(LastingRow, alpha), f8, 3},
                     {"power", offsetof(LastingRow, power), f8},
                     {"plane_point", offsetof(LastingRow, plane_point), f8, 3},
                     {"plane_normal", offsetof(LastingRow, plane_normal), f8, 3},
                     {"plane_velocity", offsetof(LastingRow, plane_velocity), f8, 3},
                     {"plane_turn_rate", offsetof(LastingRow, plane_turn_rate), f8},
                     {"plane_time", offsetof(LastingRow, plane_time), f8},
                     {"mu", offsetof(LastingRow, mu), f8},
                     {"mu_roll", offsetof(LastingRow, mu_roll), f8},
                     {"mu_spin", offsetof(LastingRow, mu_spin), f8},
                     {"end_state", offsetof(LastingRow, end_position), f8, 13},
                     {"end_accelerations", offsetof(LastingRow, end_a), f8, 6}});
}

Handle force_type() {
    const Handle place = kinds_until(world::ForcePlace::centre_of_a);
    const Handle course = kinds_until(world::ForceCourse::by_motion);
    const hid_t f8 = H5T_IEEE_F64LE, u4 = H5T_STD_U32LE;
    return compound(sizeof(ForceRow), {{"t0", offsetof(ForceRow, t0), f8},
                                       {"t1", offsetof(ForceRow, t1), f8},
                                       {"a", offsetof(ForceRow, a), u4},
                                       {"b", offsetof(ForceRow, b), u4},
                                       {"point", offsetof(ForceRow, point), f8, 3},
                                       {"normal", offsetof(ForceRow, normal), f8, 3},
                                       {"impulse", offsetof(ForceRow, impulse), f8, 3},
                                       {"point_end", offsetof(ForceRow, point_end), f8, 3},
                                       {"follows", offsetof(ForceRow, follows), place},
                                       {"acts", offsetof(ForceRow, acts), course}});
}

Handle checkpoint_type() {
    const hid_t u8 = H5T_STD_U64LE;
    return compound(sizeof(CheckpointRow), {{"t", offsetof(CheckpointRow, t), H5T_IEEE_F64LE},
                                            {"offset", offsetof(CheckpointRow, offset), u8},
                                            {"length", offsetof(CheckpointRow, length), u8},
                                            {"events", offsetof(CheckpointRow, events), u8},
                                            {"segments", offsetof(CheckpointRow, segments), u8},
                                            {"lasting", offsetof(CheckpointRow, lasting), u8},
                                            {"forces", offsetof(CheckpointRow, forces), u8}});
}

Handle commit_type() {
    const hid_t u8 = H5T_STD_U64LE;
    return compound(sizeof(CommitRow),
                    {{"t", offsetof(CommitRow, t), H5T_IEEE_F64LE},
                     {"events", offsetof(CommitRow, events), u8},
                     {"segments", offsetof(CommitRow, segments), u8},
                     {"lasting", offsetof(CommitRow, lasting), u8},
                     {"forces", offsetof(CommitRow, forces), u8},
                     {"checkpoints", offsetof(CommitRow, checkpoints), u8},
                     {"checkpoint_bytes", offsetof(CommitRow, checkpoint_bytes), u8},
                     {"file_bytes", offsetof(CommitRow, file_bytes), u8},
                     {"finished", offsetof(CommitRow, finished), u8},
                     {"mark", offsetof(CommitRow, mark), u8}});
}

Handle audit_type(const char* driven) {
    const hid_t f8 = H5T_IEEE_F64LE, u8 = H5T_STD_U64LE;
    return compound(sizeof(AuditRow),
                    {{"energy_start", offsetof(AuditRow, energy_start), f8},
                     {"energy_end", offsetof(AuditRow, energy_end), f8},
                     {"energy_lost", offsetof(AuditRow, energy_lost), f8},
                     {"energy_gained", offsetof(AuditRow, energy_gained), f8},
                     {driven, offsetof(AuditRow, driven), f8},
                     {"energy_residual", offsetof(AuditRow, energy_residual), f8},
                     {"momentum_residual", offsetof(AuditRow, momentum_residual), f8},
                     {"momentum_scale", offsetof(AuditRow, momentum_scale), f8},
                     {"max_overlap", offsetof(AuditRow, max_overlap), f8},
                     {"force_work_residual", offsetof(AuditRow, force_work_residual), f8},
                     {"force_work_scale", offsetof(AuditRow, force_work_scale), f8},
                     {"events", offsetof(AuditRow, events), u8},
                     {"impacts", offsetof(AuditRow, impacts), u8},
                     {"micro", offsetof(AuditRow, micro), u8},
                     {"checks", offsetof(AuditRow, checks), u8}});
}

Handle audit_type_of(hid_t file) {
    const Handle table(H5Dopen2(file, k_audit, H5P_DEFAULT), H5Dclose, "have an audit");
    const Handle type(H5Dget_type(table), H5Tclose, "have an audit");
    const bool early =
        H5Tget_class(type) == H5T_COMPOUND && H5Tget_member_index(type, k_driven_early) >= 0;
    return audit_type(early ? k_driven_early : k_driven);
}

Handle byte_type() {
    return {H5Tcopy(H5T_STD_U8LE), H5Tclose, "make a type"};
}

bool same_fields(hid_t of_file, hid_t expected) {
    if (H5Tget_class(of_file) != H5Tget_class(expected)) return false;
    if (H5Tget_class(expected) != H5T_COMPOUND) return H5Tequal(of_file, expected) > 0;
    if (H5Tget_size(of_file) != H5Tget_size(expected)) return false;
    const int count = H5Tget_nmembers(expected);
    if (H5Tget_nmembers(of_file) != count) return false;
    for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
        if (member_name(of_file, i) != member_name(expected, i)) return false;
        if (H5Tget_member_offset(of_file, i) != H5Tget_member_offset(expected, i)) return false;
        if (!same_kind_of_number(member_type(of_file, i), member_type(expected, i))) return false;
    }
    return true;
}

std::uint64_t hash_bytes(std::uint64_t hash, const void* bytes, std::size_t size) {
    const auto mix = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32;
    };
    const auto* at = static_cast<const unsigned char*>(bytes);
    std::size_t left = size;
    for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
        std::uint64_t word;
        std::memcpy(&word, at, sizeof word);
        mix(word);
        at += sizeof word;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, at, left);
    mix(word);
    mix(size);
    return hash != 0 ? hash : 1;
}

std::uint64_t mark_of(const CommitRow& row, std::uint32_t version) {
    return hash_bytes(version, &row, offsetof(CommitRow, mark));
}

}  // namespace carom::record
