/* SPDX-License-Identifier: Apache-2.0 */
/* Instrument a device module. */
#include "llvm-pass/device/device.h"
#include "llvm-pass/base/annotations.h"
#include "llvm-pass/base/compat.h"
#include "llvm-pass/base/names.h"
#include "llvm-pass/clone/block_counts.h"
#include "llvm-pass/clone/callgraph.h"
#include "llvm-pass/clone/calls.h"
#include "llvm-pass/clone/clock.h"
#include "llvm-pass/clone/clone.h"
#include "llvm-pass/clone/instrument.h"
#include "llvm-pass/clone/registers.h"
#include "llvm-pass/clone/sampling.h"
#include "llvm-pass/clone/specialise.h"
#include "llvm-pass/clone/tier_body.h"
#include "llvm-pass/device/runtime.h"
#include "llvm-pass/unit/effects.h"
#include "llvm-pass/unit/places.h"
#include "llvm-pass/unit/report.h"
#include "llvm-pass/unit/writer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static const uint64_t StaticSharedLimit = 48 * 1024;

static cl::opt<bool>
    Relocatable("ct-rdc", cl::Hidden,
                cl::desc("cuda-trace: other units share this device code"));

namespace {

/// The pointers of one function in one context.
class ContextPointers : public ct::PointerOracle {
public:
  ContextPointers(const ct::SpaceAnalysis &Spaces, const ct::Pattern &Context)
      : Spaces(Spaces), Context(Context) {}
  ct::PointerOrigin origin(const Value *Pointer) const override {
    return Spaces.origin(Pointer, Context);
  }

private:
  const ct::SpaceAnalysis &Spaces;
  const ct::Pattern &Context;
};

/// One device module on its way through the pass.
class DeviceModule {
public:
  DeviceModule(Module &M, ModuleAnalysisManager &MAM, const ct::Options &Opts,
               const ct::BlameFacts &Blame)
      : M(M), Opts(Opts), Blame(Blame), MAM(MAM),
        UnitId(ct::unitId(M, Opts.UnitSeed)), Facts(ct::takeKernelFacts(M)),
        Calls(M, Relocatable), Spaces(M, Facts, Relocatable), Filter(M, Opts) {}

  /// All that reads the functions of the program. Returns whether there are
  /// any.
  bool run();
  /// Writes and links what remains.
  void finish();

private:
  Module &M;
  const ct::Options &Opts;
  const ct::BlameFacts &Blame;
  ModuleAnalysisManager &MAM;
  uint64_t UnitId;
  ct::KernelFactsMap Facts;
  ct::CallGraph Calls;
  ct::SpaceAnalysis Spaces;
  ct::SiteFilter Filter;
  std::unique_ptr<Module> Runtime;
  std::unique_ptr<ct::TracedFunctions> Traced;
  ct::HookPlacement Placement;
  DenseMap<Function *, std::string> Reasons; // why kernels have no clone
  // Clones for the CTA clock alone, and for counting blocks alone.
  SmallVector<Function *, 8> Clocks, Blocks;

  FunctionAnalysisManager &functionAnalyses() {
    return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  }
  const LoopInfo &loops(Function &F) {
    return functionAnalyses().getResult<LoopAnalysis>(F);
  }
  std::vector<ct::Site> collect(Function &F, const ct::Pattern &Context);
  void numberSites();
  std::string whyNoClone(Function *Kernel) const;
  void makeClones();
  void instrument();
  void addClocks();
  void addBlocks();
  void linkRuntime();
  SmallString<256> unitFile(StringRef Extension);
  void writeUnit();
  const Function &model() const {
    return Calls.kernels().empty() ? *Calls.functions().front()
                                   : *Calls.kernels().front();
  }
  StringRef processor() const {
    return model().getFnAttribute("target-cpu").getValueAsString();
  }
};

} // namespace

std::vector<ct::Site> DeviceModule::collect(Function &F,
                                            const ct::Pattern &Context) {
  return ct::collectSites(F, loops(F), ContextPointers(Spaces, Context), Calls,
                          Filter, Opts);
}

void DeviceModule::numberSites() {
  uint32_t FirstSite = 0;
  for (auto &T : *Traced) {
    ct::addCallSites(*T, *Traced, loops(*T->Original));
    T->FirstSite = FirstSite;
    FirstSite += T->Sites.size();
    T->Blocks = ct::blockFacts(
        *T->Original, loops(*T->Original),
        functionAnalyses().getResult<AAManager>(*T->Original), T->Sites);
    if (Relocatable)
      T->Tag = ct_unit_tag(UnitId);
    ct::sampleSites(*T, Opts);
  }
}

static void addSharedVariables(const Value *V,
                               SmallPtrSetImpl<const Value *> &Found) {
  if (auto *GV = dyn_cast<GlobalVariable>(V)) {
    if (GV->getAddressSpace() == 3 && !GV->isDeclaration())
      Found.insert(GV);
  } else if (isa<ConstantExpr>(V) || isa<ConstantAggregate>(V)) {
    for (const Use &Operand : cast<User>(V)->operands())
      addSharedVariables(Operand, Found);
  }
}

/// Static shared memory of a kernel and all it calls.
static uint64_t staticSharedBytes(const Module &M,
                                  const SetVector<Function *> &Functions) {
  SmallPtrSet<const Value *, 16> Variables;
  uint64_t Bytes = 0;
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F))
      for (const Use &Operand : I.operands())
        addSharedVariables(Operand, Variables);
  for (const Value *V : Variables)
    Bytes += alignTo(M.getDataLayout().getTypeAllocSize(
                         cast<GlobalVariable>(V)->getValueType()),
                     16);
  return Bytes;
}

/// Bytes of a kernel's parameters, and the most that ptxas takes.
static uint64_t parameterBytes(const Function &Kernel) {
  const DataLayout &DL = Kernel.getParent()->getDataLayout();
  uint64_t Bytes = 0;
  for (const Argument &A : Kernel.args()) {
    Type *Ty = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    Align By = std::max(A.getParamAlign().valueOrOne(), DL.getABITypeAlign(Ty));
    Bytes = alignTo(Bytes, By) + DL.getTypeAllocSize(Ty);
  }
  return Bytes;
}

static uint64_t parameterLimit(const Function &Kernel) {
  StringRef Features =
      Kernel.getFnAttribute("target-features").getValueAsString();
  unsigned Version = 0;
  StringRef Ptx = Features.substr(Features.find("+ptx")).drop_front(4);
  return !Ptx.consumeInteger(10, Version) && Version < 81 ? 4352 : 32764;
}

std::string DeviceModule::whyNoClone(Function *Kernel) const {
  auto Known = Facts.find(Kernel);
  std::string Unselected = Filter.whyNotSelected(
      *Kernel, Known == Facts.end() ? "" : Known->second.Display);
  if (!Unselected.empty())
    return Unselected;
  if (!Runtime)
    return "";
  uint64_t Parameters = parameterBytes(*Kernel);
  if (alignTo(Parameters, Align(8)) + ct::LaunchBytes > parameterLimit(*Kernel))
    return "has " + std::to_string(Parameters) +
           " bytes of parameters; tracing needs " +
           std::to_string(ct::LaunchBytes) + " more, and " +
           std::to_string(parameterLimit(*Kernel)) + " is the limit";
  uint64_t Own = staticSharedBytes(M, Calls.reachableFrom(Kernel));
  uint64_t Ours = ct::sharedBytes(*Runtime);
  if (Own + Ours <= StaticSharedLimit)
    return "";
  return "uses " + std::to_string(Own) +
         " bytes of static shared memory; tracing needs " +
         std::to_string(Ours) + " more, and " +
         std::to_string(StaticSharedLimit) +
         " is the limit (make some of it dynamic)";
}

void DeviceModule::makeClones() {
  for (auto &T : *Traced) {
    if (ct::compat::isKernel(*T->Original)) {
      std::string &Reason = Reasons[T->Original] = whyNoClone(T->Original);
      if (!Reason.empty())
        continue;
      if (Traced->isSilent(*T)) {
        ct::cloneSilentKernel(*T, UnitId);
        continue;
      }
      ct::cloneKernel(*T, UnitId, Calls.reachesOthers(T->Original));
      if (Opts.Registers && Runtime)
        ct::limitRegisters(*T->Original, *T->Clone, Opts.Values);
    } else if (T->NeedsClone) {
      ct::cloneDeviceFunction(
          *T, T->IsEntry && is_contained(Calls.exported(), T->Original));
    }
  }
}

void DeviceModule::instrument() {
  ct::Hooks Hooks(M);
  ct::CallRedirector Redirector(M, Calls, *Traced, Hooks);
  Placement =
      ct::placeHooks(*Traced, Calls, Opts,
                     Runtime ? ct::sharedBytes(*Runtime) : 0, Relocatable);
  if (Placement.StatesBytes && !Relocatable &&
      all_of(Calls.kernels(), [&](Function *K) {
        return staticSharedBytes(M, Calls.reachableFrom(K)) <=
               StaticSharedLimit;
      }))
    ct::alignShared(M);
  for (auto &T : *Traced)
    if (T->Clone && !Traced->isSilent(*T)) {
      ct::instrumentClone(*T, Hooks, Opts, Placement, functionAnalyses());
      Redirector.redirect(*T);
      ct::addTierBody(*T, Hooks, Opts, Placement);
      ct::addPristineBody(*T, Hooks);
    }
}

void DeviceModule::addClocks() {
  ct::Hooks Hooks(M);
  ct::CtaClock Clock(Hooks);
  if (!(Opts.Events & CT_UNIT_CTAS))
    return;
  for (auto &T : *Traced) {
    if (!T->Clone || !ct::compat::isKernel(*T->Original))
      continue;
    Clock.addTo(*T->Clone, /*MayBeOff=*/true);
    ct::TracedFunction Alone;
    Alone.Original = T->Original;
    ct::cloneKernelForClock(Alone, UnitId);
    Clock.addTo(*Alone.Clone, /*MayBeOff=*/false);
    Clocks.push_back(Alone.Clone);
  }
}

void DeviceModule::addBlocks() {
  if (Opts.Events & CT_UNIT_BLOCKS)
    Blocks =
        ct::addBlockCounts(*Traced, ct::Hooks(M), UnitId, functionAnalyses());
}

static uint32_t archNumber(StringRef Processor) {
  unsigned Arch = 0;
  Processor.consume_front("sm_");
  Processor.consumeInteger(10, Arch);
  return Arch;
}

static bool writeFile(StringRef Path, StringRef Content, std::string &Error) {
  std::error_code Code;
  raw_fd_ostream Out(Path, Code, sys::fs::OF_None);
  if (!Code) {
    Out << Content;
    Out.close();
    Code = Out.error();
    Out.clear_error();
  }
  Error = Code.message();
  return !Code;
}

SmallString<256> DeviceModule::unitFile(StringRef Extension) {
  SmallString<256> Path(Opts.UnitDirectory);
  sys::path::append(Path, utohexstr(UnitId, /*LowerCase=*/true, 16) + "-" +
                              processor() + "." + Extension);
  return Path;
}

void DeviceModule::writeUnit() {
  ct::UnitWriter Writer(UnitId, archNumber(processor()), M.getSourceFileName(),
                        Opts);
  DenseMap<const Function *, uint32_t> KernelIndex;

  for (Function *Kernel : Calls.kernels()) {
    auto Known = Facts.find(Kernel);
    ct::KernelFacts KernelFacts =
        Known == Facts.end() ? ct::factsFromIR(*Kernel) : Known->second;
    KernelFacts.Parameters.resize(Kernel->arg_size());
    KernelIndex[Kernel] = Writer.addKernel(Kernel->getName(), KernelFacts,
                                           Reasons.lookup(Kernel));
  }
  for (auto &T : *Traced) {
    auto Index = KernelIndex.find(T->Original);
    StringRef Pattern = T->IsEntry ? "" : StringRef(T->Context);
    uint32_t Kernel = Index == KernelIndex.end() ? CT_NONE : Index->second;
    for (const ct::Site &S : T->Sites)
      Writer.addSite(T->Original->getName(), Kernel, S, Pattern);
    Writer.addBlocks(T->Original->getName(), Kernel, Pattern, T->FirstSite,
                     T->Blocks);
  }
  Writer.addBlame(Blame);

  SmallString<256> Path = unitFile("unit");
  std::string Error;
  if (!writeFile(Path, Writer.blob(), Error))
    ct::reportError(M, "cannot write " + Path + ": " + Error);
  std::string Effects = ct::effectsText(Calls);
  Path = unitFile("effects");
  if (!Effects.empty() && !writeFile(Path, Effects, Error))
    ct::reportError(M, "cannot write " + Path + ": " + Error);
  if (!Opts.Report)
    return;
  StringMap<SetVector<Function *>> Reached;
  for (Function *Kernel : Calls.kernels())
    Reached[Kernel->getName()] = Calls.reachableFrom(Kernel);
  errs() << "cuda-trace: coverage of " << M.getSourceFileName() << " for "
         << processor() << "\n"
         << ct::coverageReport(
                Writer, [&](StringRef Kernel, StringRef Function) {
                  return Reached[Kernel].contains(M.getFunction(Function));
                });
  for (auto &T : *Traced)
    if (T->Groups || !T->LoopSites.empty())
      errs() << "recorded together in " << demangle(T->Original->getName())
             << ": " << T->GroupSites << " accesses in " << T->Groups
             << " groups, " << T->LoopSites.size() << " in regular loops\n";
}

void DeviceModule::linkRuntime() {
  ct::linkDeviceRuntime(M, std::move(Runtime), model(), Placement.CompiledApart,
                        MAM);
  if (!Opts.Optimise)
    return;
  SmallVector<Function *, 16> Clones(Clocks.begin(), Clocks.end());
  Clones.append(Blocks.begin(), Blocks.end());
  for (auto &T : *Traced)
    if (T->Clone)
      Clones.push_back(T->Clone);
  ct::tidyClones(Clones, MAM);
}

bool DeviceModule::run() {
  if (Calls.kernels().empty() && Calls.functions().empty())
    return false;
  if (Opts.DeviceTarget == ct::Target::GPU) {
    Runtime = ct::loadDeviceRuntime(M, Opts.DeviceRuntime);
    if (!Runtime)
      return false;
  }
  Traced = std::make_unique<ct::TracedFunctions>(
      Calls, Spaces,
      [this](Function &Kernel) { return whyNoClone(&Kernel).empty(); },
      [this](Function &F, const ct::Pattern &Context) {
        return collect(F, Context);
      });
  numberSites();
  makeClones();
  instrument();
  addClocks();
  addBlocks();
  writeUnit();
  return true;
}

void DeviceModule::finish() {
  if (Opts.DeviceTarget == ct::Target::GPU)
    ct::writePlacesAtExit(M, UnitId, archNumber(processor()),
                          unitFile("places"));
  if (Runtime)
    linkRuntime();
}

bool ct::isRelocatable() { return Relocatable; }

bool ct::instrumentDevice(Module &M, ModuleAnalysisManager &MAM,
                          const Options &Opts, const BlameFacts &Blame,
                          WrapperInlining &Wrappers) {
  DeviceModule Device(M, MAM, Opts, Blame);
  bool Changed = Device.run();
  Wrappers.undo(
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
  if (Changed)
    Device.finish();
  return Changed;
}
