/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the pass, as the compiler wrapper sets them with -mllvm. */
#include "llvm-pass/base/options.h"
#include "llvm-pass/base/compat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include <cudatrace/unit.h>
#include <optional>

using namespace llvm;

static cl::opt<std::string>
    UnitSeed("ct-unit-seed", cl::Hidden, cl::value_desc("hex"),
             cl::desc("cuda-trace: names this compilation"));
static cl::opt<std::string>
    UnitDirectory("ct-unit-dir", cl::Hidden, cl::value_desc("directory"),
                  cl::desc("cuda-trace: where device compilations leave unit "
                           "blobs for the host's"));
static cl::opt<ct::Target>
    DeviceTarget("ct-target", cl::Hidden, cl::init(ct::Target::GPU),
                 cl::desc("cuda-trace: what will execute device code"),
                 cl::values(clEnumValN(ct::Target::GPU, "gpu", "NVIDIA GPU"),
                            clEnumValN(ct::Target::CPU, "cpu", "CPU threads")));
static cl::opt<std::string>
    DeviceRuntime("ct-device-rt", cl::Hidden, cl::value_desc("file"),
                  cl::desc("cuda-trace: device runtime bitcode"));
static cl::opt<std::string>
    Spaces("ct-spaces", cl::Hidden, cl::value_desc("list"), cl::init("global"),
           cl::desc("cuda-trace: address spaces that are recorded"));
static cl::opt<std::string>
    Kinds("ct-kinds", cl::Hidden, cl::value_desc("list"),
          cl::init("load,store,atomic"),
          cl::desc("cuda-trace: kinds of accesses that are recorded"));
static cl::opt<std::string>
    Events("ct-events", cl::Hidden, cl::value_desc("list"),
           cl::desc("cuda-trace: barriers, blocks and CTAs, if recorded"));
static cl::opt<bool> Values("ct-values", cl::Hidden,
                            cl::desc("cuda-trace: record values"));
static cl::opt<std::string>
    Kernels("ct-kernels", cl::Hidden, cl::value_desc("regex"),
            cl::desc("cuda-trace: kernels that are instrumented"));
static cl::opt<std::string>
    Files("ct-files", cl::Hidden, cl::value_desc("glob"),
          cl::desc("cuda-trace: files whose accesses are recorded"));
static cl::opt<std::string>
    List("ct-list", cl::Hidden, cl::value_desc("file"),
         cl::desc("cuda-trace: rules that allow and deny (filter.h)"));
static cl::opt<bool> Report("ct-report", cl::Hidden,
                            cl::desc("cuda-trace: print what is instrumented"));
static cl::opt<std::string>
    Groups("ct-groups", cl::Hidden, cl::value_desc("on|off"), cl::init("on"),
           cl::desc("cuda-trace: one record for accesses at equal distances"));
static cl::opt<std::string>
    Loops("ct-loops", cl::Hidden, cl::value_desc("on|off"), cl::init("on"),
          cl::desc("cuda-trace: one record for a loop of regular accesses"));
static cl::opt<std::string>
    Blame("ct-blame", cl::Hidden, cl::value_desc("on|off"), cl::init("on"),
          cl::desc("cuda-trace: which variables each place is to blame on"));
static cl::opt<bool> DropVariables(
    "ct-drop-variables", cl::Hidden,
    cl::desc(
        "cuda-trace: debug information of variables is for the pass alone"));
static cl::opt<std::string> Registers(
    "ct-registers", cl::Hidden, cl::value_desc("auto|off"), cl::init("auto"),
    cl::desc("cuda-trace: bound the registers of instrumented kernels"));
static cl::opt<std::string>
    Share("ct-share", cl::Hidden, cl::value_desc("auto|apart|on|off"),
          cl::init("auto"),
          cl::desc("cuda-trace: clones of a unit share what they call"));
static cl::opt<bool> Host("ct-host", cl::Hidden,
                          cl::desc("cuda-trace: record accesses of host code"));
static cl::opt<std::string>
    SampleSites("ct-sample-sites", cl::Hidden, cl::value_desc("P[,R]"),
                cl::desc("cuda-trace: record the accesses of one site in P"));

namespace {

struct Word {
  StringRef Name;
  uint32_t Bits;
};

const Word SpaceWords[] = {{"global", 1u << CT_SPACE_GLOBAL},
                           {"shared", 1u << CT_SPACE_SHARED},
                           {"local", 1u << CT_SPACE_LOCAL},
                           {"constant", 1u << CT_SPACE_CONSTANT}};
const Word KindWords[] = {{"load", CT_KIND_LOAD},
                          {"store", CT_KIND_STORE},
                          {"atomic", CT_KIND_ATOMIC}};
const Word EventWords[] = {{"barrier", CT_UNIT_BARRIERS},
                           {"block", CT_UNIT_BLOCKS},
                           {"cta", CT_UNIT_CTAS}};

/// Reads comma-separated words; the first that is unknown goes to Bad.
uint32_t readWords(StringRef Text, ArrayRef<Word> Known, StringRef &Bad) {
  SmallVector<StringRef, 4> Parts;
  uint32_t Bits = 0;

  Text.split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    const Word *Match =
        find_if(Known, [&](const Word &W) { return W.Name == Part.trim(); });
    if (Match == Known.end() && Bad.empty())
      Bad = Part.trim();
    Bits |= Match == Known.end() ? 0 : Match->Bits;
  }
  return Bits;
}

/// The mask that an option's list means; Missing: what an empty list is short
/// of.
uint32_t readList(Module &M, const cl::opt<std::string> &Option,
                  ArrayRef<Word> Known, const char *Missing) {
  std::string Expected;
  StringRef Bad;
  uint32_t Bits = readWords(Option, Known, Bad);

  for (const Word &W : Known)
    Expected += (Expected.empty() ? "" : ",") + W.Name.str();
  if (!Bad.empty())
    ct::reportError(M, "--" + Option.ArgStr + "=" + Option + ": unknown word " +
                           Bad + "; expected a list of " + Expected);
  else if (!Bits && Missing)
    ct::reportError(M, "--" + Option.ArgStr + "=" + Option +
                           ": name at least one " + Missing + " of " +
                           Expected);
  return Bits;
}

bool readSwitch(Module &M, const cl::opt<std::string> &Option) {
  if (Option != "on" && Option != "off")
    ct::reportError(M, "--" + Option.ArgStr + "=" + Option +
                           ": expected on or off");
  return Option == "on";
}

ct::Sharing readSharing(Module &M) {
  auto Known = StringSwitch<std::optional<ct::Sharing>>(Share)
                   .Case("auto", ct::Sharing::Auto)
                   .Case("apart", ct::Sharing::Apart)
                   .Case("on", ct::Sharing::On)
                   .Case("off", ct::Sharing::Off)
                   .Default(std::nullopt);
  if (!Known)
    ct::reportError(M, "--ct-share=" + Share +
                           ": expected auto, apart, on or off");
  return Known.value_or(ct::Sharing::Auto);
}

/// "P" or "P,R".
void readSitePeriod(Module &M, ct::Options &Opts) {
  auto [Period, Offset] = StringRef(SampleSites).split(',');
  bool HasOffset = StringRef(SampleSites).contains(',');
  if (SampleSites.getNumOccurrences() == 0)
    return;
  if (Period.getAsInteger(10, Opts.SitePeriod) || Opts.SitePeriod == 0 ||
      (HasOffset && (Offset.getAsInteger(10, Opts.SiteOffset) ||
                     Opts.SiteOffset >= Opts.SitePeriod)))
    ct::reportError(
        M, "--ct-sample-sites=" + SampleSites +
               ": expected P or P,R with P from 1 on and R from 0 to P - 1");
}

} // namespace

ct::Options ct::options(Module &M, bool Optimise) {
  uint64_t Seed = 0;
  StringRef(UnitSeed).getAsInteger(16, Seed);
  Options Opts = {
      Seed, UnitDirectory, DeviceTarget, DeviceRuntime, Optimise, 0,     0,
      0,    Values,        Kernels,      Files,         List,     Report};
  Opts.Host = Host;
  Opts.DropVariables = DropVariables;
  Opts.Blame = readSwitch(M, Blame);
  if (UnitDirectory.empty() || !compat::targetTriple(M).isNVPTX())
    return Opts;
  Opts.Spaces = readList(M, Spaces, SpaceWords, "space");
  Opts.Kinds = readList(M, Kinds, KindWords, "kind");
  Opts.Events = readList(M, Events, EventWords, nullptr);
  readSitePeriod(M, Opts);
  Opts.Groups = readSwitch(M, Groups);
  Opts.Loops = readSwitch(M, Loops);
  if (Registers != "auto" && Registers != "off")
    reportError(M, "--ct-registers=" + Registers + ": expected auto or off");
  Opts.Registers = Registers == "auto";
  Opts.Share = readSharing(M);
  return Opts;
}

void ct::reportError(Module &M, const Twine &Message) {
  M.getContext().diagnose(DiagnosticInfoGeneric("cuda-trace: " + Message));
}
