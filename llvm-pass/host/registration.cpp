/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side: what clang registers with the CUDA runtime, we register for the
 * clones and for host-rt as well.
 */
#include "llvm-pass/host/registration.h"
#include "llvm-pass/base/names.h"
#include "llvm-pass/host/offload_entries.h"
#include "llvm-pass/unit/effects.h"
#include "llvm-pass/unit/writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <cudatrace/unit.h>

using namespace llvm;

static const int UnitConstructorPriority =
    101; // before any registration of kernels

namespace {

struct KernelEntry {
  uint32_t ParamCount;
  bool HasClone;  // for at least one architecture
  bool HasClock;  // and one for the CTA clock
  bool HasBlocks; // and one that counts blocks
};

/// Adds our registrations to one host module.
class HostModule {
public:
  HostModule(Module &M, const ct::Options &Opts)
      : M(M), C(M.getContext()), UnitId(ct::unitId(M, Opts.UnitSeed)),
        IsRelocatable(ct::isRelocatable(M)), Pointer(PointerType::get(C, 0)),
        I32(Type::getInt32Ty(C)), I64(Type::getInt64Ty(C)) {
    loadBlobs(Opts.UnitDirectory);
  }

  bool run(const ct::Options &Opts, const ct::BlameFacts &Flows);

private:
  Module &M;
  LLVMContext &C;
  uint64_t UnitId;
  bool IsRelocatable; // -fgpu-rdc
  bool HasDeviceCode = false;
  PointerType *Pointer;
  Type *I32, *I64;
  std::vector<std::unique_ptr<MemoryBuffer>> Blobs;
  std::vector<std::unique_ptr<MemoryBuffer>> Places; // places.h
  StringMap<KernelEntry> Kernels;
  StringMap<uint32_t> Effects; // of kernels; "": of exported functions

  void loadBlobs(StringRef Directory);
  void addFlows(const ct::Options &Opts, const ct::BlameFacts &Flows);
  std::unique_ptr<MemoryBuffer> load(const std::string &Path);
  void readKernels(StringRef Blob);
  void registerKernel(CallInst &Call);
  void registerVariable(CallInst &Call);
  void registerEntry(const ct::OffloadEntry &Entry, IRBuilder<> &B);
  bool isMergeable(const Value *Stub) const;
  GlobalVariable *makeHandle(const Twine &Kernel);
  Value *registerClone(CallInst &Call, GlobalVariable *Handle, StringRef Name,
                       IRBuilder<> &B);
  void tell(StringRef How, IRBuilder<> &B, Value *Stub, Value *Clone);
  void tellKernel(IRBuilder<> &B, Value *Stub, Value *Clone, Value *Name,
                  uint32_t ParamCount);
  void tellEffects(IRBuilder<> &B, Value *Stub, StringRef Name);
  void tellVariable(IRBuilder<> &B, ArrayRef<Value *> Arguments);
  void addPullSymbol();
  void registerData(IRBuilder<> &B, StringRef What,
                    const std::vector<std::unique_ptr<MemoryBuffer>> &All);
  void addUnitConstructor();
  SmallVector<CallInst *, 8> callsOf(StringRef Name) const;

  FunctionCallee hostFunction(StringRef Name, ArrayRef<Type *> Parameters) {
    return M.getOrInsertFunction(
        Name, FunctionType::get(Type::getVoidTy(C), Parameters, false));
  }
};

} // namespace

std::unique_ptr<MemoryBuffer> HostModule::load(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (Buffer)
    return std::move(*Buffer);
  ct::reportError(M,
                  "cannot read " + Path + ": " + Buffer.getError().message());
  return nullptr;
}

/// The blobs that the device compilations of this unit left, in order of name.
void HostModule::loadBlobs(StringRef Directory) {
  std::string Prefix = utohexstr(UnitId, /*LowerCase=*/true, 16) + "-sm_";
  std::vector<std::string> Paths;
  std::error_code Code;
  for (sys::fs::directory_iterator It(Directory, Code), End; !Code && It != End;
       It.increment(Code))
    if (sys::path::filename(It->path()).starts_with(Prefix))
      Paths.push_back(It->path());
  llvm::sort(Paths);
  for (const std::string &Path : Paths) {
    bool IsUnit = StringRef(Path).ends_with(".unit");
    bool HasEffects = StringRef(Path).ends_with(".effects");
    if (!IsUnit && !HasEffects && !StringRef(Path).ends_with(".places"))
      continue;
    std::unique_ptr<MemoryBuffer> Buffer = load(Path);
    if (!Buffer)
      continue;
    if (HasEffects) {
      ct::readEffects(Buffer->getBuffer(), [this](StringRef Name, uint32_t E) {
        Effects[Name] |= E;
      });
      continue;
    }
    if (IsUnit)
      readKernels(Buffer->getBuffer());
    (IsUnit ? Blobs : Places).push_back(std::move(Buffer));
  }
}

/// The blob is our own pass's work, a moment ago.
void HostModule::readKernels(StringRef Blob) {
  auto *Header = reinterpret_cast<const ct_unit_header *>(Blob.data());
  auto *First = reinterpret_cast<const ct_unit_kernel *>(Blob.data() +
                                                         Header->header_bytes);
  const char *Strings = Blob.end() - Header->string_bytes;
  for (const ct_unit_kernel &K : ArrayRef(First, Header->kernel_count)) {
    KernelEntry &Entry = Kernels[Strings + K.name];
    Entry.ParamCount = K.param_count;
    Entry.HasClone |= K.reason == 0;
    Entry.HasClock |= K.reason == 0 && Header->events & CT_UNIT_CTAS;
    Entry.HasBlocks |= K.reason == 0 && Header->events & CT_UNIT_BLOCKS;
  }
}

SmallVector<CallInst *, 8> HostModule::callsOf(StringRef Name) const {
  SmallVector<CallInst *, 8> Calls;
  if (Function *F = M.getFunction(Name))
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == F)
        Calls.push_back(Call);
  return Calls;
}

/// The string that an argument points to, "" if it is not a constant.
static StringRef stringArgument(const CallInst &Call, unsigned Index) {
  auto *GV =
      dyn_cast<GlobalVariable>(Call.getArgOperand(Index)->stripPointerCasts());
  if (!GV || !GV->hasInitializer())
    return "";
  auto *Data = dyn_cast<ConstantDataSequential>(GV->getInitializer());
  return Data && Data->isCString() ? Data->getAsCString() : "";
}

/// Whether it is weak in device code: with -fgpu-rdc kernels of templates,
/// which the device linker may merge, and static ones.
bool HostModule::isMergeable(const Value *Stub) const {
  auto *F = dyn_cast<Function>(Stub->stripPointerCasts());
  return IsRelocatable && F && (F->isWeakForLinker() || F->hasLocalLinkage());
}

/// The address under which the CUDA runtime knows a clone.
GlobalVariable *HostModule::makeHandle(const Twine &Kernel) {
  Type *I8 = Type::getInt8Ty(C);
  return new GlobalVariable(M, I8, /*isConstant=*/false,
                            GlobalValue::InternalLinkage,
                            ConstantInt::get(I8, 0), "__ct_handle_" + Kernel);
}

/// As the kernel is registered, under the clone's name. Returns the handle.
Value *HostModule::registerClone(CallInst &Call, GlobalVariable *Handle,
                                 StringRef Name, IRBuilder<> &B) {
  SmallVector<Value *, 10> Arguments(Call.args());
  Arguments[1] = Handle;
  Arguments[2] = Arguments[3] = B.CreateGlobalString(Name);
  B.CreateCall(Call.getFunctionType(), Call.getCalledOperand(), Arguments);
  return Handle;
}

/// Registers a clone of the kernel besides the instrumented one.
void HostModule::tell(StringRef How, IRBuilder<> &B, Value *Stub,
                      Value *Clone) {
  B.CreateCall(hostFunction(How, {Pointer, Pointer}), {Stub, Clone});
}

void HostModule::tellKernel(IRBuilder<> &B, Value *Stub, Value *Clone,
                            Value *Name, uint32_t ParamCount) {
  B.CreateCall(hostFunction("__ct_register_kernel",
                            {I64, Pointer, Pointer, Pointer, I32}),
               {B.getInt64(UnitId), Stub, Clone, Name, B.getInt32(ParamCount)});
}

/// Registers the effects of a kernel that prints or asserts; Name "", Stub
/// null: of functions.
void HostModule::tellEffects(IRBuilder<> &B, Value *Stub, StringRef Name) {
  auto Known = Effects.find(Name);
  if (Known != Effects.end())
    B.CreateCall(hostFunction("__ct_register_effects", {Pointer, I32}),
                 {Stub, B.getInt32(Known->second)});
}

void HostModule::tellVariable(IRBuilder<> &B, ArrayRef<Value *> Arguments) {
  B.CreateCall(
      hostFunction("__ct_register_variable", {Pointer, Pointer, I64, I32}),
      Arguments);
}

/// __cudaRegisterFunction(handle, stub, name, name, …)
void HostModule::registerKernel(CallInst &Call) {
  StringRef Name = stringArgument(Call, 2);
  auto Known = Kernels.find(Name);
  if (Known == Kernels.end())
    return;

  IRBuilder<> B(Call.getNextNode());
  Value *Stub = Call.getArgOperand(1);
  bool Mergeable = isMergeable(Stub);
  Value *Clone = ConstantPointerNull::get(Pointer);
  if (Known->second.HasClone)
    Clone = registerClone(Call, makeHandle(Name),
                          ct::cloneName(Name, UnitId, Mergeable), B);
  tellKernel(B, Stub, Clone, Call.getArgOperand(2), Known->second.ParamCount);
  tellEffects(B, Stub, Name);
  if (Known->second.HasClock)
    tell("__ct_register_clock", B, Stub,
         registerClone(Call, makeHandle("clock." + Name),
                       ct::clockName(Name, UnitId, Mergeable), B));
  if (Known->second.HasBlocks)
    tell("__ct_register_blocks", B, Stub,
         registerClone(Call, makeHandle("blocks." + Name),
                       ct::blocksName(Name, UnitId, Mergeable), B));
}

/// __cudaRegisterVar(handle, shadow, name, name, external, size, constant,
/// global)
void HostModule::registerVariable(CallInst &Call) {
  IRBuilder<> B(Call.getNextNode());
  tellVariable(B, {Call.getArgOperand(1), Call.getArgOperand(2),
                   B.CreateZExtOrTrunc(Call.getArgOperand(5), I64),
                   B.CreateZExtOrTrunc(Call.getArgOperand(6), I32)});
}

/// -fgpu-rdc: the linker wrapper registers what the entries name; we only add
/// the clone's entry, and tell host-rt from our own constructor.
void HostModule::registerEntry(const ct::OffloadEntry &Entry, IRBuilder<> &B) {
  auto *Text = dyn_cast<ConstantDataSequential>(Entry.Name->getInitializer());
  if (!Text || !Text->isCString())
    return;
  if (Entry.isPlainVariable())
    tellVariable(B, {Entry.Address, Entry.Name, B.getInt64(Entry.Size),
                     B.getInt32(Entry.isConstant())});
  auto Known = Kernels.find(Text->getAsCString());
  if (Entry.Size != 0 || Known == Kernels.end())
    return;
  Constant *Clone = ConstantPointerNull::get(Pointer);
  bool Mergeable = isMergeable(Entry.Address);
  if (Known->second.HasClone) {
    Clone = makeHandle(Known->first());
    ct::addOffloadEntry(Entry, Clone,
                        ct::cloneName(Known->first(), UnitId, Mergeable));
  }
  tellKernel(B, Entry.Address, Clone, Entry.Name, Known->second.ParamCount);
  tellEffects(B, Entry.Address, Known->first());
  if (Known->second.HasClock) {
    Constant *Clock = makeHandle("clock." + Known->first());
    ct::addOffloadEntry(Entry, Clock,
                        ct::clockName(Known->first(), UnitId, Mergeable));
    tell("__ct_register_clock", B, Entry.Address, Clock);
  }
  if (Known->second.HasBlocks) {
    Constant *Blocks = makeHandle("blocks." + Known->first());
    ct::addOffloadEntry(Entry, Blocks,
                        ct::blocksName(Known->first(), UnitId, Mergeable));
    tell("__ct_register_blocks", B, Entry.Address, Blocks);
  }
}

/// The wrapper pulls this object out of an archive by this symbol, should its
/// device functions be linked: to the host linker there is nothing else in it.
void HostModule::addPullSymbol() {
  auto *Symbol = new GlobalVariable(
      M, Type::getInt8Ty(C), /*isConstant=*/true, GlobalValue::ExternalLinkage,
      ConstantInt::get(Type::getInt8Ty(C), 0),
      CT_UNIT_SYMBOL + utohexstr(UnitId, /*LowerCase=*/true, 16));
  Symbol->setVisibility(GlobalValue::HiddenVisibility);
}

/// Blobs repeat themselves, and are a third of many objects. This level packs
/// them to an eighth in 10 ms a megabyte.
static const int PackingLevel = 6;

static SmallVector<uint8_t, 0> pack(StringRef Blob) {
  SmallVector<uint8_t, 0> Packed;
  if (compression::zstd::isAvailable())
    compression::zstd::compress(arrayRefFromStringRef(Blob), Packed,
                                PackingLevel);
  return Packed;
}

/// __ct_register_What(data, bytes) of each, or, packed,
/// __ct_register_packed_What(data, bytes, bytes when unpacked).
void HostModule::registerData(
    IRBuilder<> &B, StringRef What,
    const std::vector<std::unique_ptr<MemoryBuffer>> &All) {
  for (auto &Buffer : All) {
    SmallVector<uint8_t, 0> Packed = pack(Buffer->getBuffer());
    Constant *Data = ConstantDataArray::getString(
        C, Packed.empty() ? Buffer->getBuffer() : toStringRef(Packed),
        /*AddNull=*/false);
    auto *Blob =
        new GlobalVariable(M, Data->getType(), /*isConstant=*/true,
                           GlobalValue::InternalLinkage, Data, "__ct_" + What);
    Constant *Bytes = B.getInt64(Buffer->getBufferSize());
    Blob->setAlignment(Align(8));
    if (Packed.empty())
      B.CreateCall(
          hostFunction(("__ct_register_" + What).str(), {Pointer, I64}),
          {Blob, Bytes});
    else
      B.CreateCall(hostFunction(("__ct_register_packed_" + What).str(),
                                {Pointer, I64, I64}),
                   {Blob, B.getInt64(Packed.size()), Bytes});
  }
}

void HostModule::addUnitConstructor() {
  auto *Type = FunctionType::get(llvm::Type::getVoidTy(C), false);
  Function *Constructor = Function::Create(Type, GlobalValue::InternalLinkage,
                                           "__ct_register_units", M);
  IRBuilder<> B(BasicBlock::Create(C, "", Constructor));
  Constant *Abi = M.getOrInsertGlobal("ct_abi_v6", B.getInt8Ty());
  B.CreateLoad(B.getInt8Ty(), Abi, /*isVolatile=*/true);
  registerData(B, "unit", Blobs);
  registerData(B, "places", Places);
  tellEffects(B, ConstantPointerNull::get(Pointer), "");
  auto Entries = ct::offloadEntries(M);
  for (const ct::OffloadEntry &Entry : Entries)
    registerEntry(Entry, B);
  if (Entries.empty() && callsOf("__cudaRegisterFunction").empty() &&
      HasDeviceCode)
    addPullSymbol();
  B.CreateRetVoid();
  appendToGlobalCtors(M, Constructor, UnitConstructorPriority);
}

/// A unit without kernels.
void HostModule::addFlows(const ct::Options &Opts,
                          const ct::BlameFacts &Flows) {
  ct::Options OfHost = Opts;
  OfHost.Events = CT_UNIT_HOST;
  OfHost.Spaces = OfHost.Kinds = 0;
  OfHost.Values = false;
  ct::UnitWriter Unit(UnitId ^ CT_UNIT_OF_HOST, 0, M.getSourceFileName(),
                      OfHost);
  Unit.addFlows(Flows);
  Blobs.push_back(MemoryBuffer::getMemBufferCopy(Unit.blob()));
}

bool HostModule::run(const ct::Options &Opts, const ct::BlameFacts &Flows) {
  HasDeviceCode = !Blobs.empty();
  if (!Flows.Statements.empty())
    addFlows(Opts, Flows);
  if (Blobs.empty())
    return false;
  addUnitConstructor();
  for (CallInst *Call : callsOf("__cudaRegisterFunction"))
    registerKernel(*Call);
  for (CallInst *Call : callsOf("__cudaRegisterVar"))
    registerVariable(*Call);
  return true;
}

/// Where a constructor runs among those of its priority, as nvcc orders them.
static unsigned constructorRank(const Constant *Entry) {
  StringRef Name =
      Entry->getAggregateElement(1)->stripPointerCasts()->getName();
  if (Name == "__cuda_module_ctor")
    return 1;
  bool Initialises = Name.starts_with("_GLOBAL__sub_I_") ||
                     Name.starts_with("__cxx_global_var_init");
  return Initialises ? 2 : 0; // 0: the program's __attribute__((constructor))
}

/// clang registers a unit's kernels and variables behind its initialisers, nvcc
/// before them. Constructors of one priority run in the list's order.
static bool registerBeforeInitialisers(Module &M) {
  GlobalVariable *List = M.getGlobalVariable("llvm.global_ctors");
  auto *Old = List && List->hasInitializer()
                  ? dyn_cast<ConstantArray>(List->getInitializer())
                  : nullptr;
  if (!Old)
    return false;
  SmallVector<Constant *, 8> Entries;
  for (Value *Entry : Old->operand_values())
    Entries.push_back(cast<Constant>(Entry));
  llvm::stable_sort(Entries, [](const Constant *A, const Constant *B) {
    return constructorRank(A) < constructorRank(B);
  });
  List->setInitializer(ConstantArray::get(Old->getType(), Entries));
  return List->getInitializer() != Old;
}

bool ct::registerWithHost(Module &M, const Options &Opts,
                          const BlameFacts &Flows) {
  bool Changed = registerBeforeInitialisers(M);
  return HostModule(M, Opts).run(Opts, Flows) || Changed;
}
