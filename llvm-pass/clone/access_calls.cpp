/* SPDX-License-Identifier: Apache-2.0 */
/* Hook calls for single accesses of a clone. */
#include "llvm-pass/clone/access_calls.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cudatrace/unit.h>

using namespace llvm;

Value *ct::AccessCalls::condition(const Guard &If) {
  if (If.LaneLimit) {
    Value *Lane = B.CreateIntrinsic(B.getInt32Ty(),
                                    Intrinsic::nvvm_read_ptx_sreg_laneid, {});
    return B.CreateICmpULT(Lane, B.getInt32(If.LaneLimit));
  }
  Value *Left = F.inClone(If.Left);
  if (If.Element >= 0)
    Left = B.CreateExtractElement(Left, If.Element);
  Value *Right =
      If.Right ? F.inClone(If.Right) : Constant::getNullValue(Left->getType());
  return B.CreateICmp(If.Predicate, Left, Right);
}

Value *ct::AccessCalls::asInteger(Value *V) {
  V = F.inClone(V);
  return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, B.getInt64Ty())
                                     : B.CreateZExtOrTrunc(V, B.getInt64Ty());
}

Value *ct::AccessCalls::address(const Site &S) {
  Value *Address = asInteger(S.Pointer);
  if (S.Index)
    Address = B.CreateAdd(Address, asInteger(S.Index));
  if (S.Offset)
    Address = B.CreateAdd(Address, B.getInt64(S.Offset));
  return Address;
}

Value *ct::AccessCalls::access(const Site &S, uint64_t Number, bool Far,
                               Value *&Address) {
  Value *Index = B.getInt64(Number);
  Address = address(S);
  if (S.How == Form::Range && !S.Values.empty())
    return B.callHook(H.__ct_range_content,
                      {F.State, Index, Address, asInteger(S.Size),
                       content(S.Values.front(), Address)});
  if (S.How == Form::Range)
    return B.callHook(H.__ct_access_range,
                      {F.State, Index, Address, asInteger(S.Size)});
  if (S.How == Form::Tile)
    return tile(S, Index, Address);
  Value *Bytes = B.getInt32(S.Bytes);
  bool Definite = S.Verdict == CT_VERDICT_GLOBAL;
  if (!Definite && S.Checked == 1u << CT_SPACE_GLOBAL)
    return B.callHook(H.__ct_access_checked, {F.State, Index, Address, Bytes});
  if (!Definite || (S.Space != CT_SPACE_GLOBAL && !S.InSpace))
    return B.callHook(H.__ct_access_any,
                      {F.State, Index, Address, Bytes, B.getInt32(S.Checked)});
  if (S.Space == CT_SPACE_GLOBAL)
    B.callHook(Far ? H.__ct_access_far : H.__ct_access,
               {F.State, Index, Address, Bytes});
  else
    B.callHook(H.__ct_access_space,
               {F.State, Index, Address, Bytes, B.getInt32(S.Space)});
  return F.State;
}

Value *ct::AccessCalls::content(const SiteValue &V, Value *Range) {
  if (!V.From)
    return Range;
  Value *From = asInteger(V.From);
  if (V.Index)
    From = B.CreateAdd(From, asInteger(V.Index));
  if (V.Offset)
    From = B.CreateAdd(From, B.getInt64(V.Offset));
  if (!V.InShared)
    return From;
  // In PTX, as a shared address may have 32 bits only.
  auto *Type = FunctionType::get(B.getInt64Ty(), {B.getInt64Ty()}, false);
  return B.CreateCall(
      InlineAsm::get(Type, "cvta.shared.u64 $0, $1;", "=l,l", false), {From});
}

Value *ct::AccessCalls::tile(const Site &S, Value *Index, Value *Address) {
  Value *Stride = B.getInt64(S.RowBytes);
  if (S.Size)
    Stride = B.CreateLShr(
        B.CreateMul(asInteger(S.Size), B.getInt64(S.ElementBits)), 3);
  return B.callHook(S.Values.empty() ? H.__ct_access_tile : H.__ct_tile_content,
                    {F.State, Index, Address, B.getInt32(S.RowBytes),
                     B.getInt32(S.Rows), Stride});
}
