/* SPDX-License-Identifier: Apache-2.0 */
/* PTX matrix operations: mma, wmma, ldmatrix, stmatrix, movmatrix. */
#include "cpu-target/retarget/calls/matrix.h"
#include "cpu-target/retarget/ptx/ptx.h"

using namespace llvm;

namespace ct {

SmallVector<StringRef> PtxLowering::words() const {
  SmallVector<StringRef> Words(I->Modifiers.begin(), I->Modifiers.end());
  return Words;
}

/// The registers of operand Index in memory.
Value *PtxLowering::fragment(unsigned Index, unsigned Bits) {
  if (Index >= count())
    return nullptr;
  const PtxOperand &Operand = I->Operands[Index];
  SmallVector<Value *> Registers;
  if (Operand.Kind == PtxOperand::Name)
    Registers.push_back(readBits(Operand.Text, B.getIntNTy(Bits)));
  for (const std::string &Part : Operand.Parts)
    Registers.push_back(readBits(Part, B.getIntNTy(Bits)));
  return packRegisters(B, Registers);
}

bool PtxLowering::writeFragment(Value *Memory, unsigned Bits) {
  const PtxOperand &To = I->Operands[0];
  SmallVector<std::string> Names(To.Parts.begin(), To.Parts.end());
  if (To.Kind == PtxOperand::Name)
    Names.push_back(To.Text);
  if (!Memory)
    return false;
  SmallVector<llvm::Type *> Types(Names.size(), B.getIntNTy(Bits));
  unsigned Index = 0;
  for (Value *V : unpackRegisters(B, Memory, Types))
    write(Names[Index++], V);
  return true;
}

static unsigned registerBits(unsigned MatrixType) {
  return MatrixType == CT_MATRIX_F64 ? 64 : 32;
}

/// mma d, a, b, c and wmma.mma d, a, b, c.
bool PtxLowering::lowerMma() {
  ct_cpu_mma Mma;
  if (count() != 4 || !describeMma(words(), I->Opcode == "wmma", Mma))
    return false;
  Value *A = fragment(1, registerBits(Mma.a)),
        *Second = fragment(2, registerBits(Mma.b)),
        *C = fragment(3, registerBits(Mma.c));
  return A && Second && C &&
         writeFragment(emitMma(B, Mma, A, Second, C), registerBits(Mma.d));
}

/// wmma.load d, [p], stride; wmma.store [p], d, stride.
bool PtxLowering::lowerWmma() {
  if (has("mma"))
    return lowerMma();
  bool IsLoad = has("load");
  MatrixTile Tile;
  if (!describeTile(words(), Tile) || count() < 2)
    return false;
  Value *Address = address(IsLoad ? 1 : 0);
  Value *Stride =
      count() > 2 ? operandBits(2, B.getInt32Ty()) : B.getInt32(Tile.Stride);
  if (!Address || !Stride)
    return false;
  unsigned Bits = registerBits(Tile.Type);
  if (IsLoad)
    return writeFragment(emitTileLoad(B, Tile, Address, Stride), Bits);
  Value *Memory = fragment(1, Bits);
  if (!Memory)
    return false;
  emitTileStore(B, Tile, Address, Stride, Memory);
  return true;
}

/// ldmatrix {d...}, [row]; stmatrix [row], {a...}.
bool PtxLowering::lowerTiles() {
  bool IsLoad = I->Opcode == "ldmatrix";
  unsigned Count = countTiles(words());
  Value *Row = address(IsLoad ? 1 : 0);
  Value *Memory =
      IsLoad ? newRegisters(B, std::max(Count, 1u)) : fragment(1, 32);
  if (!Count || !Row || !Memory ||
      !callRuntime(B, RuntimePrefix + I->Opcode,
                   {B.getInt32(Count), B.getInt32(has("trans")), Row, Memory}))
    return false;
  return !IsLoad || writeFragment(Memory, 32);
}

bool PtxLowering::lowerMoveMatrix() {
  return has("b16") &&
         runtimeResult("movmatrix", {operandBits(1, B.getInt32Ty())});
}

} // namespace ct
