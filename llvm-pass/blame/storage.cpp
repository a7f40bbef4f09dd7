/* SPDX-License-Identifier: Apache-2.0 */
/* Storage that a function's source names. */
#include "llvm-pass/blame/storage.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace ct {

static bool isQualifier(unsigned Tag) {
  return Tag == dwarf::DW_TAG_typedef || Tag == dwarf::DW_TAG_const_type ||
         Tag == dwarf::DW_TAG_volatile_type ||
         Tag == dwarf::DW_TAG_restrict_type ||
         Tag == dwarf::DW_TAG_atomic_type || Tag == dwarf::DW_TAG_member;
}

static bool isPointer(unsigned Tag) {
  return Tag == dwarf::DW_TAG_pointer_type ||
         Tag == dwarf::DW_TAG_reference_type ||
         Tag == dwarf::DW_TAG_rvalue_reference_type;
}

const DIType *plainType(const DIType *Type) {
  while (auto *Derived = dyn_cast_or_null<DIDerivedType>(Type)) {
    if (!isQualifier(Derived->getTag()))
      break;
    Type = Derived->getBaseType();
  }
  return Type;
}

const DIType *pointeeType(const DIType *Type) {
  auto *Derived = dyn_cast_or_null<DIDerivedType>(plainType(Type));
  return Derived && isPointer(Derived->getTag()) ? Derived->getBaseType()
                                                 : nullptr;
}

static uint64_t bytesOf(const DIType *Type) {
  Type = plainType(Type);
  return Type ? Type->getSizeInBits() / 8 : 0;
}

static const DICompositeType *arrayType(const DIType *Type) {
  auto *Array = dyn_cast_or_null<DICompositeType>(plainType(Type));
  return Array && Array->getTag() == dwarf::DW_TAG_array_type ? Array : nullptr;
}

static std::string derivedText(const DIDerivedType &Type) {
  std::string Base = typeText(Type.getBaseType());
  if (Base.empty())
    Base = "void";
  switch (Type.getTag()) {
  case dwarf::DW_TAG_pointer_type:
    return Base + (Base.back() == '*' ? "*" : " *");
  case dwarf::DW_TAG_reference_type:
    return Base + " &";
  case dwarf::DW_TAG_rvalue_reference_type:
    return Base + " &&";
  case dwarf::DW_TAG_const_type:
    return Base.back() == '*' ? Base + "const" : "const " + Base;
  case dwarf::DW_TAG_volatile_type:
    return "volatile " + Base;
  case dwarf::DW_TAG_typedef:
    return Type.getName().str();
  default:
    return Base;
  }
}

std::string typeText(const DIType *Type) {
  if (!Type)
    return "";
  if (auto *Derived = dyn_cast<DIDerivedType>(Type))
    return derivedText(*Derived);
  const DICompositeType *Array = arrayType(Type);
  if (!Array)
    return Type->getName().empty() ? "(unnamed)" : Type->getName().str();
  std::string Text = typeText(Array->getBaseType());
  for (const DINode *Element : Array->getElements()) {
    auto *Range = dyn_cast<DISubrange>(Element);
    auto Count = Range ? Range->getCount() : DISubrange::BoundType();
    auto *Constant = dyn_cast_if_present<ConstantInt *>(Count);
    bool IsKnown = Constant && !Constant->isMinusOne();
    Text +=
        "[" + (IsKnown ? std::to_string(Constant->getZExtValue()) : "") + "]";
  }
  return Text;
}

Storage *Storages::variable(const Value *Root) {
  Storage *&Known = Variables[Root];
  if (!Known) {
    All.emplace_back();
    Known = &All.back();
    Known->Root = Root;
    Known->Outlives = Known->Arrives = isa<GlobalValue>(Root);
  }
  return Known;
}

const Storage *Storages::part(const Storage *Parent, Storage::KindOf Kind,
                              uint64_t Offset, uint64_t Bytes,
                              const DIType *Type, StringRef Name) {
  const Storage *&Known = Parts[{Parent, Kind, Offset, Bytes}];
  if (Known)
    return Known;
  All.emplace_back();
  Storage &S = All.back();
  S.Kind = Kind;
  S.Parent = Parent;
  S.Type = Type;
  S.Offset = Offset;
  S.Bytes = Bytes;
  S.Name = Name.str();
  S.Depth = Parent->Depth + (Kind == Storage::Pointee);
  const Storage *Of = Parent->variable();
  S.Outlives =
      Parent->Outlives || (Kind == Storage::Pointee && Of->Parameter >= 0);
  S.Arrives = Parent->Arrives || S.Outlives;
  return Known = &S;
}

const Storage *Storages::pointee(const Storage *Pointer) {
  if (Pointer->Depth >= DepthMax)
    return Pointer->object();
  return part(Pointer, Storage::Pointee, 0, 0, pointeeType(Pointer->Type), "");
}

const Storage *Storages::elements(const Storage *Array, const DIType *Type) {
  return part(Array, Storage::Elements, 0, 0, Type, "[]");
}

const Storage *Storages::field(const Storage *Of, const DIType *Type,
                               StringRef Name, uint64_t Offset,
                               uint64_t Bytes) {
  return part(Of, Storage::Field, Offset, Bytes, Type, Name);
}

/// Into the first element of those that a pointer or an array has; false if it
/// is not known how large they are.
static bool wrap(PointsTo &At, uint64_t Bytes) {
  if (!Bytes || (At.Scale && At.Scale % Bytes))
    return false;
  At.Scale = 0;
  At.Offset %= int64_t(Bytes);
  At.Offset += At.Offset < 0 ? int64_t(Bytes) : 0;
  return true;
}

/// The member or base that holds these bytes.
static const DIDerivedType *memberAt(const DICompositeType &Of, int64_t Offset,
                                     uint64_t Bytes) {
  if (Of.getTag() == dwarf::DW_TAG_union_type)
    return nullptr;
  for (const DINode *Element : Of.getElements()) {
    auto *Member = dyn_cast_or_null<DIDerivedType>(Element);
    if (!Member || Member->isStaticMember() || Member->isBitField() ||
        (Member->getTag() != dwarf::DW_TAG_member &&
         Member->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    int64_t First = int64_t(Member->getOffsetInBits() / 8);
    uint64_t Size = bytesOf(Member->getBaseType());
    if (Size && Offset >= First &&
        uint64_t(Offset - First) + std::max<uint64_t>(Bytes, 1) <= Size)
      return Member;
  }
  return nullptr;
}

const Storage *Storages::access(PointsTo At, uint64_t Bytes) {
  const Storage *S = At.To;
  if (S->Kind == Storage::Pointee && !wrap(At, bytesOf(S->Type)))
    return S;
  for (unsigned Level = 0; Bytes && Level < 8; Level++) {
    auto *Type = dyn_cast_or_null<DICompositeType>(plainType(S->Type));
    if (!Type)
      break;
    if (arrayType(Type)) {
      const DIType *Element = Type->getBaseType();
      if (bytesOf(Element) < Bytes || !wrap(At, bytesOf(Element)))
        return elements(S, Element);
      S = elements(S, Element);
      continue;
    }
    const DIDerivedType *Member =
        At.Scale ? nullptr : memberAt(*Type, At.Offset, Bytes);
    if (!Member)
      break;
    const DIType *Base = Member->getBaseType();
    StringRef Name =
        Member->getName().empty() && Base ? Base->getName() : Member->getName();
    uint64_t Offset = Member->getOffsetInBits() / 8;
    S = field(S, Base, Name, Offset, bytesOf(Base));
    At.Offset -= int64_t(Offset);
  }
  return S;
}

std::string exitName(const Storage &S) {
  switch (S.Kind) {
  case Storage::Variable:
    return S.Parameter >= 0 ? std::to_string(S.Parameter)
                            : "@" + S.Root->getName().str();
  case Storage::Pointee:
    return exitName(*S.Parent) + "*";
  case Storage::Elements:
    return exitName(*S.Parent) + "[]";
  case Storage::Field:
    return exitName(*S.Parent) + "." + std::to_string(S.Offset) + ":" +
           std::to_string(S.Bytes);
  }
  return "";
}

} // namespace ct
