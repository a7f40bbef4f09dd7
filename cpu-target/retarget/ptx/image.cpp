/* SPDX-License-Identifier: Apache-2.0 */
/* PTX fetches from textures, loads and stores of surfaces. */
#include "cpu-target/runtime/memory/image.h"
#include "cpu-target/retarget/calls/matrix.h"
#include "cpu-target/retarget/ptx/ptx.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ct {

static std::optional<uint32_t> shapeOf(const PtxInstruction &I) {
  for (StringRef Word : I.Modifiers)
    if (auto Shape = StringSwitch<std::optional<uint32_t>>(Word)
                         .Case("1d", CT_SHAPE_1D)
                         .Case("2d", CT_SHAPE_2D)
                         .Case("3d", CT_SHAPE_3D)
                         .Case("a1d", CT_SHAPE_A1D)
                         .Case("a2d", CT_SHAPE_A2D)
                         .Case("cube", CT_SHAPE_CUBE)
                         .Case("acube", CT_SHAPE_ACUBE)
                         .Default(std::nullopt))
      return Shape;
  return std::nullopt;
}

/// Registers in a shape's coordinates, of which a fourth may mean nothing.
static unsigned coordinatesOf(uint32_t Shape) {
  constexpr unsigned Count[] = {1, 2, 3, 2, 3, 3, 4};
  return Count[Shape];
}

/// The handle and the coordinates, in memory, of [handle, {x, y}].
bool PtxLowering::imageOperand(unsigned Index, uint32_t Shape, Value *&Handle,
                               Value *&Coordinates) {
  if (Index >= count() || I->Operands[Index].Kind != PtxOperand::Memory)
    return false;
  std::vector<PtxOperand> Within = ptxWithin(I->Operands[Index]);
  if (Within.size() != 2) // a sampler of its own has no handle here
    return false;
  std::vector<std::string> Names = Within[1].elements();
  if (Names.size() < coordinatesOf(Shape))
    return false;
  SmallVector<Value *> Registers;
  for (unsigned N = 0; N < coordinatesOf(Shape); ++N)
    Registers.push_back(readBits(Names[N], B.getInt32Ty()));
  Handle = readBits(Within[0].Text, B.getPtrTy());
  Coordinates = packRegisters(B, Registers);
  return Handle && Coordinates;
}

/// tex.shape.v4.type.ctype d, [t, c]{, level or gradients}; a texture has one
/// level. tld4.component.2d.v4.type.f32 d, [t, c].
bool PtxLowering::lowerTexture() {
  std::optional<uint32_t> Shape = shapeOf(*I);
  Value *Handle, *Coordinates;
  bool IsGather = I->Opcode == "tld4";
  if (!Shape || !has("v4") || Target.Bits != 32 ||
      I->Operands[0].Parts.size() != 4 || !I->Operands[0].Second.empty() ||
      !imageOperand(1, *Shape, Handle, Coordinates))
    return false;
  bool IsIndex = Type.isSigned();
  if (IsIndex && *Shape != CT_SHAPE_1D)
    return false;
  uint32_t How = IsIndex;
  if (IsGather)
    How = has("r") ? 0 : has("g") ? 1 : has("b") ? 2 : 3;
  Value *Memory = newRegisters(B, 4);
  return callRuntime(B, RuntimePrefix + (IsGather ? "gather" : "texture"),
                     {Handle, B.getInt32(*Shape), B.getInt32(How), Coordinates,
                      Memory}) &&
         writeFragment(Memory, 32);
}

/// suld.b.shape{.v2}.b32.clamp d, [s, c]; sust.b.shape{.v2}.b32.clamp [s, c],
/// a.
bool PtxLowering::lowerSurface() {
  bool IsLoad = I->Opcode == "suld";
  std::optional<uint32_t> Shape = shapeOf(*I);
  Value *Handle, *Coordinates;
  if (!Shape || *Shape >= CT_SHAPE_CUBE || !has("b") || !Type ||
      !imageOperand(IsLoad, *Shape, Handle, Coordinates))
    return false;
  uint32_t Boundary = has("zero")    ? CT_BOUNDARY_ZERO
                      : has("clamp") ? CT_BOUNDARY_CLAMP
                                     : CT_BOUNDARY_TRAP;
  unsigned Count = I->Operands[!IsLoad].elements().size();
  Value *Access =
      packRegisters(B, {B.getInt32(*Shape), B.getInt32(Boundary),
                        B.getInt32(Type.Bits / 8), B.getInt32(Count)});
  Value *Memory = IsLoad ? newRegisters(B, 2 * Count) : fragment(1, 64);
  if (!Memory ||
      !callRuntime(B,
                   RuntimePrefix + (IsLoad ? "surface_read" : "surface_write"),
                   {Handle, Access, Coordinates, Memory}))
    return false;
  return !IsLoad || writeFragment(Memory, 64);
}

} // namespace ct
