/* SPDX-License-Identifier: Apache-2.0 */
/* Files of headers that were compiled ahead. */
#include "clang-plugin/ahead_cache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace clang;

static const uint64_t MaxBytes = 512u << 20;
static const unsigned MaxVariants = 4; // of a key
static const time_t Hour = 3600, Day = 24 * Hour, Month = 30 * Day;

ct::AheadCache::AheadCache(StringRef Directory, StringRef Key)
    : Directory(Directory), Folder((Directory + "/" + Key).str()) {}

ct::AheadCache::~AheadCache() {
  if (Lock >= 0)
    close(Lock);
}

bool ct::AheadCache::isOurs() const {
  for (const std::string &Path : {Directory, Folder}) {
    struct stat St;
    if (lstat(Path.c_str(), &St) < 0 || !S_ISDIR(St.st_mode) ||
        St.st_uid != geteuid() || (St.st_mode & (S_IWGRP | S_IWOTH)))
      return false;
  }
  return true;
}

static time_t ageOf(const std::string &Path) {
  struct stat St;
  return stat(Path.c_str(), &St) == 0 ? time(nullptr) - St.st_mtime : 0;
}

static std::vector<std::string> filesOf(StringRef Folder, StringRef Extension) {
  std::vector<std::string> Result;
  std::error_code Error;

  for (llvm::sys::fs::directory_iterator I(Folder, Error), E; !Error && I != E;
       I.increment(Error))
    if (StringRef(I->path()).ends_with(Extension))
      Result.push_back(I->path());
  llvm::sort(Result);
  return Result;
}

static std::string digestOf(StringRef Bytes) {
  llvm::XXH128_hash_t Hash = llvm::xxh3_128bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(Bytes.data()), Bytes.size()));
  return llvm::utohexstr(Hash.high64, true, 16) +
         llvm::utohexstr(Hash.low64, true, 16);
}

static std::string compiledOf(const llvm::MemoryBuffer &Buffer) {
  return digestOf(Buffer.getBuffer()) + " " +
         llvm::utostr(Buffer.getBufferSize());
}

static std::string withExtension(StringRef List, StringRef Extension) {
  return (List.drop_back(strlen(".list")) + Extension).str();
}

static void drop(const std::string &List) {
  unlink(List.c_str());
  unlink(withExtension(List, ".pch").c_str());
}

/// Opens the precompiled header if it is the one of the list.
static int openCompiled(const std::string &Path, StringRef Compiled) {
  int Descriptor = open(Path.c_str(), O_RDONLY | O_CLOEXEC);

  if (Descriptor < 0)
    return -1;
  auto Buffer = llvm::MemoryBuffer::getOpenFile(
      llvm::sys::fs::convertFDToNativeFile(Descriptor), Path, /*FileSize=*/-1,
      /*RequiresNullTerminator=*/false);
  if (Buffer && compiledOf(**Buffer) == Compiled)
    return Descriptor;
  close(Descriptor);
  return -1;
}

std::optional<ct::AheadCache::Entry>
ct::AheadCache::find(const HeaderSearch &Search,
                     ArrayRef<std::string> Defined) const {
  if (!isOurs())
    return std::nullopt;
  for (const std::string &Path : filesOf(Folder, ".list")) {
    auto Text = llvm::MemoryBuffer::getFile(Path);
    if (!Text)
      continue;
    auto List = AheadList::parse((*Text)->getBuffer());
    bool IsSpoilt = !List;
    if (List && List->fits(Search, Defined, IsSpoilt)) {
      int Descriptor =
          openCompiled(withExtension(Path, ".pch"), List->Compiled);
      if (Descriptor >= 0) {
        if (ageOf(Path) > Hour) // the last that is used is dropped last
          utimensat(AT_FDCWD, Path.c_str(), nullptr, 0);
        return Entry{std::move(*List), Descriptor};
      }
      IsSpoilt = true;
    }
    if (IsSpoilt)
      drop(Path);
  }
  return std::nullopt;
}

/// The first of a key are made for any macros, since most do not matter;
/// others for macros that come again.
bool ct::AheadCache::begin(ArrayRef<std::string> Defined) {
  std::vector<std::string> Lists = filesOf(Folder, ".list");
  std::string Seen = Folder + "/" +
                     digestOf(Lists.empty() ? "" : llvm::join(Defined, "\n")) +
                     ".seen";
  struct stat St;

  if (llvm::sys::fs::create_directories(Directory))
    return false;
  mkdir(Folder.c_str(), 0700);
  if (!isOurs())
    return false;
  Lock = open(Seen.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (Lock >= 0) // the first
    return false;
  Lock = open(Seen.c_str(), O_RDWR | O_CLOEXEC);
  if (Lock < 0 || flock(Lock, LOCK_EX | LOCK_NB) < 0 || fstat(Lock, &St) < 0)
    return false;
  // Where it has failed it is not tried again at once.
  if (St.st_size && time(nullptr) - St.st_mtime < Day)
    return false;
  unsigned Variants = llvm::count_if(
      Lists, [](const std::string &List) { return ageOf(List) < Day; });
  return Variants < MaxVariants;
}

/// Gives what was made its name.
bool ct::AheadCache::keep(const std::string &Part) {
  auto Text = llvm::MemoryBuffer::getFile(Part + ".list");
  auto Compiled = llvm::MemoryBuffer::getFile(Part + ".pch", /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
  if (!Text || !Compiled)
    return false;
  auto List = AheadList::parse((*Text)->getBuffer());
  if (!List)
    return false;
  List->Compiled = compiledOf(**Compiled);
  std::error_code Error;
  llvm::raw_fd_ostream Out(Part + ".list", Error);
  Out << List->print();
  Out.close();
  bool IsWritten = !Out.has_error();
  Out.clear_error(); // else it would end this compile
  std::string Name =
      Folder + "/" + StringRef(List->Compiled).split(' ').first.str();
  return IsWritten &&
         rename((Part + ".pch").c_str(), (Name + ".pch").c_str()) == 0 &&
         rename((Part + ".list").c_str(), (Name + ".list").c_str()) == 0;
}

bool ct::AheadCache::make(ArrayRef<std::string> Words) {
  SmallString<128> Part;
  bool IsMade = false;

  bound();
  llvm::sys::fs::createUniquePath(Folder + "/part-%%%%%%%%%%%%", Part, false);
  std::string Name = Part.str().str(), Said = Name + ".said";
  std::vector<StringRef> Line = {"clang"};
  std::string Compiled = Name + ".pch", List = "ahead-list=" + Name + ".list";
  Line.insert(Line.end(), Words.begin(), Words.end());
  for (StringRef Word : {StringRef("-o"), StringRef(Compiled),
                         StringRef("-plugin-arg-cuda-trace"), StringRef(List)})
    Line.push_back(Word);
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(""),
                                          StringRef(Said)};
  uint64_t SaidBytes = 1;
  // Headers that have something to say would say it to each unit.
  IsMade = llvm::sys::ExecuteAndWait("/proc/self/exe", Line, std::nullopt,
                                     Redirects) == 0 &&
           !llvm::sys::fs::file_size(Said, SaidBytes) && SaidBytes == 0 &&
           keep(Name);
  // A compile that was cut short leaves others than those it was to write.
  for (const std::string &Path : filesOf(Folder, ""))
    if (StringRef(Path).starts_with(Name))
      unlink(Path.c_str());
  if (!IsMade && ftruncate(Lock, 1) < 0)
    return false;
  return IsMade;
}

/// Drops what was not used for long, and the oldest of what is too much.
void ct::AheadCache::bound() const {
  std::vector<std::pair<time_t, std::string>> Lists;
  std::error_code Error;
  uint64_t Bytes = 0;

  for (llvm::sys::fs::recursive_directory_iterator I(Directory, Error), E;
       !Error && I != E; I.increment(Error)) {
    std::string Path = I->path();
    struct stat St;
    if (lstat(Path.c_str(), &St) < 0 || !S_ISREG(St.st_mode))
      continue;
    time_t Age = time(nullptr) - St.st_mtime;
    bool IsPart = StringRef(Path).contains("/part-");
    Bytes += St.st_size;
    if (StringRef(Path).ends_with(".list") && !IsPart)
      Lists.push_back({Age, Path});
    else if (Age > (IsPart ? Hour : Month) &&
             !StringRef(Path).ends_with(".pch"))
      unlink(Path.c_str());
    else if (Age > Hour && StringRef(Path).ends_with(".pch") &&
             (IsPart ||
              access((StringRef(Path).drop_back(4) + ".list").str().c_str(),
                     F_OK) < 0))
      unlink(Path.c_str());
  }
  llvm::sort(Lists, std::greater<>());
  for (const auto &[Age, List] : Lists) {
    uint64_t Size = 0;
    if (Age <= Month && Bytes <= MaxBytes)
      break;
    if (!llvm::sys::fs::file_size(withExtension(List, ".pch"), Size))
      Bytes -= std::min(Bytes, Size);
    drop(List);
  }
}
