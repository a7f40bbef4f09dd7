/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomics in inline PTX. */
#include "llvm-pass/sites/ptx_sites.h"
#include "llvm-pass/sites/values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

using namespace llvm;

/// The type that the words of an opcode name: v4, f32 of ld.global.v4.f32.
static Type *accessedType(LLVMContext &C, ArrayRef<std::string> Words) {
  Type *Scalar = nullptr;
  unsigned Length = 1, Bits;
  for (StringRef Word : Words) {
    if (Word == "v2" || Word == "v4" || Word == "v8") {
      Length *= Word[1] - '0';
      continue;
    }
    StringRef Name = Word;
    bool Pair = Name.consume_back("x2");
    unsigned Packed = Pair ? 2 : Name.consume_back("x4") ? 4 : 1;
    Type *Found = Name == "bf16"                     ? Type::getBFloatTy(C)
                  : Name == "f16"                    ? Type::getHalfTy(C)
                  : Name == "f32"                    ? Type::getFloatTy(C)
                  : Name == "f64"                    ? Type::getDoubleTy(C)
                  : Name == "e4m3" || Name == "e5m2" ? Type::getInt8Ty(C)
                                                     : nullptr;
    if (!Found &&
        (Name.starts_with("b") || Name.starts_with("u") ||
         Name.starts_with("s")) &&
        !Name.drop_front().getAsInteger(10, Bits) && isPowerOf2_32(Bits) &&
        Bits >= 8 && Bits <= 128)
      Found = Type::getIntNTy(C, Bits);
    if (!Found)
      continue;
    Scalar = Found;
    Length *= Packed;
  }
  return Scalar && Length > 1 ? FixedVectorType::get(Scalar, Length) : Scalar;
}

std::optional<ct::SiteValue>
ct::AsmSites::registers(uint8_t Part, const ct::PtxOperand &Operand,
                        uint32_t Bytes, bool Result) {
  ct::SiteValue Value;
  Value.Part = Part;
  for (const std::string &Name : Operand.elements()) {
    std::optional<ct::SiteValue::Element> E =
        Result ? State.destination(Name, Number) : State.source(Name, Number);
    if (!E)
      return std::nullopt;
    Value.Elements.push_back(*E);
  }
  Value.Bits = Value.Elements.empty() ? 0 : Bytes * 8 / Value.Elements.size();
  if (!Value.Bits)
    return std::nullopt;
  return Value;
}

void ct::AsmSites::addValue(ct::Site &Site, uint8_t Part,
                            const ct::PtxInstruction &I, size_t Operand,
                            bool Result) {
  if (Operand >= I.Operands.size())
    return;
  if (auto Value = registers(Part, I.Operands[Operand], Site.Bytes, Result))
    Site.Values.push_back(std::move(*Value));
}

/// True if memory may be otherwise afterwards.
static bool mayWrite(const ct::PtxInstruction &I) {
  return I.hasAddress() && I.Opcode != "ld" && I.Opcode != "ldu" &&
         I.Opcode != "prefetch" && I.Opcode != "prefetchu";
}

void ct::AsmSites::addMemoryValue(ct::Site &Site, bool Load) {
  ArrayRef<ct::PtxInstruction> All = Program.Instructions;
  ArrayRef<ct::PtxInstruction> Between =
      Load ? All.take_front(Number) : All.drop_front(Number + 1);
  // Addresses in other spaces are offsets there.
  bool Readable = Site.Space == CT_SPACE_GLOBAL || !Site.InSpace;
  if (!Readable || Site.Index || any_of(Between, mayWrite))
    return;
  Site.Values.push_back(ct::memoryValue(Site.Pointer, Site.Offset));
  Site.Values.back().IsAfter = !Load;
}

void ct::AsmSites::addValues(ct::Site &Site, const ct::PtxInstruction &I,
                             bool Load, bool HasResult, bool Swap) {
  if (Load) {
    addValue(Site, CT_PART_VALUE, I, 0, true);
    if (Site.Values.empty())
      addMemoryValue(Site, true);
    return;
  }
  size_t First = HasResult ? 2 : 1;
  addValue(Site, CT_PART_VALUE, I, Swap ? First + 1 : First, false);
  if (Swap)
    addValue(Site, CT_PART_COMPARE, I, First, false);
  if (HasResult)
    addValue(Site, CT_PART_RETURNED, I, 0, true);
  if (Site.Values.empty() && I.Opcode == "st")
    addMemoryValue(Site, false);
}

/// Loads and stores that other threads may wait for.
static bool mayOrder(const ct::PtxInstruction &I) {
  for (StringRef Word : {"volatile", "relaxed", "acquire", "release", "mmio"})
    if (I.has(Word))
      return true;
  return false;
}

bool ct::AsmSites::addAccess(const ct::PtxInstruction &I) {
  StringRef Op = I.Opcode;
  bool Multi = Op == "multimem";
  if (Multi && !I.Modifiers.empty())
    Op = StringRef(I.Modifiers[0]).take_until([](char C) { return C == '_'; });
  bool Atomic = Op == "atom" || Op == "red", Load = Op == "ld" || Op == "ldu";
  bool HasResult = Load || Op == "atom";
  Type *Accessed = accessedType(Call.getContext(), I.Modifiers);
  if (I.hasScoped("param"))
    return true;
  if (!Accessed || I.Operands.size() < 2)
    return false;
  ct::Operation Kind = Load ? ct::OP_LOAD : ct::OP_STORE;
  for (const std::string &Modifier : I.Modifiers)
    if (Atomic && (Kind < ct::OP_ATOMIC_ADD || Kind == ct::OP_ATOMIC_OTHER))
      Kind = ct::atomicOperation(Modifier);
  ct::Site Site = ct::accessSite(Call, Kind, nullptr, Accessed);
  if (!setAddress(Site, I.Operands[HasResult],
                  Multi ? uint8_t(CT_SPACE_GLOBAL) : namedSpace(I)))
    return false;
  Site.Flags = !Atomic && mayOrder(I) ? CT_SITE_VOLATILE : 0;
  bool Unused = Op == "red" || Call.use_empty();
  if (Atomic && Unused)
    Site.Flags |= ct::canReduce(Kind) ? CT_SITE_REDUCTION : CT_SITE_UNUSED;
  addValues(Site, I, Load, HasResult, Kind == ct::OP_ATOMIC_CAS);
  Out.push_back(std::move(Site));
  return true;
}

/// Registers side by side, each as wide as it is.
static bool setBits(ct::SiteValue &Value) {
  const ct::SiteValue::Element &First = Value.Elements.front();
  Type *T = First.V->getType();
  if (auto *Struct = dyn_cast<StructType>(T))
    T = Struct->getElementType(First.Field < 0 ? 0 : First.Field);
  Value.Bits = T->getPrimitiveSizeInBits();
  return Value.Bits && Value.Bits * Value.Elements.size() <= 128;
}

bool ct::AsmSites::addFetchedValues(ct::Site &Site, const ct::PtxInstruction &I,
                                    size_t Image) {
  std::vector<PtxOperand> Within = ptxWithin(I.Operands[Image]);
  if (Within.size() < 2)
    return false;
  const PtxOperand &Coordinates = Within.back();
  auto Place = registers(CT_PART_COORDINATES, Coordinates,
                         uint32_t(4 * Coordinates.elements().size()), false);
  auto Handle = registers(CT_PART_IMAGE, Within.front(), 8, false);
  auto Moved = registers(CT_PART_VALUE, I.Operands[!Image], 4, Image == 1);
  if (!Place || !Handle || Place->Elements.size() > 4)
    return false;
  Site.Values.push_back(std::move(*Place));
  Site.Values.push_back(std::move(*Handle));
  if (Moved && setBits(*Moved))
    Site.Values.push_back(std::move(*Moved));
  return true;
}

bool ct::AsmSites::addFetch(ct::Operation Op, const ct::PtxInstruction &I) {
  size_t Image = Op == OP_SURFACE_STORE ? 0 : 1;
  addEvent(Op, I);
  ct::Site &Site = Out.back();
  // That of the coordinates comes last.
  ArrayRef<std::string> Words = I.Modifiers;
  if (Op == OP_TEXTURE_LOAD && !Words.empty())
    Words = Words.drop_back();
  Site.Accessed = accessedType(Call.getContext(), Words);
  if (I.Operands.size() < 2 || I.Operands[Image].Kind != PtxOperand::Memory ||
      !addFetchedValues(Site, I, Image))
    Site.Values.clear();
  return true;
}
