/* SPDX-License-Identifier: Apache-2.0 */
/* Instrument a device module. */
#include "device.h"
#include "annotations.h"
#include "callgraph.h"
#include "calls.h"
#include "clone.h"
#include "compat.h"
#include "device_runtime.h"
#include "instrument.h"
#include "unit_writer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

static const uint64_t StaticSharedLimit = 48 * 1024;

void ct::normaliseAccesses(Module &M, ModuleAnalysisManager &MAM) {
  FunctionPassManager FPM;
  FPM.addPass(InferAddressSpacesPass());
  FPM.addPass(LoadStoreVectorizerPass());
  auto Adaptor = createModuleToFunctionPassAdaptor(std::move(FPM));
  MAM.invalidate(M, Adaptor.run(M, MAM));
}

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
  DeviceModule(Module &M, ModuleAnalysisManager &MAM, const ct::Options &Opts)
      : M(M), Opts(Opts), MAM(MAM), Facts(ct::takeKernelFacts(M)), Calls(M), Spaces(M, Facts) {}

  bool run();

private:
  Module &M;
  const ct::Options &Opts;
  ModuleAnalysisManager &MAM;
  ct::KernelFactsMap Facts;
  ct::CallGraph Calls;
  ct::SpaceAnalysis Spaces;
  std::unique_ptr<Module> Runtime;
  MapVector<Function *, ct::TracedFunction> Traced; // in the order of the site table

  void collect(Function *F);
  std::string whyNoClone(Function *Kernel) const;
  void makeClones(DenseMap<Function *, std::string> &Reasons);
  void linkRuntime();
  void writeUnit(const DenseMap<Function *, std::string> &Reasons);
  StringRef processor() const {
    return Calls.kernels().front()->getFnAttribute("target-cpu").getValueAsString();
  }
};

} // namespace

void DeviceModule::collect(Function *F) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  ct::TracedFunction &T = Traced[F];
  T.Original = F;
  T.Context = Spaces.entryPattern(*F);
  T.Sites = ct::collectSites(*F, FAM.getResult<LoopAnalysis>(*F),
                             ContextPointers(Spaces, T.Context), Calls);
}

static void addSharedVariables(const Value *V, SmallPtrSetImpl<const Value *> &Found) {
  if (auto *GV = dyn_cast<GlobalVariable>(V)) {
    if (GV->getAddressSpace() == 3 && !GV->isDeclaration())
      Found.insert(GV);
  } else if (isa<ConstantExpr>(V) || isa<ConstantAggregate>(V)) {
    for (const Use &Operand : cast<User>(V)->operands())
      addSharedVariables(Operand, Found);
  }
}

/// Static shared memory of a kernel and all it calls.
static uint64_t staticSharedBytes(const Module &M, const SetVector<Function *> &Functions) {
  SmallPtrSet<const Value *, 16> Variables;
  uint64_t Bytes = 0;
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F))
      for (const Use &Operand : I.operands())
        addSharedVariables(Operand, Variables);
  for (const Value *V : Variables)
    Bytes +=
        alignTo(M.getDataLayout().getTypeAllocSize(cast<GlobalVariable>(V)->getValueType()), 16);
  return Bytes;
}

std::string DeviceModule::whyNoClone(Function *Kernel) const {
  if (!Runtime)
    return "";
  uint64_t Own = staticSharedBytes(M, Calls.reachableFrom(Kernel));
  uint64_t Ours = ct::sharedBytes(*Runtime);
  if (Own + Ours <= StaticSharedLimit)
    return "";
  return "uses " + std::to_string(Own) + " bytes of static shared memory; tracing needs " +
         std::to_string(Ours) + " more, and " + std::to_string(StaticSharedLimit) +
         " is the limit (make some of it dynamic)";
}

/// A device function needs a clone if something in it, or behind its calls,
/// has to call a hook.
static void findFunctionsToClone(ArrayRef<Function *> Functions,
                                 const MapVector<Function *, ct::TracedFunction> &Traced,
                                 const ct::CallGraph &Calls, SmallPtrSetImpl<Function *> &Needed) {
  SmallPtrSet<Function *, 32> Direct;
  for (Function *F : Functions) {
    const ct::TracedFunction &T = Traced.find(F)->second;
    bool Records =
        any_of(T.Sites, [](const ct::Site &S) { return S.Verdict != CT_VERDICT_SKIPPED; });
    if (Records || ct::containsExit(*F))
      Direct.insert(F);
  }
  for (Function *F : Functions)
    if (any_of(Calls.reachableFrom(F), [&](Function *G) { return Direct.contains(G); }))
      Needed.insert(F);
}

void DeviceModule::makeClones(DenseMap<Function *, std::string> &Reasons) {
  SmallPtrSet<Function *, 32> Needed;
  DenseMap<Function *, Function *> Clones;

  findFunctionsToClone(Calls.functions(), Traced, Calls, Needed);
  for (auto &[F, T] : Traced) {
    if (ct::compat::isKernel(*F)) {
      Reasons[F] = whyNoClone(F);
      if (Reasons[F].empty())
        ct::cloneKernel(T, ct::unitId(M, Opts.UnitSeed));
    } else if (Needed.contains(F)) {
      ct::cloneDeviceFunction(T);
      Clones[F] = T.Clone;
    }
  }
  ct::Hooks Hooks(M);
  for (auto &[F, T] : Traced)
    if (T.Clone) {
      ct::instrumentClone(T, Hooks);
      ct::redirectCalls(T, Clones);
    }
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

void DeviceModule::writeUnit(const DenseMap<Function *, std::string> &Reasons) {
  uint64_t Id = ct::unitId(M, Opts.UnitSeed);
  ct::UnitWriter Writer(Id, archNumber(processor()), M.getSourceFileName());
  DenseMap<const Function *, uint32_t> KernelIndex;

  for (Function *Kernel : Calls.kernels()) {
    auto Known = Facts.find(Kernel);
    ct::KernelFacts KernelFacts = Known == Facts.end() ? ct::factsFromIR(*Kernel) : Known->second;
    KernelFacts.Parameters.resize(Kernel->arg_size());
    KernelIndex[Kernel] = Writer.addKernel(Kernel->getName(), KernelFacts, Reasons.lookup(Kernel));
  }
  for (auto &[F, T] : Traced) {
    auto Index = KernelIndex.find(F);
    for (const ct::Site &S : T.Sites)
      Writer.addSite(F->getName(), Index == KernelIndex.end() ? CT_NONE : Index->second, S);
  }

  SmallString<256> Path(Opts.UnitDirectory);
  std::string Error;
  sys::path::append(Path, utohexstr(Id, /*LowerCase=*/true, 16) + "-" + processor() + ".unit");
  if (!writeFile(Path, Writer.blob(), Error))
    ct::reportError(M, "cannot write " + Path + ": " + Error);
}

void DeviceModule::linkRuntime() {
  ct::linkDeviceRuntime(M, std::move(Runtime), *Calls.kernels().front(), MAM);
  if (!Opts.Optimise)
    return;
  SmallVector<Function *, 16> Clones;
  for (auto &[F, T] : Traced)
    if (T.Clone)
      Clones.push_back(T.Clone);
  ct::tidyClones(Clones, MAM);
}

bool DeviceModule::run() {
  if (Calls.kernels().empty())
    return false;
  if (Opts.DeviceTarget == ct::Target::GPU) {
    Runtime = ct::loadDeviceRuntime(M, Opts.DeviceRuntime);
    if (!Runtime)
      return false;
  }
  uint32_t FirstSite = 0;
  for (Function *F : Calls.kernels())
    collect(F);
  for (Function *F : Calls.functions())
    collect(F);
  for (auto &[F, T] : Traced) {
    T.FirstSite = FirstSite;
    FirstSite += T.Sites.size();
  }
  DenseMap<Function *, std::string> Reasons;
  makeClones(Reasons);
  writeUnit(Reasons);
  if (Runtime)
    linkRuntime();
  return true;
}

bool ct::instrumentDevice(Module &M, ModuleAnalysisManager &MAM, const Options &Opts) {
  return DeviceModule(M, MAM, Opts).run();
}
