#include "launch/mounts.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "launch/fail.h"

namespace singulate::launch {
namespace {

constexpr const char* kTmp = "/tmp";
// What every user can write to besides.
constexpr const char* kSameAsTmp[] = {"/var/tmp", "/dev/shm"};

class Folder {
 public:
  explicit Folder(std::string path)
      : path_(std::move(path)), fd_(open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    must(fd_, path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&& other) noexcept : path_(std::move(other.path_)), fd_(other.fd_) {
    other.fd_ = -1;
  }
  Folder& operator=(Folder&&) = delete;
  ~Folder() {
    if (fd_ >= 0) close(fd_);
  }

  // Puts it back to its path if something was mounted over that.
  void bring_back() const {
    struct stat here {};
    struct stat there {};
    must(fstat(fd_, &here), path_);
    if (stat(path_.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
        here.st_ino == there.st_ino) {
      return;
    }
    for (size_t slash = path_.find('/', 1); slash != std::string::npos;
         slash = path_.find('/', slash + 1)) {
      make(path_.substr(0, slash));
    }
    make(path_);
    const std::string from = "/proc/self/fd/" + std::to_string(fd_);
    must(mount(from.c_str(), path_.c_str(), nullptr, MS_BIND, nullptr), path_);
  }

 private:
  // To be passed, not to be listed, as the folders of a reader are.
  static void make(const std::string& path) {
    if (mkdir(path.c_str(), 0711) != 0 && errno != EEXIST) fail(path);
  }

  std::string path_;
  int fd_;
};

// A link is followed by who opens it: what it leads to is another of these, or the program's own
// matter.
bool is_real_folder(const char* path) {
  struct stat facts {};
  return lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

// As linux/mount.h has it, which cannot be read beside sys/mount.h everywhere.
struct Attributes {
  uint64_t set;
  uint64_t clear;
  uint64_t propagation;
  uint64_t user_namespace;
};
constexpr uint64_t kReadOnly = 1;
constexpr uint64_t kNoSetuid = 2;
constexpr uint64_t kNoDevices = 4;
constexpr long kSetAttributesCall = 442;
constexpr unsigned kRecursive = 0x8000;

void set_attributes(const char* path, unsigned flags, uint64_t set, uint64_t clear) {
  Attributes attributes{set, clear, 0, 0};
  must(syscall(kSetAttributesCall, AT_FDCWD, path, flags, &attributes, sizeof attributes), path);
}

}  // namespace

void leave_namespaces() {
  must(unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC), "new namespaces");
  must(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "private mounts");
}

void mount_files(const Options& options) {
  std::vector<Folder> kept;
  for (const std::string& path : options.keep) kept.emplace_back(path);

  const std::string size = "mode=1777,nr_inodes=4096,size=" + std::to_string(options.tmp_bytes);
  must(mount("tmpfs", kTmp, "tmpfs", MS_NOSUID | MS_NODEV, size.c_str()), kTmp);
  for (const char* path : kSameAsTmp) {
    if (is_real_folder(path)) must(mount(kTmp, path, nullptr, MS_BIND, nullptr), path);
  }
  for (const Folder& folder : kept) folder.bring_back();

  const char* work = options.work.empty() ? nullptr : options.work.c_str();
  if (work != nullptr) must(mount(work, work, nullptr, MS_BIND, nullptr), work);
  set_attributes("/", kRecursive, kReadOnly | kNoSetuid, 0);
  set_attributes(kTmp, 0, 0, kReadOnly);
  for (const char* path : kSameAsTmp) {
    if (is_real_folder(path)) set_attributes(path, 0, 0, kReadOnly);
  }
  if (work != nullptr) set_attributes(work, 0, kNoDevices, kReadOnly);
}

void mount_proc() {
  must(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr), "/proc");
}

}  // namespace singulate::launch
