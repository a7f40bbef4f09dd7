/* SPDX-License-Identifier: Apache-2.0 */
/* The values that accesses move, and the hooks that record them. */
#include "llvm-pass/sites/values.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <cudatrace/record.h>
#include <cudatrace/summary.h>
#include <cudatrace/unit.h>

using namespace llvm;

static constexpr uint32_t PartsPerRole = CT_PART_COMPARE - CT_PART_VALUE;

ct::SiteValue ct::wholeValue(uint8_t Part, Value *V, int Field) {
  SiteValue Value;
  Value.Part = Part;
  Value.Elements.push_back({V, Field});
  return Value;
}

ct::SiteValue ct::memoryValue(Value *Pointer, int64_t Offset) {
  SiteValue Value;
  Value.Where = SiteValue::Memory;
  Value.From = Pointer;
  Value.Offset = Offset;
  return Value;
}

ct::SiteValue ct::ownContent() { return memoryValue(nullptr, 0); }

std::vector<ct::SiteValue> ct::atomicValues(Instruction &I) {
  if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return {wholeValue(CT_PART_VALUE, Atomic->getValOperand()),
            wholeValue(CT_PART_RETURNED, &I)};
  auto &Swap = cast<AtomicCmpXchgInst>(I);
  return {wholeValue(CT_PART_VALUE, Swap.getNewValOperand()),
          wholeValue(CT_PART_COMPARE, Swap.getCompareOperand()),
          wholeValue(CT_PART_RETURNED, &I, 0)};
}

static Type *elementType(const ct::SiteValue::Element &E) {
  Type *T = E.V->getType();
  if (E.Field < 0)
    return T;
  return T->isVectorTy() ? T->getScalarType()
                         : cast<StructType>(T)->getElementType(E.Field);
}

static bool isPlain(Type *T) {
  return (T->getScalarType()->isIntegerTy() ||
          T->getScalarType()->isFloatingPointTy() || T->isPtrOrPtrVectorTy()) &&
         !isa<ScalableVectorType>(T);
}

bool ct::hasValues(const Site &S) {
  if (S.How != Form::Access)
    return !S.Values.empty();
  if (S.Values.empty() || !S.Bytes || !isPlain(S.Accessed) ||
      S.Bytes > PartsPerRole * CT_VALUE_BYTES_MAX)
    return false;
  return all_of(S.Values, [](const SiteValue &Value) {
    return all_of(Value.Elements, [](const SiteValue::Element &E) {
      return isPlain(elementType(E));
    });
  });
}

bool ct::needsResult(const Site &S) {
  // How fragments are spread over lanes is not said anywhere.
  if (S.How == Form::Tile)
    return S.Operation == OP_MATRIX_STORE && !S.Values.empty();
  return any_of(S.Values, [&](const SiteValue &Value) {
    return Value.IsAfter ||
           any_of(Value.Elements,
                  [&](const SiteValue::Element &E) { return E.V == S.Inst; });
  });
}

namespace {

/// Turns the values of one site into 64-bit words.
class ValueWords {
public:
  ValueWords(ct::HookBuilder &B, const ct::Site &S,
             const ValueToValueMapTy &Map)
      : B(B), S(S), Map(Map), DL(S.Inst->getModule()->getDataLayout()) {}

  SmallVector<Value *, 8> words(const ct::SiteValue &V) {
    if (V.Where == ct::SiteValue::Splat)
      return splat(V);
    if (V.Where == ct::SiteValue::Memory)
      return split(load(V));
    if (!V.Bits)
      return split(element(V.Elements.front()));
    return pack(V);
  }

  Value *load(const ct::SiteValue &V) {
    Value *Address = mapped(V.From);
    if (!Address->getType()->isPointerTy())
      Address = B.CreateIntToPtr(
          Address, B.getPtrTy(S.Space == CT_SPACE_GLOBAL ? 1 : 0));
    if (V.Offset)
      Address = B.CreatePtrAdd(Address, B.getInt64(V.Offset));
    return B.CreateAlignedLoad(S.Accessed, Address,
                               Align(1ull << Log2_32(S.Bytes)));
  }

private:
  ct::HookBuilder &B;
  const ct::Site &S;
  const ValueToValueMapTy &Map;
  const DataLayout &DL;

  Value *mapped(Value *V) const {
    Value *Own = Map.lookup(V);
    return Own ? Own : V;
  }

  Value *element(const ct::SiteValue::Element &E) {
    Value *V = mapped(E.V);
    if (E.Field < 0)
      return V;
    if (V->getType()->isVectorTy())
      return B.CreateExtractElement(V, E.Field);
    return B.CreateExtractValue(V, E.Field);
  }

  Value *integer(Value *V) {
    Type *T = V->getType();
    if (T->isPtrOrPtrVectorTy())
      V = B.CreatePtrToInt(V, DL.getIntPtrType(T));
    return B.CreateBitCast(
        V, B.getIntNTy(DL.getTypeSizeInBits(V->getType()).getFixedValue()));
  }

  /// Any value, lowest bits first.
  SmallVector<Value *, 8> split(Value *V) {
    uint64_t Bits = DL.getTypeSizeInBits(V->getType()).getFixedValue();
    SmallVector<Value *, 8> Words;
    if (V->getType()->isVectorTy() && !V->getType()->isPtrOrPtrVectorTy() &&
        Bits % 64 == 0) {
      V = B.CreateBitCast(V, FixedVectorType::get(B.getInt64Ty(), Bits / 64));
      for (unsigned I = 0; I < Bits / 64; I++)
        Words.push_back(B.CreateExtractElement(V, I));
      return Words;
    }
    V = integer(V);
    uint64_t Padded = alignTo(Bits, 64);
    V = B.CreateZExt(V, B.getIntNTy(Padded));
    for (uint64_t Shift = 0; Shift < Padded; Shift += 64)
      Words.push_back(
          B.CreateTrunc(Shift ? B.CreateLShr(V, Shift) : V, B.getInt64Ty()));
    return Words;
  }

  /// The low bits of each element, side by side.
  SmallVector<Value *, 8> pack(const ct::SiteValue &V) {
    SmallVector<Value *, 8> Words(divideCeil(V.Bits * V.Elements.size(), 64),
                                  nullptr);
    uint64_t Position = 0;
    for (const ct::SiteValue::Element &E : V.Elements) {
      Value *Bits = integer(element(E));
      Bits = B.CreateZExtOrTrunc(Bits, B.getIntNTy(V.Bits));
      for (Value *Word : split(Bits)) {
        if (Position % 64)
          Word = B.CreateShl(Word, Position % 64);
        Value *&Target = Words[Position / 64];
        Target = Target ? B.CreateOr(Target, Word) : Word;
        Position += std::min(V.Bits, 64u);
      }
    }
    return Words;
  }

  SmallVector<Value *, 8> splat(const ct::SiteValue &V) {
    Value *Byte = B.CreateZExt(mapped(V.From), B.getInt64Ty());
    Value *Word = B.CreateMul(Byte, B.getInt64(0x0101010101010101));
    if (S.Bytes < 8)
      Word = B.CreateAnd(Word, (1ull << (8 * S.Bytes)) - 1);
    return SmallVector<Value *, 8>(divideCeil(S.Bytes, 8), Word);
  }
};

} // namespace

/// The operand of an atomic is summarised as loaded values are.
static uint32_t effectOf(const ct::Site &S) {
  enum {
    LOAD = CT_ELEMENT_LOAD,
    STORE = CT_ELEMENT_STORE,
    ATOMIC = CT_ELEMENT_LOAD,
    EVENT = 0
  };
  switch (S.Operation) {
#define CT_OPERATION(id, name, text, group, memtrace)                          \
  case id:                                                                     \
    return group;
#include <cudatrace/operations.def>
#undef CT_OPERATION
  }
  return 0;
}

static uint32_t scalarOf(const Type *Scalar) {
  return Scalar->isIntegerTy()         ? CT_SCALAR_INTEGER
         : Scalar->isBFloatTy()        ? CT_SCALAR_BFLOAT
         : Scalar->isFloatingPointTy() ? CT_SCALAR_FLOAT
         : Scalar->isPointerTy()       ? CT_SCALAR_POINTER
                                       : CT_SCALAR_UNKNOWN;
}

/// Inline PTX says nothing of it.
static bool isAligned(const Instruction &I, uint32_t Bytes) {
  if (Bytes == 1 || isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    return true;
  return (isa<LoadInst>(I) || isa<StoreInst>(I)) &&
         getLoadStoreAlignment(&I).value() >= Bytes;
}

static uint32_t encodeElement(const ct::Site &S, uint32_t Scalar,
                              uint32_t Bytes, uint32_t Effect) {
  if (isAligned(*S.Inst, Bytes))
    Effect |= CT_ELEMENT_ALIGNED;
  return CT_ELEMENT(Scalar, Log2_32(Bytes), Effect);
}

/// An element is what docs/values.md says.
uint32_t ct::elementOf(const Site &S) {
  const DataLayout &DL = S.Inst->getModule()->getDataLayout();
  uint32_t Effect = effectOf(S);
  if (!Effect)
    return 0;
  if (S.Space == CT_SPACE_GLOBAL && S.Verdict == CT_VERDICT_GLOBAL)
    Effect |= CT_ELEMENT_GLOBAL;
  else if (S.Verdict != CT_VERDICT_GLOBAL && S.Checked == 1u << CT_SPACE_GLOBAL)
    Effect |= CT_ELEMENT_GLOBAL;
  Type *Scalar = S.Accessed->getScalarType();
  uint32_t Bytes = divideCeil(DL.getTypeSizeInBits(Scalar).getFixedValue(), 8);
  uint32_t Length = 1;
  if (auto *Vector = dyn_cast<FixedVectorType>(S.Accessed))
    Length = Vector->getNumElements();
  if (isPowerOf2_32(Bytes) && Bytes <= 8 && Bytes * Length == S.Bytes)
    return encodeElement(S, scalarOf(Scalar), Bytes, Effect);
  Bytes = std::min(S.Bytes & (0 - S.Bytes), 8u);
  return encodeElement(S, CT_SCALAR_UNKNOWN, Bytes, Effect);
}

Value *ct::wordOf(HookBuilder &B, const Site &S, const ValueToValueMapTy &Map) {
  return ValueWords(B, S, Map).words(S.Values.front()).front();
}

void ct::readAhead(HookBuilder &B, Site &S, const ValueToValueMapTy &Map) {
  auto IsAhead = [](const SiteValue &V) {
    return V.Where == SiteValue::Memory && !V.IsAfter;
  };
  if (S.How != Form::Access || none_of(S.Values, IsAhead))
    return;
  if (S.If.isNeeded())
    return S.Values.clear();
  for (SiteValue &V : make_filter_range(S.Values, IsAhead)) {
    V.Elements = {{ValueWords(B, S, Map).load(V), -1}};
    V.Where = SiteValue::Registers;
  }
}

void ct::recordEventValues(HookBuilder &B, const Hooks &H, const Site &S,
                           const ValueToValueMapTy &Map, Value *State,
                           Value *Index) {
  for (const SiteValue &V : S.Values) {
    SmallVector<Value *, 8> Words = ValueWords(B, S, Map).words(V);
    Words.resize(2, B.getInt64(0));
    B.callHook(H.__ct_value,
               {State, Index, B.getInt32(V.Part),
                B.getInt32(divideCeil(V.Bits * V.Elements.size(), 8)), Words[0],
                Words[1], B.getInt64(0), B.getInt32(0)});
  }
}

void ct::recordValues(HookBuilder &B, const Hooks &H, const Site &S,
                      const ValueToValueMapTy &Map, Value *State, Value *Index,
                      Value *Address, bool IsBehind) {
  if (S.Values.empty() || S.How != Form::Access)
    return;
  uint32_t Summarised = elementOf(S);
  if (IsBehind && (Summarised & CT_ELEMENT_STORE))
    Summarised &= ~CT_ELEMENT_GLOBAL;
  for (const SiteValue &V : S.Values) {
    Value *Element = B.getInt32(V.Part < CT_PART_COMPARE ? Summarised : 0);
    SmallVector<Value *, 8> Words = ValueWords(B, S, Map).words(V);
    Words.resize(alignTo(Words.size(), 2), B.getInt64(0));
    for (uint32_t I = 0, Done = 0; Done < S.Bytes;
         I++, Done += CT_VALUE_BYTES_MAX)
      B.callHook(H.__ct_value,
                 {State, Index, B.getInt32(V.Part + I),
                  B.getInt32(std::min(S.Bytes - Done, CT_VALUE_BYTES_MAX)),
                  Words[2 * I], Words[2 * I + 1],
                  Done ? B.CreateAdd(Address, B.getInt64(Done)) : Address,
                  Element});
  }
}
