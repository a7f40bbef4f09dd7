/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PTX asynchronous copies, mbarrier objects, addresses within a cluster. A copy
 * is done where it is issued, so its groups and waits are empty.
 */
#include "cpu-target/retarget/ptx/ptx.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace ct {

/// Address of a memory operand in shared or, else, generic memory.
Value *PtxLowering::memoryOperand(unsigned Index, bool IsShared) {
  if (Index >= count() || I->Operands[Index].Kind != PtxOperand::Memory)
    return nullptr;
  const PtxOperand &Operand = I->Operands[Index];
  llvm::Type *I64 = B.getInt64Ty();
  Value *Address = readBits(Operand.Text, I64);
  Value *Added =
      Operand.Added.empty() ? B.getInt64(0) : readBits(Operand.Added, I64);
  if (!Address || !Added)
    return nullptr;
  Address = B.CreateAdd(Address, Added);
  return IsShared ? completeShared(Address)
                  : B.CreateIntToPtr(Address, B.getPtrTy());
}

/// cp.async.ca.shared.global [to], [from], size{, bytes to read | !read}.
bool PtxLowering::lowerAsyncCopy() {
  if (has("bulk"))
    return lowerBulkCopy();
  if (!has("async") || has("reduce"))
    return false;
  if (has("mbarrier")) {
    Value *Barrier = address(0);
    return Barrier &&
           callRuntime(B,
                       IntrinsicPrefix + (has("noinc")
                                              ? "cp_async_mbarrier_arrive_noinc"
                                              : "cp_async_mbarrier_arrive"),
                       {Barrier});
  }
  if (has("commit_group") || has("wait_group") || has("wait_all"))
    return true;
  Value *To = memoryOperand(0, true), *From = memoryOperand(1, false);
  Value *Size = operandBits(2, B.getInt64Ty());
  if (!To || !From || !Size)
    return false;
  Value *Count = Size;
  size_t Last = count() - has("L2::cache_hint");
  if (Last > 3) { // so many bytes are read, or none if a predicate is true
    auto It = Registers.find(I->Operands[3].Text);
    bool IsPredicate =
        It != Registers.end() && It->second->getType()->isIntegerTy(1);
    Count = IsPredicate ? B.CreateSelect(predicate(3), B.getInt64(0), Size)
                        : operandBits(3, B.getInt64Ty());
    if (!Count)
      return false;
    B.CreateMemSet(To, B.getInt8(0), Size, MaybeAlign());
  }
  B.CreateMemCpy(To, MaybeAlign(), From, MaybeAlign(), Count);
  return true;
}

static bool isSharedSpace(StringRef Space) {
  return Space.starts_with("shared");
}

/// cp{.reduce}.async.bulk.to.from...{.op.type} [to], [from], bytes{,
/// [barrier]}.
bool PtxLowering::lowerBulkCopy() {
  if (has("commit_group") || has("wait_group") || has("prefetch"))
    return !has("tensor");
  if (has("tensor") || has("multicast::cluster") || has("cp_mask"))
    return false;
  auto Bulk = find(I->Modifiers, "bulk");
  if (I->Modifiers.end() - Bulk < 3)
    return false;
  Value *To = memoryOperand(0, isSharedSpace(Bulk[1]));
  Value *From = memoryOperand(1, isSharedSpace(Bulk[2]));
  Value *Bytes = operandBits(2, B.getInt32Ty());
  Value *Barrier = isSharedSpace(Bulk[1])
                       ? memoryOperand(3, true)
                       : ConstantPointerNull::get(B.getPtrTy());
  if (!To || !From || !Bytes || !Barrier)
    return false;
  std::string Name = "cp_async_bulk";
  if (has("reduce")) {
    Name += "_reduce";
    for (const char *Operation :
         {"add", "min", "max", "inc", "dec", "and", "or", "xor"})
      if (has(Operation))
        Name += std::string("_") + Operation;
    Name += "_" + I->Modifiers.back();
  }
  return callRuntime(B, IntrinsicPrefix + Name, {To, From, Bytes, Barrier});
}

/// mbarrier.verb{...} {state,} [barrier]{, count | bytes | state | parity}.
bool PtxLowering::lowerBarrierObject() {
  if (I->Modifiers.empty())
    return false;
  StringRef Verb = I->Modifiers[0];
  if (Verb == "pending_count")
    return runtimeResult("mbarrier_pending_count",
                         {operandBits(1, B.getInt64Ty())});
  bool HasResult = Verb.starts_with("arrive") || Verb.ends_with("_wait");
  // An arrival in another block of the cluster has no state to give.
  unsigned At =
      HasResult && count() && I->Operands[0].Kind != PtxOperand::Memory;
  Value *Barrier = address(At);
  if (!Barrier)
    return false;
  std::string Name = ("mbarrier_" + Verb).str();
  SmallVector<Value *> Arguments{Barrier};
  if (Verb == "try_wait")
    Name = "mbarrier_test_wait";
  if (has("parity"))
    Name += "_parity";
  if (has("expect_tx") && HasResult)
    Name += "_expect_tx";
  else if (Verb.starts_with("arrive") && count() > At + 1)
    Name += "_count";
  if (count() > At + 1)
    Arguments.push_back(operandBits(
        At + 1, Verb.ends_with("_wait") && !has("parity") ? B.getInt64Ty()
                                                          : B.getInt32Ty()));
  if (is_contained(Arguments, nullptr))
    return false;
  Value *V = callRuntime(B, IntrinsicPrefix + Name, Arguments);
  if (!V || !At)
    return V;
  return result(Verb.ends_with("_wait") ? convertBits(B, V, B.getInt1Ty()) : V,
                PtxType());
}

/// mapa d, a, rank: what a is in another block of the cluster; getctarank d, a.
bool PtxLowering::lowerClusterAddress() {
  bool IsShared = has("shared::cluster");
  Value *Address = operandBits(1, B.getInt64Ty());
  if (!Address)
    return false;
  Address = IsShared ? completeShared(Address)
                     : B.CreateIntToPtr(Address, B.getPtrTy());
  if (I->Opcode == "getctarank")
    return runtimeResult("getctarank", {Address});
  return runtimeResult("mapa", {Address, operandBits(2, B.getInt32Ty())});
}

} // namespace ct
