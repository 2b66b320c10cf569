// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/html_page.h"

#include <zlib.h>

#include <array>
#include <string>
#include <vector>

namespace carom::serve {
namespace {

using Out = std::function<void(std::string_view)>;

// What a browser can hold in one text is 2^29 - 24 characters in Chromium, the least of all.
constexpr std::size_t k_most_characters = 500'000'000;

// Base64 of bytes that come in pieces.
class Base64 {
public:
    explicit Base64(const Out& out) : out_(out) {}

    void add(std::span<const unsigned char> bytes) {
        for (const unsigned char byte : bytes) {
            group_ = group_ << 8U | byte;
            if (++in_group_ == 3) put(4);
        }
        drain();
    }
    void finish() {
        if (in_group_ > 0) {
            const unsigned given = in_group_;
            for (; in_group_ < 3; ++in_group_)
                group_ <<= 8U;
            put(given + 1);
            text_.append(3 - given, '=');
        }
        drain();
    }

private:
    // The first characters of the four that a whole group makes.
    void put(unsigned characters) {
        constexpr std::string_view k_letters =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (unsigned i = 0; i < characters; ++i)
            text_.push_back(k_letters[group_ >> (18 - 6 * i) & 63U]);
        group_ = 0;
        in_group_ = 0;
    }
    void drain() {
        out_(text_);
        text_.clear();
    }

    const Out& out_;
    std::string text_;
    std::uint32_t group_ = 0;
    unsigned in_group_ = 0;
};

// Deflates what comes and gives it on as base64.
class Packer {
public:
    explicit Packer(const Out& out) : base64_(out) {
        if (deflateInit(&stream_, Z_DEFAULT_COMPRESSION) != Z_OK) throw std::bad_alloc();
    }
    ~Packer() { deflateEnd(&stream_); }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;

    void add(std::span<const std::byte> bytes) {
        // zlib does not write to what it is given
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        run(Z_NO_FLUSH);
    }
    void finish() {
        run(Z_FINISH);
        base64_.finish();
    }

private:
    void run(int mode) {
        do {
            stream_.next_out = packed_.data();
            stream_.avail_out = static_cast<uInt>(packed_.size());
            deflate(&stream_, mode);
            base64_.add({packed_.data(), packed_.size() - stream_.avail_out});
        } while (stream_.avail_out == 0);
    }

    z_stream stream_{};
    Base64 base64_;
    std::vector<unsigned char> packed_ = std::vector<unsigned char>(std::size_t{1} << 18U);
};

void write_table(const RunData& run, TableId id, std::uint64_t rows, const Out& out) {
    const RowTable& table = run.table(id);
    const std::uint64_t bytes = rows * table.row_bytes();
    Packer packer(out);
    for (std::uint64_t at = 0; at < bytes;) {
        const auto piece = table.bytes(at, bytes - at);
        packer.add(piece);
        at += piece.size();
    }
    packer.finish();
}

// Nothing in it can end the script: all '<' stand in texts of the JSON.
std::string for_script(const std::string& json) {
    std::string text;
    text.reserve(json.size());
    for (const char c : json) {
        if (c == '<') {
            text += "\\u003c";
        } else {
            text.push_back(c);
        }
    }
    return text;
}

}  // namespace

void write_html_page(std::string_view viewer_page, const RunData& run, const Out& out) {
    const std::size_t end = viewer_page.rfind("</body>");
    if (end == std::string_view::npos) throw PageError("the viewer's page has no </body>");
    std::size_t characters = 0;
    const Out counted = [&](std::string_view text) {
        characters += text.size();
        if (characters > k_most_characters) {
            throw PageError(
                "the recording is too long for one page, which can hold about 400 MB; record a "
                "shorter run, or look at it with 'carom view'");
        }
        out(text);
    };
    out(viewer_page.substr(0, end));
    out("<script type=\"application/json\" id=\"carom-recording\">");
    counted("{\"meta\":" + for_script(meta_text(run)) + ",\"tables\":{");
    const TableLengths rows = run.status().rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        counted((i > 0 ? ",\"" : "\"") + std::string(record::k_table_names[i]) + "\":\"");
        write_table(run, static_cast<TableId>(i), rows[i], counted);
        counted("\"");
    }
    counted("}}");
    out("</script>\n");
    out(viewer_page.substr(end));
}

}  // namespace carom::serve
