/* SPDX-License-Identifier: Apache-2.0 */
/* The memory operations (operations.def), by the words for them. */
#include "llvm-pass/base/operations.h"
#include "llvm/ADT/StringSwitch.h"

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

bool ct::canReduce(Operation Op) {
  switch (Op) {
  case OP_ATOMIC_ADD:
  case OP_ATOMIC_SUB:
  case OP_ATOMIC_MIN:
  case OP_ATOMIC_MAX:
  case OP_ATOMIC_INC:
  case OP_ATOMIC_DEC:
  case OP_ATOMIC_AND:
  case OP_ATOMIC_OR:
  case OP_ATOMIC_XOR:
    return true;
  default:
    return false;
  }
}
