/* SPDX-License-Identifier: Apache-2.0 */
/* Source-level facts of kernels, handed to the LLVM pass. */
#include "clang-plugin/kernel_facts.h"
#include "clang-plugin/descriptor.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include <cudatrace/unit.h>

using namespace clang;

static const llvm::StringRef Mark = "ct.kernel";

namespace {

/// Adds the pointers inside of one parameter.
class PointerMembers {
public:
  PointerMembers(ct::Descriptor &Facts, const ASTContext &Context,
                 unsigned Parameter)
      : Facts(Facts), Context(Context), Parameter(Parameter) {}

  void add(QualType T, CharUnits Offset, const std::string &Name) {
    T = T.getCanonicalType();
    if (T->isPointerType() && Count++ < CountLimit)
      Facts
          .add((Twine(Parameter) + CT_MEMBER_AT + Twine(Offset.getQuantity()))
                   .str())
          .add(Name);
    if (const ConstantArrayType *Array = Context.getAsConstantArrayType(T))
      addElements(*Array, Offset, Name);
    if (const CXXRecordDecl *Record = T->getAsCXXRecordDecl())
      addFields(*Record, Offset, Name);
  }

private:
  static constexpr uint64_t CountLimit = 32;
  ct::Descriptor &Facts;
  const ASTContext &Context;
  unsigned Parameter;
  uint64_t Count = 0;

  void addElements(const ConstantArrayType &Array, CharUnits Offset,
                   const std::string &Name) {
    CharUnits Bytes = Context.getTypeSizeInChars(Array.getElementType());
    uint64_t Elements = Array.getSize().getLimitedValue(CountLimit);
    for (uint64_t I = 0; I < Elements && Count < CountLimit; I++)
      add(Array.getElementType(), Offset + Bytes * I,
          Name + "[" + std::to_string(I) + "]");
  }

  /// A field of a closure has no name, and what it captures has one.
  static StringRef nameOf(const CXXRecordDecl &Record, const FieldDecl &Field) {
    if (!Record.isLambda())
      return Field.getName();
    unsigned I = Field.getFieldIndex();
    const LambdaCapture *Capture =
        I < Record.capture_size() ? Record.captures_begin() + I : nullptr;
    return Capture && Capture->capturesVariable()
               ? Capture->getCapturedVar()->getName()
               : "";
  }

  /// It is not known what a union holds.
  void addFields(const CXXRecordDecl &Record, CharUnits Offset,
                 const std::string &Name) {
    if (!Record.isCompleteDefinition() || Record.isInvalidDecl() ||
        Record.isDependentType() || Record.isUnion() || Count >= CountLimit)
      return;
    const ASTRecordLayout &Layout = Context.getASTRecordLayout(&Record);
    for (const CXXBaseSpecifier &Base : Record.bases())
      if (const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
          Of && !Base.isVirtual())
        addFields(*Of, Offset + Layout.getBaseClassOffset(Of), Name);
    for (const FieldDecl *Field : Record.fields()) {
      StringRef Own = nameOf(Record, *Field);
      uint64_t Bits = Layout.getFieldOffset(Field->getFieldIndex());
      if (!Field->isBitField())
        add(Field->getType(), Offset + Context.toCharUnitsFromBits(Bits),
            Own.empty() ? Name : Name + "." + Own.str());
    }
  }
};

} // namespace

static bool isAnnotated(const Decl *D) {
  return llvm::any_of(D->specific_attrs<AnnotateAttr>(),
                      [](const AnnotateAttr *A) {
                        return A->getAnnotation().starts_with(Mark);
                      });
}

void ct::annotateKernel(Decl *D) {
  auto *F = dyn_cast<FunctionDecl>(D);
  if (!F || !F->hasAttr<CUDAGlobalAttr>() ||
      !F->isThisDeclarationADefinition() || F->isDependentContext() ||
      isAnnotated(F))
    return;
  ASTContext &Context = F->getASTContext();
  Descriptor Facts(Context, Mark);
  Facts.addName(F).addPosition(F->getLocation());
  for (const ParmVarDecl *Parameter : F->parameters())
    Facts.add(Parameter->getType().getAsString(Context.getPrintingPolicy()))
        .add(Parameter->getName());
  for (const ParmVarDecl *Parameter : F->parameters())
    if (Parameter->getType()->isRecordType())
      PointerMembers(Facts, Context, Parameter->getFunctionScopeIndex())
          .add(Parameter->getType(), CharUnits::Zero(),
               Parameter->getName().str());
  F->addAttr(AnnotateAttr::CreateImplicit(Context, Facts.str(), nullptr, 0));
}
