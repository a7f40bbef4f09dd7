/* SPDX-License-Identifier: Apache-2.0 */
/* PTX loads, stores, atomics and fences. */
#include "cpu-target/retarget/ptx/ptx.h"
#include "cpu-target/retarget/thread/thread.h"
#include "cpu-target/runtime/exec/thread.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace ct {

/// A shared address may be 32 bits wide: its upper half is that of the block's
/// shared memory, which does not cross a 4 GiB boundary.
Value *PtxLowering::completeShared(Value *Address) {
  llvm::Type *I64 = B.getInt64Ty();
  Value *Base = B.CreatePtrToInt(sharedBase(B), I64);
  Value *High = B.CreateAnd(Base, B.getInt64(0xffffffff00000000));
  Value *Low =
      B.CreateAnd(convertBits(B, Address, I64), B.getInt64(0xffffffff));
  return B.CreateIntToPtr(B.CreateOr(High, Low), B.getPtrTy());
}

Value *PtxLowering::address(unsigned Index) {
  return memoryOperand(Index, has("shared") || has("shared::cta") ||
                                  has("shared::cluster"));
}

/// Loads and stores that order memory or must see what others store.
static bool isOrdered(const PtxInstruction &I) {
  return I.has("volatile") || I.has("acquire") || I.has("release") ||
         I.has("relaxed") || I.has("mmio");
}

bool PtxLowering::lowerLoad() {
  Value *Address = address(1);
  if (!Address || !Type)
    return false;
  const PtxOperand &To = I->Operands[0];
  bool IsVector = To.Kind == PtxOperand::Vector;
  size_t Lanes = IsVector ? To.Parts.size() : 1;
  llvm::Type *T = B.getIntNTy(Type.Bits * Type.Lanes);
  for (size_t N = 0; N < Lanes; ++N) {
    auto *Load =
        B.CreateAlignedLoad(T, B.CreateConstGEP1_64(T, Address, N),
                            Align(Type.Bits / 8), isOrdered(*I) || has("cv"));
    if (isOrdered(*I))
      Load->setAtomic(AtomicOrdering::Acquire);
    Value *V = Load;
    if (Type.isSigned() && Type.Bits < 32)
      V = B.CreateSExt(V, B.getInt32Ty());
    if (!write(IsVector ? To.Parts[N] : To.Text, V))
      return false;
  }
  return true;
}

bool PtxLowering::lowerStore() {
  Value *Address = address(0);
  if (!Address || !Type || count() < 2)
    return false;
  const PtxOperand &From = I->Operands[1];
  bool IsVector = From.Kind == PtxOperand::Vector;
  size_t Lanes = IsVector ? From.Parts.size() : 1;
  llvm::Type *T = B.getIntNTy(Type.Bits * Type.Lanes);
  for (size_t N = 0; N < Lanes; ++N) {
    Value *V = readBits(IsVector ? From.Parts[N] : From.Text, T);
    if (!V)
      return false;
    auto *Store = B.CreateAlignedStore(V, B.CreateConstGEP1_64(T, Address, N),
                                       Align(Type.Bits / 8), isOrdered(*I));
    if (isOrdered(*I))
      Store->setAtomic(AtomicOrdering::Release);
  }
  return completeBytes(2, Lanes * Type.Bits / 8);
}

Value *PtxLowering::atomicOperation(Value *Pointer, Value *V, Value *Compare) {
  constexpr auto Order = AtomicOrdering::SequentiallyConsistent;
  if (Compare) {
    Value *Pair = B.CreateAtomicCmpXchg(Pointer, Compare, V,
                                        Align(Type.Bits / 8), Order, Order);
    return B.CreateExtractValue(Pair, 0);
  }
  AtomicRMWInst::BinOp Operation;
  bool Signed = Type.isSigned(), Float = Type.isFloat();
  if (has("add"))
    Operation = Float ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
  else if (has("and"))
    Operation = AtomicRMWInst::And;
  else if (has("or"))
    Operation = AtomicRMWInst::Or;
  else if (has("xor"))
    Operation = AtomicRMWInst::Xor;
  else if (has("exch"))
    Operation = AtomicRMWInst::Xchg;
  else if (has("min"))
    Operation = Float    ? AtomicRMWInst::FMin
                : Signed ? AtomicRMWInst::Min
                         : AtomicRMWInst::UMin;
  else if (has("max"))
    Operation = Float    ? AtomicRMWInst::FMax
                : Signed ? AtomicRMWInst::Max
                         : AtomicRMWInst::UMax;
  else if (has("inc"))
    Operation = AtomicRMWInst::UIncWrap;
  else if (has("dec"))
    Operation = AtomicRMWInst::UDecWrap;
  else
    return nullptr;
  return B.CreateAtomicRMW(Operation, Pointer, V,
                           Align(Type.Bits * Type.Lanes / 8), Order);
}

Value *PtxLowering::brainAtomic(Value *Pointer, StringRef Register) {
  Value *V = readBits(Register, B.getIntNTy(16 * Type.Lanes));
  StringRef Operation = has("min") ? "min" : has("max") ? "max" : "add";
  return V ? callRuntime(B,
                         IntrinsicPrefix + "atomic_brain_" + Operation + "_" +
                             Twine(Type.Lanes),
                         {Pointer, V})
           : nullptr;
}

/// st.async and red.async tell a barrier of the bytes that have arrived.
bool PtxLowering::completeBytes(unsigned Index, unsigned Bytes) {
  Value *Barrier = has("async") ? memoryOperand(Index, true) : nullptr;
  if (!has("async") || has("release") || Index >= count())
    return true;
  return Barrier && callRuntime(B, IntrinsicPrefix + "mbarrier_complete_tx",
                                {Barrier, B.getInt32(Bytes)});
}

/// atom d, [a], b{, c} and red [a], b; vectors element by element.
bool PtxLowering::lowerAtomic() {
  bool HasResult = I->Opcode == "atom";
  unsigned At = HasResult ? 1 : 0;
  Value *Address = address(At);
  if (!Address || !Type || count() < At + 2)
    return false;
  const PtxOperand &From = I->Operands[At + 1];
  if (From.Kind == PtxOperand::Vector) {
    if (HasResult && I->Operands[0].Parts.size() != From.Parts.size())
      return false;
    for (size_t N = 0; N < From.Parts.size(); ++N) {
      uint64_t Offset = N * Type.Bits * Type.Lanes / 8;
      Value *Place = B.CreateConstGEP1_64(B.getInt8Ty(), Address, Offset);
      Value *V = Type.Brain ? brainAtomic(Place, From.Parts[N])
                            : read(From.Parts[N], Type);
      if (!V || has("cas"))
        return false;
      if (!Type.Brain)
        V = atomicOperation(Place, V, nullptr);
      if (!V || (HasResult && !write(I->Operands[0].Parts[N], V)))
        return false;
    }
    return true;
  }
  if (Type.Brain) {
    Value *Old = brainAtomic(Address, From.Text);
    return Old && (!HasResult || result(Old, PtxType()));
  }
  Value *V = operand(At + 1), *Compare = nullptr;
  if (has("cas")) {
    Compare = V;
    V = operand(At + 2);
    if (!Compare)
      return false;
  }
  Value *Old = V ? atomicOperation(Address, V, Compare) : nullptr;
  return Old && (!HasResult || result(Old)) &&
         completeBytes(At + 2, Type.Bits / 8);
}

bool PtxLowering::lowerFence() {
  B.CreateFence(AtomicOrdering::SequentiallyConsistent);
  return true;
}

bool PtxLowering::lowerIsSpace() {
  if (I->Modifiers.empty())
    return false;
  StringRef Space = I->Modifiers[0];
  Space = Space.split(':').first;
  Value *Pointer = operandBits(1, B.getPtrTy());
  if (!Pointer)
    return false;
  Value *V = callRuntime(B, IntrinsicPrefix + "isspacep_" + Space, {Pointer});
  return V && write(I->Operands[0].Text, convertBits(B, V, B.getInt1Ty()));
}

} // namespace ct
