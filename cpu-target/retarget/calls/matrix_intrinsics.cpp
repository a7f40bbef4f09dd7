/* SPDX-License-Identifier: Apache-2.0 */
/* llvm.nvvm.mma, wmma, ldmatrix and stmatrix. */
#include "cpu-target/retarget/calls/matrix.h"

using namespace llvm;

namespace ct {

namespace {

class MatrixIntrinsic {
public:
  MatrixIntrinsic(IRBuilderBase &B, CallInst &Call, StringRef Text)
      : B(B), A(Call.args()), T(Call.getType()) {
    Text.split(Words, '.');
  }
  Value *lower();

private:
  Value *lowerMma(bool IsWmma);
  Value *lowerLoad();
  Value *lowerStore();
  Value *lowerTiles(bool IsLoad);
  Value *result(Value *Memory);
  Value *nextFragment(size_t &Next, unsigned WordCount);

  IRBuilderBase &B;
  SmallVector<Value *> A;
  Type *T;
  SmallVector<StringRef, 8> Words;
};

Value *MatrixIntrinsic::result(Value *Memory) {
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct)
    return unpackRegisters(B, Memory, {T})[0];
  Value *Result = PoisonValue::get(Struct);
  unsigned Index = 0;
  for (Value *V : unpackRegisters(B, Memory, Struct->elements()))
    Result = B.CreateInsertValue(Result, V, Index++);
  return Result;
}

/// As many arguments as fill so many words.
Value *MatrixIntrinsic::nextFragment(size_t &Next, unsigned WordCount) {
  SmallVector<Value *> Registers;
  for (unsigned Bits = 0; Bits < 32 * WordCount && Next < A.size(); ++Next) {
    Registers.push_back(A[Next]);
    Bits +=
        std::max<unsigned>(32, A[Next]->getType()->getPrimitiveSizeInBits());
  }
  return packRegisters(B, Registers);
}

Value *MatrixIntrinsic::lowerMma(bool IsWmma) {
  ct_cpu_mma Mma;
  if (!describeMma(Words, IsWmma, Mma))
    return nullptr;
  size_t Next = 0;
  Value *FirstFragment = nextFragment(Next, Mma.a_words);
  Value *Second = nextFragment(Next, Mma.b_words);
  Value *Third = nextFragment(Next, Mma.c_words);
  return result(emitMma(B, Mma, FirstFragment, Second, Third));
}

Value *MatrixIntrinsic::lowerLoad() {
  MatrixTile Tile;
  if (!describeTile(Words, Tile))
    return nullptr;
  Value *Stride = A.size() > 1 ? A[1] : B.getInt32(Tile.Stride);
  return result(emitTileLoad(B, Tile, A[0], Stride));
}

/// (address, registers..., stride)
Value *MatrixIntrinsic::lowerStore() {
  MatrixTile Tile;
  if (!describeTile(Words, Tile))
    return nullptr;
  bool HasStride = is_contained(Words, "stride");
  Value *Stride = HasStride ? A.back() : B.getInt32(Tile.Stride);
  Value *Memory =
      packRegisters(B, ArrayRef(A).drop_front().drop_back(HasStride ? 1 : 0));
  emitTileStore(B, Tile, A[0], Stride, Memory);
  return A[0];
}

Value *MatrixIntrinsic::lowerTiles(bool IsLoad) {
  unsigned Count = countTiles(Words);
  if (!Count)
    return nullptr;
  Value *Transposed = B.getInt32(is_contained(Words, "trans"));
  if (!IsLoad)
    return callRuntime(B, RuntimePrefix + "stmatrix",
                       {B.getInt32(Count), Transposed, A[0],
                        packRegisters(B, ArrayRef(A).drop_front())});
  Value *Memory = newRegisters(B, Count);
  callRuntime(B, RuntimePrefix + "ldmatrix",
              {B.getInt32(Count), Transposed, A[0], Memory});
  return result(Memory);
}

Value *MatrixIntrinsic::lower() {
  StringRef First = Words[0];
  if (First == "mma")
    return lowerMma(false);
  if (First == "ldmatrix" || First == "stmatrix")
    return lowerTiles(First[0] == 'l');
  if (First != "wmma" || Words.size() < 3)
    return nullptr;
  return Words[2] == "load"    ? lowerLoad()
         : Words[2] == "store" ? lowerStore()
                               : lowerMma(true);
}

} // namespace

Value *lowerMatrixIntrinsic(IRBuilderBase &B, CallInst &Call, StringRef Text) {
  return MatrixIntrinsic(B, Call, Text).lower();
}

} // namespace ct
