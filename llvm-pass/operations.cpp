/* SPDX-License-Identifier: Apache-2.0 */
/* What instructions, intrinsics and inline assembly do to memory. */
#include "operations.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

ct::Operation ct::atomicOperation(AtomicRMWInst::BinOp Op) {
  switch (Op) {
  case AtomicRMWInst::Xchg:
    return OP_ATOMIC_EXCH;
  case AtomicRMWInst::Add:
  case AtomicRMWInst::FAdd:
    return OP_ATOMIC_ADD;
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::FSub:
    return OP_ATOMIC_SUB;
  case AtomicRMWInst::And:
    return OP_ATOMIC_AND;
  case AtomicRMWInst::Or:
    return OP_ATOMIC_OR;
  case AtomicRMWInst::Xor:
    return OP_ATOMIC_XOR;
  case AtomicRMWInst::Nand:
    return OP_ATOMIC_NAND;
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::FMax:
    return OP_ATOMIC_MAX;
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FMin:
    return OP_ATOMIC_MIN;
  case AtomicRMWInst::UIncWrap:
    return OP_ATOMIC_INC;
  case AtomicRMWInst::UDecWrap:
    return OP_ATOMIC_DEC;
  default:
    return OP_ATOMIC_OTHER;
  }
}

ct::Operation ct::atomicOperation(StringRef Word) {
  return StringSwitch<Operation>(Word)
      .Case("add", ct::OP_ATOMIC_ADD)
      .Case("inc", ct::OP_ATOMIC_INC)
      .Case("dec", ct::OP_ATOMIC_DEC)
      .Case("exch", ct::OP_ATOMIC_EXCH)
      .Case("and", ct::OP_ATOMIC_AND)
      .Case("or", ct::OP_ATOMIC_OR)
      .Case("xor", ct::OP_ATOMIC_XOR)
      .Case("max", ct::OP_ATOMIC_MAX)
      .Case("min", ct::OP_ATOMIC_MIN)
      .Case("cas", ct::OP_ATOMIC_CAS)
      .Default(ct::OP_ATOMIC_OTHER);
}

/// llvm.nvvm.atomic.[load.]<operation>.…
static ct::Operation nvvmAtomicOperation(StringRef Name) {
  Name.consume_front("llvm.nvvm.atomic.");
  Name.consume_front("load.");
  return ct::atomicOperation(Name.split('.').first);
}

/// Intrinsics that take pointers or touch memory without accessing data that
/// a program could observe in global memory.
static bool isHarmless(const IntrinsicInst &Call, StringRef Name) {
  if (Call.isAssumeLikeIntrinsic() || !Call.mayReadOrWriteMemory() ||
      Call.onlyAccessesInaccessibleMemory())
    return !Name.starts_with("llvm.nvvm.tex.") && !Name.starts_with("llvm.nvvm.tld4.");
  static const char *const Prefixes[] = {
      "llvm.prefetch",          "llvm.nvvm.prefetch",    "llvm.nvvm.mbarrier", "llvm.nvvm.barrier",
      "llvm.nvvm.bar.",         "llvm.nvvm.membar",      "llvm.nvvm.fence",    "llvm.nvvm.ldmatrix",
      "llvm.nvvm.stmatrix",     "llvm.stack",            "llvm.va_",           "llvm.nvvm.cp.async.commit",
      "llvm.nvvm.cp.async.wait", "llvm.nvvm.cp.async.mbarrier"};
  return any_of(Prefixes, [&](const char *Prefix) { return Name.starts_with(Prefix); });
}

static std::string sizeText(Value *Length) {
  if (auto *Constant = dyn_cast<ConstantInt>(Length))
    return " of " + std::to_string(Constant->getZExtValue()) + " bytes";
  return "";
}

static void describeBlockOperation(MemIntrinsic &Call, ct::IntrinsicAccess &Access) {
  bool Set = isa<MemSetInst>(Call);
  Access.Op = Set ? ct::OP_STORE : ct::OP_COPY;
  Access.Reason = (Set ? "memset" : isa<MemMoveInst>(Call) ? "memmove" : "memcpy") +
                  sizeText(Call.getLength()) + " is not one access";
}

bool ct::describeIntrinsic(IntrinsicInst &Call, IntrinsicAccess &Access) {
  StringRef Name = Call.getCalledFunction()->getName();

  if (isHarmless(Call, Name))
    return false;
  if (Name.starts_with("llvm.nvvm.ldu.global.") || Name.starts_with("llvm.nvvm.ldg.global.")) {
    Access = {OP_LOAD, Call.getArgOperand(0), Call.getType(), ""};
    return true;
  }
  if (Name.starts_with("llvm.nvvm.atomic.")) {
    Access = {nvvmAtomicOperation(Name), Call.getArgOperand(0), Call.getType(), ""};
    return true;
  }
  if (auto *Block = dyn_cast<MemIntrinsic>(&Call)) {
    describeBlockOperation(*Block, Access);
    return true;
  }
  bool HasPointer = any_of(Call.args(), [](const Use &A) { return A->getType()->isPtrOrPtrVectorTy(); });
  if (!HasPointer && !Name.contains(".tex.") && !Name.contains(".tld4.") &&
      !Name.contains(".suld.") && !Name.contains(".sust."))
    return false;
  Access.Reason = (Name + " is not instrumented").str();
  return true;
}
