/* SPDX-License-Identifier: Apache-2.0 */
/* PTX barriers, warp operations and control. */
#include "cpu-target/retarget/ptx/ptx.h"
#include "cpu-target/retarget/thread/thread.h"
#include "cpu-target/runtime/exec/barrier.h"
#include "cpu-target/runtime/exec/thread.h"
#include "cpu-target/runtime/exec/warp.h"

using namespace llvm;

namespace ct {

bool PtxLowering::lowerWarpBarrier() {
  Value *Mask = operandBits(0, B.getInt32Ty());
  return Mask && callRuntime(B, IntrinsicPrefix + "bar_warp_sync", {Mask});
}

/// bar and barrier, .sync, .arrive and .red; the count is optional.
bool PtxLowering::lowerBarrier() {
  if (has("warp"))
    return lowerWarpBarrier();
  if (has("cluster"))
    return callRuntime(B,
                       IntrinsicPrefix + (has("arrive")
                                              ? "barrier_cluster_arrive"
                                              : "barrier_cluster_wait"),
                       {});
  llvm::Type *Word = B.getInt32Ty();
  unsigned First = has("red") ? 1 : 0;
  unsigned Rest = has("red") ? count() - 1 : count();
  Value *Id = Rest > First ? operandBits(First, Word) : B.getInt32(0);
  Value *Threads =
      Rest > First + 1 ? operandBits(First + 1, Word) : B.getInt32(0);
  if (!Id || !Threads)
    return false;
  if (has("arrive"))
    return callRuntime(B, "__ct_cpu_barrier_arrive", {Id, Threads});
  if (!has("red"))
    return callRuntime(B, "__ct_cpu_barrier",
                       {Id, Threads, B.getInt32(CT_RED_NONE), B.getInt32(0)});
  Value *Vote = predicate(count() - 1);
  uint32_t Reduction = has("and")  ? CT_RED_AND
                       : has("or") ? CT_RED_OR
                                   : CT_RED_POPC;
  if (!Vote)
    return false;
  return result(callRuntime(
      B, "__ct_cpu_barrier",
      {Id, Threads, B.getInt32(Reduction), B.CreateZExt(Vote, Word)}));
}

Value *PtxLowering::activemask() {
  static uint32_t Site = 1u << 31;
  return callRuntime(B, IntrinsicPrefix + "activemask", {B.getInt32(++Site)});
}

bool PtxLowering::lowerActivemask() { return result(activemask()); }

static Value *warpOp(IRBuilderBase &B, uint32_t Operation, Value *Mask,
                     Value *V, Value *X = nullptr, Value *Y = nullptr) {
  Value *Zero = B.getInt32(0);
  return callRuntime(
      B, "__ct_cpu_warp_op",
      {B.getInt32(Operation), Mask, V, X ? X : Zero, Y ? Y : Zero});
}

/// shfl.sync.mode.b32 d|p, a, b, c, mask; without .sync the active lanes.
bool PtxLowering::lowerShuffle() {
  llvm::Type *Word = B.getInt32Ty();
  uint32_t Operation = has("up")     ? CT_WARP_SHFL_UP
                       : has("down") ? CT_WARP_SHFL_DOWN
                       : has("bfly") ? CT_WARP_SHFL_BFLY
                                     : CT_WARP_SHFL_IDX;
  Value *V = operandBits(1, Word), *Lane = operandBits(2, Word),
        *Clamp = operandBits(3, Word);
  Value *Mask = has("sync") ? operandBits(4, Word) : activemask();
  if (!V || !Lane || !Clamp || !Mask)
    return false;
  V = warpOp(B, Operation, Mask, V, Lane, Clamp);
  const PtxOperand &To = I->Operands[0];
  if (!V || !write(To.Text, B.CreateTrunc(V, Word)))
    return false;
  if (To.Second.empty())
    return true;
  Value *InRange = loadThreadField(B, Word, offsetof(ct_cpu_thread, predicate));
  return write(To.Second, convertBits(B, InRange, B.getInt1Ty()));
}

bool PtxLowering::lowerVote() {
  uint32_t Operation = has("all")   ? CT_WARP_VOTE_ALL
                       : has("any") ? CT_WARP_VOTE_ANY
                       : has("uni") ? CT_WARP_VOTE_UNI
                                    : CT_WARP_VOTE_BALLOT;
  Value *Vote = predicate(1);
  Value *Mask = has("sync") ? operandBits(2, B.getInt32Ty()) : activemask();
  if (!Vote || !Mask)
    return false;
  Value *V = warpOp(B, Operation, Mask, Vote);
  llvm::Type *T = has("ballot") ? B.getInt32Ty() : B.getInt1Ty();
  return V && result(convertBits(B, V, T), PtxType());
}

bool PtxLowering::lowerMatch() {
  Value *V = operand(1), *Mask = operandBits(2, B.getInt32Ty());
  if (!V || !Mask)
    return false;
  V = warpOp(B, has("all") ? CT_WARP_MATCH_ALL : CT_WARP_MATCH_ANY, Mask, V);
  const PtxOperand &To = I->Operands[0];
  if (!V || !write(To.Text, B.CreateTrunc(V, B.getInt32Ty())))
    return false;
  if (To.Second.empty())
    return true;
  Value *Equal =
      loadThreadField(B, B.getInt32Ty(), offsetof(ct_cpu_thread, predicate));
  return write(To.Second, convertBits(B, Equal, B.getInt1Ty()));
}

bool PtxLowering::lowerRedux() {
  if (Type.isFloat())
    return runtimeResult(Twine("redux_sync_") + (has("min") ? "fmin" : "fmax") +
                             (has("abs") ? "_abs" : "") +
                             (has("NaN") ? "_NaN" : ""),
                         {operand(1), operandBits(2, B.getInt32Ty())});
  bool Signed = Type.isSigned();
  uint32_t Operation =
      has("add")   ? CT_WARP_RED_ADD
      : has("min") ? (Signed ? CT_WARP_RED_MIN : CT_WARP_RED_UMIN)
      : has("max") ? (Signed ? CT_WARP_RED_MAX : CT_WARP_RED_UMAX)
      : has("and") ? CT_WARP_RED_AND
      : has("or")  ? CT_WARP_RED_OR
                   : CT_WARP_RED_XOR;
  Value *V = operand(1), *Mask = operandBits(2, B.getInt32Ty());
  if (!V || !Mask)
    return false;
  V = warpOp(B, Operation, Mask, V);
  return V && result(B.CreateTrunc(V, B.getInt32Ty()));
}

/// elect.sync d|p, mask: the lowest lane of the mask is elected.
bool PtxLowering::lowerElect() {
  llvm::Type *Word = B.getInt32Ty();
  Value *Mask = operandBits(1, Word);
  if (!Mask || !callRuntime(B, IntrinsicPrefix + "bar_warp_sync", {Mask}))
    return false;
  Value *Leader = B.CreateBinaryIntrinsic(Intrinsic::cttz, Mask, B.getFalse());
  Value *Lane = readSpecialRegister(B, "laneid");
  const PtxOperand &To = I->Operands[0];
  return write(To.Text, Leader) &&
         (To.Second.empty() || write(To.Second, B.CreateICmpEQ(Lane, Leader)));
}

bool PtxLowering::lowerControl() {
  StringRef Opcode = I->Opcode;
  if (Opcode == "nanosleep") {
    Value *Time = operandBits(0, B.getInt32Ty());
    return Time && callRuntime(B, IntrinsicPrefix + "nanosleep", {Time});
  }
  if (Opcode == "trap")
    return callRuntime(B, IntrinsicPrefix + "trap", {});
  return Opcode == "exit" && callRuntime(B, IntrinsicPrefix + "exit", {});
}

} // namespace ct
