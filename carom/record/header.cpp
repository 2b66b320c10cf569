// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/header.h"

#include <algorithm>
#include <cmath>

#include "carom/record/layout_1.h"

namespace carom::record {
namespace {

constexpr char k_what[] = "be written";
constexpr char k_read[] = "read the header";

// Text of fixed length in UTF-8, padded with zeros: HDF5 cannot have none at all.
Handle text_type(std::size_t length) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, k_what);
    check(H5Tset_size(type, std::max<std::size_t>(length, 1)), k_what);
    check(H5Tset_strpad(type, H5T_STR_NULLPAD), k_what);
    check(H5Tset_cset(type, H5T_CSET_UTF8), k_what);
    return type;
}

Handle without_times(hid_t kind) {
    Handle list(H5Pcreate(kind), H5Pclose, k_what);
    check(H5Pset_obj_track_times(list, false), k_what);
    return list;
}

void write_dataset(hid_t group, const char* name, hid_t type, hid_t space, const void* data) {
    const Handle list = without_times(H5P_DATASET_CREATE);
    const Handle made(H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT),
                      H5Dclose, k_what);
    check(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), k_what);
}

void write_text(hid_t group, const char* name, const std::string& text) {
    const Handle type = text_type(text.size());
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, k_what);
    write_dataset(group, name, type, space, text.c_str());
}

void write_texts(hid_t group, const char* name, const std::vector<std::string>& texts) {
    constexpr std::size_t k_most = std::size_t{1} << 30;
    std::size_t longest = 1;
    for (const std::string& text : texts)
        longest = std::max(longest, text.size());
    if (longest > k_most / std::max<std::size_t>(texts.size(), 1))
        throw Failure("the names of bodies or materials are too long to be recorded");
    std::string table(longest * texts.size(), '\0');
    for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i].copy(table.data() + i * longest, longest);
    const Handle type = text_type(longest);
    const hsize_t count = texts.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, k_what);
    write_dataset(group, name, type, space, table.data());
}

void write_attribute(hid_t object, const char* name, hid_t type, const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, k_what);
    const Handle made(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                      k_what);
    check(H5Awrite(made, type, value), k_what);
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
    write_attribute(object, name, text_type(text.size()), text.c_str());
}

// ---- reading ----

std::string without_padding(const char* text, std::size_t length) {
    while (length > 0 && text[length - 1] == '\0')
        --length;
    return {text, length};
}

void expect(bool right) {
    if (!right) throw Failure("the header is not as it should be: the file is damaged");
}

// Texts of a dataset; one when it has no dimensions.
std::vector<std::string> read_texts(hid_t group, const char* name, std::uint64_t file_bytes) {
    const Handle set(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose, k_read);
    const Handle type(H5Dget_type(set), H5Tclose, k_read);
    const Handle space(H5Dget_space(set), H5Sclose, k_read);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::size_t length = H5Tget_size(type);
    expect(count >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0);
    const auto texts = static_cast<std::size_t>(count);
    expect(length > 0 && (texts == 0 || length <= file_bytes / texts));
    std::string table(texts * length, '\0');
    if (texts > 0) check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.data()), k_read);
    std::vector<std::string> result;
    result.reserve(texts);
    for (std::size_t i = 0; i < texts; ++i)
        result.push_back(without_padding(table.data() + i * length, length));
    return result;
}

std::string read_text(hid_t group, const char* name, std::uint64_t file_bytes) {
    std::vector<std::string> texts = read_texts(group, name, file_bytes);
    expect(texts.size() == 1);
    return std::move(texts.front());
}

std::string read_text_attribute(hid_t object, const char* name) {
    constexpr std::size_t k_most = 1000;
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, k_read);
    const Handle type(H5Aget_type(attribute), H5Tclose, k_read);
    const Handle space(H5Aget_space(attribute), H5Sclose, k_read);
    const std::size_t length = H5Tget_size(type);
    expect(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && length <= k_most &&
           H5Sget_simple_extent_npoints(space) == 1);
    std::string text(length, '\0');
    check(H5Aread(attribute, type, text.data()), k_read);
    return without_padding(text.data(), length);
}

template <class Number>
Number read_number(hid_t object, const char* name, hid_t type) {
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, k_read);
    const Handle space(H5Aget_space(attribute), H5Sclose, k_read);
    expect(H5Sget_simple_extent_npoints(space) == 1);
    Number number{};
    check(H5Aread(attribute, type, &number), k_read);
    return number;
}

// Which of the versions it is.
std::uint32_t read_version(hid_t file) {
    if (H5Aexists(file, "format") <= 0 || H5Aexists(file, "format_version") <= 0 ||
        read_text_attribute(file, "format") != k_format) {
        throw Failure("an HDF5 file, but no recording of Carom");
    }
    const auto version = read_number<std::uint32_t>(file, "format_version", H5T_NATIVE_UINT32);
    if (version < k_format_version_1 || version > k_format_version) {
        throw Failure("has version " + std::to_string(version) +
                      " of the format of recordings; this Carom reads versions " +
                      std::to_string(k_format_version_1) + " to " +
                      std::to_string(k_format_version));
    }
    return version;
}

}  // namespace

void write_preamble(hid_t file, const Preamble& preamble) {
    const Header& header = preamble.header;
    write_attribute(file, "format", k_format);
    write_attribute(file, "format_version", H5T_STD_U32LE, &k_format_version);
    const Handle list = without_times(H5P_GROUP_CREATE);
    const Handle group(H5Gcreate2(file, "/header", H5P_DEFAULT, list, H5P_DEFAULT), H5Gclose,
                       k_what);
    write_attribute(group, "carom_version", CAROM_VERSION);
    write_attribute(group, "duration", H5T_IEEE_F64LE, &header.duration);
    write_text(group, "scene_name", header.scene_name);
    write_text(group, "scene_folder", header.scene_folder);
    write_text(group, "scene_text", header.scene_text);
    write_text(group, "settings", preamble.settings);
    write_text(group, "contacts", preamble.contacts);
    write_texts(group, "body_names", header.body_names);
    write_texts(group, "body_materials", header.body_materials);
}

Preamble read_preamble(hid_t file, std::uint64_t file_bytes) {
    Preamble preamble;
    preamble.version = read_version(file);
    const Handle group(H5Gopen2(file, "/header", H5P_DEFAULT), H5Gclose, k_read);
    Header& header = preamble.header;
    header.version = read_text_attribute(group, "carom_version");
    header.duration = read_number<double>(group, "duration", H5T_NATIVE_DOUBLE);
    header.scene_name = read_text(group, "scene_name", file_bytes);
    header.scene_folder = read_text(group, "scene_folder", file_bytes);
    header.scene_text = read_text(group, "scene_text", file_bytes);
    preamble.settings = read_text(group, "settings", file_bytes);
    preamble.contacts = read_text(group, "contacts", file_bytes);
    header.body_names = read_texts(group, "body_names", file_bytes);
    header.body_materials = read_texts(group, "body_materials", file_bytes);
    expect(std::isfinite(header.duration) &&
           header.body_names.size() == header.body_materials.size());
    return preamble;
}

}  // namespace carom::record
