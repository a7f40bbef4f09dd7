/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves out what the options say: kernels, and sites of the kernels that are
 * left. */
#include "llvm-pass/sites/filter.h"
#include "llvm-pass/base/location.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <cudatrace/unit.h>
#include <optional>

using namespace llvm;

/// One pattern and what it decides. Patterns refer to Text: rules do not move.
struct ct::SiteFilter::Rule {
  Subject What;
  bool Allows;
  std::string Text, Source; // Source: the option, and the line of a list
  std::optional<Regex> Expression;
  std::optional<GlobPattern> Glob;

  Rule(Subject What, bool Allows, StringRef Text, std::string Source)
      : What(What), Allows(Allows), Text(Text.str()),
        Source(std::move(Source)) {}

  /// Returns what is wrong with the pattern, "" if nothing is.
  std::string compile() {
    std::string Why;
    if (What != Subject::File) {
      Expression.emplace(Text);
      return Expression->isValid(Why) ? "" : Why;
    }
    Expected<GlobPattern> Made =
        GlobPattern::create(Text, /*MaxSubPatterns=*/1024);
    if (!Made)
      return llvm::toString(Made.takeError());
    Glob = std::move(*Made);
    return "";
  }

  bool matches(ArrayRef<StringRef> Names) const {
    return any_of(Names, [&](StringRef Name) {
      return Glob ? Glob->match(Name) : Expression->match(Name);
    });
  }
};

ct::SiteFilter::~SiteFilter() = default;

ct::SiteFilter::SiteFilter(Module &M, const Options &Opts) : Opts(Opts) {
  auto Compile = [&](Subject What, StringRef Text,
                     const char *Option) -> std::unique_ptr<Rule> {
    if (Text.empty())
      return nullptr;
    auto R = std::make_unique<Rule>(What, true, Text, Option);
    std::string Why = R->compile();
    if (Why.empty())
      return R;
    reportError(M, Twine(Option) + "=" + Text + ": " + Why);
    return nullptr;
  };
  Kernels = Compile(Subject::Kernel, Opts.Kernels, "--ct-kernels");
  Files = Compile(Subject::File, Opts.Files, "--ct-files");
  if (!Opts.List.empty())
    readList(M);
}

void ct::SiteFilter::readList(Module &M) {
  auto File = MemoryBuffer::getFile(Opts.List, /*IsText=*/true);
  if (!File)
    return reportError(M, "--ct-list: cannot read " + Opts.List + ": " +
                              File.getError().message());
  SmallVector<StringRef, 0> Lines;
  (*File)->getBuffer().split(Lines, '\n');
  for (size_t I = 0; I < Lines.size(); I++) {
    StringRef Line = Lines[I].trim();
    std::string Where = Opts.List + ":" + std::to_string(I + 1);
    if (Line.empty() || Line.starts_with("#"))
      continue;
    auto [Verb, Rest] = Line.split(' ');
    auto [Noun, Pattern] = Rest.ltrim().split(' ');
    Pattern = Pattern.trim();
    bool IsKernel = Noun == "kernel", IsFunction = Noun == "function",
         IsFile = Noun == "file";
    if ((Verb != "allow" && Verb != "deny") ||
        !(IsKernel || IsFunction || IsFile) || Pattern.empty()) {
      reportError(
          M,
          Where +
              ": expected allow or deny, then kernel REGEX, function REGEX or "
              "file GLOB; found: " +
              Line);
      continue;
    }
    Subject What = IsKernel     ? Subject::Kernel
                   : IsFunction ? Subject::Function
                                : Subject::File;
    auto R = std::make_unique<Rule>(What, Verb == "allow", Pattern,
                                    "--ct-list, " + Where);
    std::string Why = R->compile();
    if (!Why.empty())
      reportError(M, Where + ": " + Pattern + ": " + Why);
    else
      Rules.push_back(std::move(R));
  }
}

/// The rule of the list that denies something of these names, "" if it is
/// allowed.
std::string ct::SiteFilter::whyDenied(Subject What,
                                      ArrayRef<StringRef> Names) const {
  const Rule *First = nullptr, *Last = nullptr;
  for (const std::unique_ptr<Rule> &R : Rules) {
    if (R->What != What)
      continue;
    First = First ? First : R.get();
    Last = R->matches(Names) ? R.get() : Last;
  }
  if (Last)
    return Last->Allows ? "" : Last->Source;
  return First && First->Allows
             ? "--ct-list, " + Opts.List + ": no rule allows it"
             : "";
}

std::string ct::SiteFilter::whyNotSelected(const Function &Kernel,
                                           StringRef Display) const {
  std::string Demangled = demangle(Kernel.getName());
  StringRef Names[] = {Display, Kernel.getName(), Demangled};
  if (Kernels && !Kernels->matches(Names))
    return "kernel not selected (--ct-kernels)";
  std::string Denied = whyDenied(Subject::Kernel, Names);
  return Denied.empty() ? "" : "kernel not selected (" + Denied + ")";
}

static uint32_t kindOf(ct::Operation Op) {
  enum {
    LOAD = CT_KIND_LOAD,
    STORE = CT_KIND_STORE,
    ATOMIC = CT_KIND_ATOMIC,
    EVENT = 0
  };
  switch (Op) {
#define CT_OPERATION(id, name, text, group, memtrace)                          \
  case ct::OP_##name:                                                          \
    return group;
#include <cudatrace/operations.def>
#undef CT_OPERATION
  }
  return 0;
}

/// The innermost line that the user may have written.
const DILocation *ct::SiteFilter::userLocation(const Instruction &I) const {
  const DILocation *Location = locationOf(I);
  while (Location && Location->getInlinedAt() &&
         Headers.holds(sourcePath(*Location)))
    Location = Location->getInlinedAt();
  return Location;
}

/// The file of a location; that of the function if there is none.
static std::string fileOf(const DILocation *Location, const Function &F,
                          std::string &Directory) {
  const DISubprogram *SP = F.getSubprogram();
  if (Location) {
    Directory = Location->getDirectory().str();
    return ct::sourcePath(*Location);
  }
  if (SP) {
    Directory = SP->getDirectory().str();
    return ct::sourcePath(SP->getFile(), SP->getUnit());
  }
  return F.getParent()->getSourceFileName();
}

std::string ct::SiteFilter::whyFiltered(const Instruction &I, Operation Op,
                                        const Function &F) const {
  uint32_t Kind = kindOf(Op);
  if (Op == OP_CALL)
    return "";
  if (Kind && !(Opts.Kinds & Kind))
    return "kind not recorded (--ct-kinds)";
  if (!Files && Rules.empty())
    return "";

  const DILocation *Location = userLocation(I);
  std::string Directory, File = fileOf(Location, F, Directory);
  SmallString<256> Path(Directory);
  sys::path::append(Path, File);
  StringRef Paths[] = {File, sys::path::filename(File),
                       sys::path::is_absolute(File) ? StringRef(File)
                                                    : Path.str()};
  if (Files && !Files->matches(Paths))
    return "file not selected (--ct-files)";
  std::string Denied = whyDenied(Subject::File, Paths);
  if (!Denied.empty())
    return "file not selected (" + Denied + ")";
  bool Inlined = Location && Location->getInlinedAt();
  std::string Name = Location ? functionName(*Location) : "";
  std::string Mangled = Inlined ? Name : F.getName().str(),
              Demangled = demangle(Mangled);
  Denied = whyDenied(Subject::Function, {Name, Mangled, Demangled});
  return Denied.empty() ? "" : "function not selected (" + Denied + ")";
}
