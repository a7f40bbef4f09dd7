/* SPDX-License-Identifier: Apache-2.0 */
/* Rvalue references before lvalue references to other classes. */
#include "clang-plugin/moves.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"

using namespace clang;

/// The class that F takes by reference; null: F is not one of those compared.
static const CXXRecordDecl *classTaken(const CXXMethodDecl *F, bool ByRvalue) {
  if (F->getMinRequiredExplicitArguments() > 1 || F->getNumParams() < 1)
    return nullptr;
  QualType T = F->getParamDecl(0)->getType();
  if (!(ByRvalue ? T->isRValueReferenceType() : T->isLValueReferenceType()))
    return nullptr;
  return T->getPointeeType()->getAsCXXRecordDecl();
}

/// Names that other units see stay: clang writes the attribute into them.
static void keepName(CXXMethodDecl *F) {
  ASTContext &Context = F->getASTContext();
  std::string Name;
  llvm::raw_string_ostream Out(Name);

  if (F->hasAttr<AsmLabelAttr>())
    return;
  std::unique_ptr<MangleContext> Mangler(Context.createMangleContext());
  Mangler->mangleName(F, Out);
  F->addAttr(AsmLabelAttr::CreateImplicit(Context, Name));
}

/// Whether other units have F under a name that is known by now.
static bool isNamed(const CXXRecordDecl *Class) {
  for (const DeclContext *In = Class; In; In = In->getParent()) {
    auto *Named = dyn_cast<NamedDecl>(In);
    if (In->isFunctionOrMethod() || (Named && !Named->getIdentifier()))
      return false;
  }
  return true;
}

/// Among functions that clang finds equal, it takes one that has the attribute.
static void prefer(CXXMethodDecl *F) {
  ASTContext &Context = F->getASTContext();
  Expr *Always = CXXBoolLiteralExpr::Create(Context, true, Context.BoolTy,
                                            F->getLocation());

  if (F->hasAttr<EnableIfAttr>() || F->isDeleted())
    return;
  if (!isa<CXXConstructorDecl>(F) && isNamed(F->getParent()))
    keepName(F);
  F->addAttr(EnableIfAttr::CreateImplicit(Context, Always, ""));
}

static bool isSameKind(const CXXMethodDecl *F, const CXXMethodDecl *Other) {
  return isa<CXXConstructorDecl>(F)
             ? isa<CXXConstructorDecl>(Other)
             : F->getOverloadedOperator() == OO_Equal &&
                   Other->getOverloadedOperator() == OO_Equal;
}

/// Whether the program says that F is for devices. The host's compiler decides
/// about other functions, as those of the standard library, and some of them
/// are in libraries under the names that they have without the attribute.
static bool isForDevices(const CXXMethodDecl *F) {
  auto *Device = F->getAttr<CUDADeviceAttr>();

  return Device && !Device->isImplicit();
}

/// Whether F takes an rvalue of a class, and another one like it an lvalue of a
/// class that is not its own.
static bool isPreferred(const CXXMethodDecl *F) {
  const CXXRecordDecl *Class = F->getParent();

  if (!classTaken(F, /*ByRvalue=*/true) ||
      (!F->isImplicit() && !isForDevices(F)))
    return false;
  return llvm::any_of(Class->decls(), [&](const Decl *D) {
    auto *Other = dyn_cast<CXXMethodDecl>(D);
    const CXXRecordDecl *Taken =
        Other && isSameKind(F, Other) && isForDevices(Other)
            ? classTaken(Other, /*ByRvalue=*/false)
            : nullptr;
    return Taken && Taken->getCanonicalDecl() != Class->getCanonicalDecl();
  });
}

void ct::preferMoves(const CXXRecordDecl *Class) {
  if (Class->isDependentContext() || Class->isLambda())
    return;
  // A constructor has several symbols, so those of other units get no name.
  for (Decl *D : Class->decls())
    if (auto *F = dyn_cast<CXXMethodDecl>(D);
        F && (!isa<CXXConstructorDecl>(F) || F->isInlined()) && isPreferred(F))
      prefer(F);
}

void ct::preferAgain(FunctionDecl *Declared) {
  auto *F = dyn_cast<CXXMethodDecl>(Declared);
  const ASTContext &Context = Declared->getASTContext();

  if (!F || !F->isOutOfLine() || F->getParent()->isDependentContext() ||
      !isPreferred(F))
    return;
  for (Decl *D : F->getParent()->decls()) {
    auto *Within = dyn_cast<CXXMethodDecl>(D);
    if (!Within || !isSameKind(F, Within) ||
        !Context.hasSameFunctionTypeIgnoringExceptionSpec(F->getType(),
                                                          Within->getType()))
      continue;
    if (F->isInlined())
      prefer(Within);
    if (Within->hasAttr<EnableIfAttr>())
      prefer(F);
  }
}
