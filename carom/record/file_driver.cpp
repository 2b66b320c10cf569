// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/file_driver.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace carom::record {
namespace {

constexpr haddr_t k_most = static_cast<haddr_t>(std::numeric_limits<off_t>::max());

// The first write of this thread that failed (errno); 0: none.
thread_local int t_write_error = 0;

struct DrivenFile {
    H5FD_t base;  // HDF5's own part, which must come first
    int fd;
    haddr_t eoa, eof;  // the end of what is allocated, and of the file
    dev_t device;
    ino_t node;
    bool cut_off;
};

DrivenFile& driven(H5FD_t* file) {
    return *reinterpret_cast<DrivenFile*>(file);
}

const DrivenFile& driven(const H5FD_t* file) {
    return *reinterpret_cast<const DrivenFile*>(file);
}

// Says on HDF5's stack of errors what the system said; hdf5_reason() looks for these words.
herr_t system_error(const char* what) {
    const int error = errno;
    H5Epush2(H5E_DEFAULT, __FILE__, what, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR,
             "%s: errno = %d, error message = '%s'", what, error, std::strerror(error));
    return -1;
}

// After a write that failed.
void give_up(DrivenFile& file) {
    if (t_write_error == 0) t_write_error = errno;
    file.cut_off = true;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
    int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
    if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
    if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
    if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
    const int fd = open(name, mode | O_CLOEXEC, 0666);
    struct stat status {};
    if (fd < 0 || fstat(fd, &status) != 0) {
        system_error("cannot open the file");
        if (fd >= 0) close(fd);
        return nullptr;
    }
    auto* file = new (std::nothrow) DrivenFile{};
    if (file == nullptr) {
        close(fd);
        return nullptr;
    }
    file->fd = fd;
    file->eof = static_cast<haddr_t>(status.st_size);
    file->device = status.st_dev;
    file->node = status.st_ino;
    return &file->base;
}

herr_t close_file(H5FD_t* base) {
    DrivenFile& file = driven(base);
    // some file systems tell only now that a write failed
    if (close(file.fd) != 0 && !file.cut_off) give_up(file);
    delete &file;
    return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
    const DrivenFile &x = driven(a), &y = driven(b);
    if (x.device != y.device) return x.device < y.device ? -1 : 1;
    if (x.node != y.node) return x.node < y.node ? -1 : 1;
    return 0;
}

herr_t tell_features(const H5FD_t*, unsigned long* flags) {
    if (flags != nullptr) {
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                 H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
                 H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    }
    return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) {
    return driven(file).eoa;
}

herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
    driven(file).eoa = address;
    return 0;
}

haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
    return driven(file).eof;
}

// The whole of our own part, for cut_off().
herr_t get_handle(H5FD_t* file, hid_t, void** handle) {
    *handle = file;
    return 0;
}

bool out_of_range(haddr_t address, std::size_t size) {
    return address > k_most || size > k_most - address;
}

herr_t read_file(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
    if (out_of_range(address, size)) return -1;
    auto* to = static_cast<char*>(buffer);
    while (size > 0) {
        const ssize_t got = pread(driven(base).fd, to, size, static_cast<off_t>(address));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error("cannot read the file");
        if (got == 0) {
            // allocated, but never written
            std::memset(to, 0, size);
            return 0;
        }
        to += got;
        size -= static_cast<std::size_t>(got);
        address += static_cast<haddr_t>(got);
    }
    return 0;
}

herr_t write_file(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                  const void* buffer) {
    DrivenFile& file = driven(base);
    if (out_of_range(address, size)) return -1;
    const auto* from = static_cast<const char*>(buffer);
    while (size > 0 && !file.cut_off) {
        const ssize_t done = pwrite(file.fd, from, size, static_cast<off_t>(address));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
            give_up(file);
            break;
        }
        from += done;
        size -= static_cast<std::size_t>(done);
        address += static_cast<haddr_t>(done);
    }
    file.eof = std::max(file.eof, address + size);
    return 0;
}

// The file gets the length that is allocated.
herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
    DrivenFile& file = driven(base);
    if (file.eoa == file.eof) return 0;
    if (!file.cut_off && ftruncate(file.fd, static_cast<off_t>(file.eoa)) != 0) give_up(file);
    file.eof = file.eoa;
    return 0;
}

// HDF5 marks a file as open only where its driver can lock.
herr_t lock_nothing(H5FD_t*, hbool_t) {
    return 0;
}

herr_t unlock_nothing(H5FD_t*) {
    return 0;
}

H5FD_class_t make_class() {
    H5FD_class_t driver{};
    driver.name = "carom";
    driver.maxaddr = k_most;
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.open = open_file;
    driver.close = close_file;
    driver.cmp = compare_files;
    driver.query = tell_features;
    driver.get_eoa = get_eoa;
    driver.set_eoa = set_eoa;
    driver.get_eof = get_eof;
    driver.get_handle = get_handle;
    driver.read = read_file;
    driver.write = write_file;
    driver.truncate = truncate_file;
    driver.lock = lock_nothing;
    driver.unlock = unlock_nothing;
    const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
    return driver;
}

}  // namespace

void use_file_driver(hid_t access) {
    static const H5FD_class_t k_driver = make_class();
    static const hid_t k_id = H5FDregister(&k_driver);
    check(H5Pset_driver(access, k_id, nullptr), "be opened");
}

void cut_off(hid_t file) noexcept {
    void* handle = nullptr;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle != nullptr)
        static_cast<DrivenFile*>(handle)->cut_off = true;
}

void check_writes() {
    const int error = std::exchange(t_write_error, 0);
    if (error != 0) throw Failure(std::string("cannot be written: ") + std::strerror(error));
}

void forget_writes() noexcept {
    t_write_error = 0;
}

}  // namespace carom::record
