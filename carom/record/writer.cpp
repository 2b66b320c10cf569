// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>

#include "carom/record/file_driver.h"
#include "carom/record/file_lock.h"
#include "carom/record/hdf5_file.h"
#include "carom/record/layout.h"
#include "carom/record/reader.h"
#include "carom/record/recording.h"
#include "carom/record/run_tables.h"
#include "carom/record/superblock.h"
#include "carom/record/tables.h"

namespace carom::record {
namespace fs = std::filesystem;
namespace {

constexpr char k_part[] = ".part";
constexpr char k_new[] = ".new";

fs::path with_suffix(fs::path path, const char* suffix) {
    return path += suffix;
}

void check_folder(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw Failure("cannot be written: there is no folder " + folder.string());
    if (!path.has_filename() || fs::is_directory(path, error))
        throw Failure("is a folder; a recording needs the name of a file");
}

// Whether there is a file to be replaced. Throws Failure when there is one that may not be.
bool replaces(const fs::path& path, bool force) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (!fs::exists(status)) return false;
    if (!force) throw Failure("exists already; --force replaces it");
    if (!fs::is_regular_file(fs::status(path, error)))
        throw Failure("is no ordinary file, and cannot be replaced");
    if (is_locked(path) || is_locked(with_suffix(path, k_part)))
        throw Failure("another program is writing it; wait until it has ended");
    return true;
}

// The lengths of the tables at the last checkpoint; none: all zero.
CommitRow lengths_at(const std::optional<CheckpointRow>& checkpoint, std::uint64_t checkpoints) {
    CommitRow row{};
    if (!checkpoint) return row;
    row.t = checkpoint->t;
    row.events = checkpoint->events;
    row.segments = checkpoint->segments;
    row.lasting = checkpoint->lasting;
    row.forces = checkpoint->forces;
    row.checkpoints = checkpoints;
    row.checkpoint_bytes = checkpoint->offset + checkpoint->length;
    return row;
}

AuditRow to_row(const world::Audit& audit, const world::Tally& tally) {
    return {audit.energy_start,
            audit.energy_end,
            audit.energy_lost,
            audit.energy_gained,
            audit.driven,
            audit.energy_residual,
            audit.momentum_residual,
            audit.momentum_scale,
            audit.max_overlap,
            audit.force_work_residual,
            audit.force_work_scale,
            tally.events,
            tally.impacts,
            tally.micro,
            tally.checks};
}

}  // namespace

class Writer::File {
public:
    File(const fs::path& path, const Preamble& preamble, const Options& options);
    // Goes on with an existing file.
    explicit File(const fs::path& path);
    ~File();

    // Something that was told, at time t.
    void add(double t, const world::Event& event);
    template <class Item>
    void add(double t, const Item& item);
    void add_checkpoint(double t, std::span<const std::uint8_t> bytes);
    void commit(double t);
    void note_whole(double t);
    void leave();
    void finish(double t, const AuditRow& audit);
    void discard() noexcept;
    const fs::path& path() const { return path_; }

private:
    template <class Work>
    void attempt(Work&& work);
    template <class Item>
    void put(double t, const Item& item);
    void open(const CommitRow& from, std::uint64_t commits);
    void write_commit(double t, bool finished);
    void write_commit(CommitRow row);
    void close();
    void abandon() noexcept;

    fs::path path_;     // what it is called in the end
    fs::path current_;  // what it is called now
    std::string failure_;
    std::uint64_t commit_events_ = Options{}.commit_events;
    std::uint64_t next_commit_ = 0;
    double last_time_ = 0.0;
    bool changed_ = false;  // since the last commit
    FileLock lock_;
    Handle file_;
    RunTables tables_;
    Dataset commits_, audit_;
    std::uint64_t commit_count_ = 0;
    CommitRow last_commit_{};         // of this writer
    std::optional<CommitRow> whole_;  // the lengths when all was told until then
};

// Does what may fail. After the first failure nothing is done any more but to say so.
template <class Work>
void Writer::File::attempt(Work&& work) {
    if (!failure_.empty()) throw RecordError(failure_);
    const QuietHdf5 quiet;
    forget_writes();
    try {
        work();
    } catch (const Failure& failure) {
        failure_ = current_.string() + ": " + failure.what();
        abandon();
        throw RecordError(failure_);
    }
}

Writer::File::File(const fs::path& path, const Preamble& preamble, const Options& options)
    : path_(path),
      current_(path),
      commit_events_(std::max<std::uint64_t>(options.commit_events, 1)) {
    attempt([&] {
        check_folder(path);
        const bool replace = replaces(path, options.force);
        const fs::path wanted = replace ? with_suffix(path, k_part) : path;
        const fs::path building = with_suffix(wanted, k_new);
        lock_ = FileLock::create(building);
        try {
            create_file(building, preamble);
            rename_file(building, wanted, options.force);
        } catch (const Failure&) {
            std::error_code ignored;
            fs::remove(building, ignored);
            throw;
        }
        current_ = wanted;
        open({}, 0);
    });
}

Writer::File::File(const fs::path& path) : path_(path), current_(path) {
    attempt([&] {
        look_at_file(path);
        lock_ = FileLock::open(path);
        const Contents contents = read_contents(path);
        if (contents.commit.finished != 0) {
            const fs::path part = with_suffix(path, k_part);
            std::error_code ignored;
            if (path.extension() == k_part)
                throw Failure("is finished, and only has to be called " + path.stem().string());
            if (fs::exists(part, ignored))
                throw Failure("is finished; what was to replace it is in " + part.string());
            throw Failure("is finished: there is nothing to resume");
        }
        if (contents.preamble.version != k_format_version) {
            throw Failure("has version " + std::to_string(contents.preamble.version) +
                          " of the format of recordings, which cannot be gone on with; run its "
                          "scene again ('carom info --scene' prints it)");
        }
        const CommitRow from = lengths_at(contents.checkpoint, contents.commit.checkpoints);
        if (contents.status.open_sign) close_for_killed(lock_.fd());
        open(from, contents.commit_rows);
        // from here on only what the checkpoint knows counts
        write_commit(from.t, false);
        if (path.extension() == k_part) path_.replace_extension();
    });
}

void Writer::File::open(const CommitRow& from, std::uint64_t commits) {
    file_ = open_to_write(current_);
    tables_ = RunTables(file_, from);
    commits_ = Dataset(file_, k_commits, commit_type());
    audit_ = Dataset(file_, k_audit, audit_type_of(file_));
    commit_count_ = commits;
    last_time_ = from.t;
    next_commit_ = tables_.told() + commit_events_;
}

Writer::File::~File() {
    const QuietHdf5 quiet;
    try {
        if (failure_.empty() && file_ >= 0 && changed_) write_commit(last_time_, false);
        if (failure_.empty() && file_ >= 0) close();
    } catch (const std::exception&) {
        abandon();
    }
}

void Writer::File::add(double t, const world::Event& event) {
    if (tables_.told() >= next_commit_) commit(t);
    put(t, event);
}

// Between two segments or forces of one instant there is no commit: they belong together.
template <class Item>
void Writer::File::add(double t, const Item& item) {
    if (tables_.told() >= next_commit_ && t > last_time_) commit(t);
    put(t, item);
}

template <class Item>
void Writer::File::put(double t, const Item& item) {
    if (tables_.full() || file_ < 0) attempt([&] { tables_.write(); });
    tables_.add(item);
    last_time_ = std::max(last_time_, t);
    changed_ = true;
}

void Writer::File::add_checkpoint(double t, std::span<const std::uint8_t> bytes) {
    attempt([&] {
        if (tables_.full()) tables_.write();
        tables_.add_checkpoint(t, bytes);
        write_commit(t, false);
    });
}

void Writer::File::commit(double t) {
    attempt([&] { write_commit(t, false); });
}

// First everything else goes to the file, then the row that says how much it is.
void Writer::File::write_commit(double t, bool finished) {
    tables_.flush();
    CommitRow row = tables_.lengths();
    row.t = t;
    row.finished = finished ? 1 : 0;
    write_commit(row);
}

// Pre: the tables are in the file.
void Writer::File::write_commit(CommitRow row) {
    row.file_bytes = lock_.size();
    row.mark = mark_of(row);
    commits_.write(commit_count_, 1, &row);
    commits_.flush();
    ++commit_count_;
    last_commit_ = row;
    next_commit_ = tables_.told() + commit_events_;
    last_time_ = row.t;
    changed_ = false;
}

void Writer::File::note_whole(double t) {
    whole_ = tables_.lengths();
    whole_->t = t;
}

void Writer::File::leave() {
    attempt([&] {
        if (whole_ && whole_->events >= last_commit_.events &&
            whole_->segments >= last_commit_.segments && whole_->forces >= last_commit_.forces &&
            whole_->checkpoints >= last_commit_.checkpoints) {
            tables_.flush();
            write_commit(*whole_);
        }
        close();
    });
    failure_ = path_.string() + ": was left unfinished; Writer::resume goes on with it";
    lock_ = {};
}

void Writer::File::finish(double t, const AuditRow& audit) {
    attempt([&] {
        audit_.write(0, 1, &audit);
        audit_.flush();
        write_commit(t, true);
        close();
        forget_times(lock_.fd());
        if (current_ == path_) return;
        // the old file goes only when the new one is safe
        lock_.sync();
        rename_file(current_, path_, true);
        current_ = path_;
    });
    failure_ = path_.string() + ": is finished, and takes nothing more";
    lock_ = {};
}

void Writer::File::close() {
    check(std::min({tables_.close(), commits_.close(), audit_.close()}), "be written");
    check(file_.close(), "be written");
    check_writes();
}

// Lets go of the file as it is.
void Writer::File::abandon() noexcept {
    if (file_ >= 0) cut_off(file_);
    tables_.close();
    commits_.close();
    audit_.close();
    file_.close();
    forget_writes();
    lock_ = {};
}

void Writer::File::discard() noexcept {
    if (file_ < 0) return;
    const QuietHdf5 quiet;
    std::error_code ignored;
    fs::remove(current_, ignored);
    abandon();
    failure_ = path_.string() + ": was given up, and takes nothing more";
}

Writer::Writer(const fs::path& path, const Header& header, const world::World& world,
               const Options& options)
    : file_(std::make_unique<File>(path,
                                   Preamble{header, settings_text(world.settings()),
                                            contacts_text(world.contacts()), 0, world.bodies()},
                                   options)) {}

Writer::Writer(const fs::path& path, const Header& header, const world::Settings& settings,
               const world::Contacts& contacts, const Options& options)
    : file_(std::make_unique<File>(
          path, Preamble{header, settings_text(settings), contacts_text(contacts)}, options)) {}

Writer::Writer(std::unique_ptr<File> file) : file_(std::move(file)) {}

Writer Writer::resume(const fs::path& path) {
    return Writer(std::make_unique<File>(path));
}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

void Writer::on_event(const world::Event& event) {
    file_->add(event.t, event);
}

void Writer::on_segment(const world::Segment& segment) {
    file_->add(segment.t0, segment);
}

void Writer::on_force(const world::ContactForce& force) {
    file_->add(force.t1, force);
}

void Writer::on_checkpoint(double t, std::span<const std::uint8_t> bytes) {
    file_->add_checkpoint(t, bytes);
}

void Writer::on_whole(double t) {
    file_->note_whole(t);
}

void Writer::commit(double t) {
    file_->commit(t);
}

void Writer::leave() {
    file_->leave();
}

void Writer::finish(double t, const world::Audit& audit, const world::Tally& tally) {
    file_->finish(t, to_row(audit, tally));
}

void Writer::discard() noexcept {
    file_->discard();
}

const fs::path& Writer::path() const {
    return file_->path();
}

}  // namespace carom::record
