/* SPDX-License-Identifier: Apache-2.0 */
/* Objects in shared memory as nvcc takes them. */
#include "clang-plugin/shared.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/ParsedAttr.h"

using namespace clang;

/// Marks an object whose attribute shared was taken. Templates hand it on to
/// what is made of them.
static const StringRef SharedMark = "ct.shared";

static const AnnotateAttr *markOf(const Decl *D) {
  for (const auto *A : D->specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == SharedMark)
      return A;
  return nullptr;
}

static void warn(Sema &S, const VarDecl *Variable) {
  DiagnosticsEngine &Diagnostics = S.getDiagnostics();

  // Once is enough; -w is not asked about warnings of plugins.
  if (!S.getLangOpts().CUDAIsDevice || Diagnostics.getIgnoreAllWarnings())
    return;
  Diagnostics.Report(
      Variable->getLocation(),
      Diagnostics.getCustomDiagID(
          DiagnosticsEngine::Warning,
          "%0 is in shared memory: it is neither constructed nor destroyed"))
      << Variable;
}

namespace {

class SharedAttrInfo : public ParsedAttrInfo {
public:
  SharedAttrInfo() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "ct_shared"}};
    Spellings = Names;
  }

  bool diagAppertainsToDecl(Sema &, const ParsedAttr &,
                            const Decl *D) const override {
    return isa<VarDecl>(D);
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D,
                                   const ParsedAttr &) const override {
    auto *Variable = cast<VarDecl>(D);
    QualType Type = Variable->getType();
    bool IsArray = Type->isArrayType();
    CXXRecordDecl *Class =
        Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();

    if (Variable->hasExternalStorage()) {
      if (!Variable->hasAttr<CUDASharedAttr>())
        Variable->addAttr(CUDASharedAttr::CreateImplicit(S.Context));
      return AttributeApplied;
    }
    if (Type->isDependentType()) { // of what it will be, arrays alone are asked
      if (IsArray)
        Variable->addAttr(LoaderUninitializedAttr::CreateImplicit(S.Context));
      return AttributeApplied;
    }
    if (!Class || !S.isCompleteType(Variable->getLocation(), Type) ||
        (Class->hasTrivialDefaultConstructor() &&
         Class->hasTrivialDestructor()))
      return AttributeApplied;
    if (IsArray || Class->hasTrivialDefaultConstructor()) {
      Variable->addAttr(LoaderUninitializedAttr::CreateImplicit(S.Context));
      warn(S, Variable);
    } else if (Variable->isLocalVarDecl() &&
               Variable->hasAttr<CUDASharedAttr>()) {
      Variable->dropAttr<CUDASharedAttr>();
      Variable->setStorageClass(SC_None);
      Variable->addAttr(
          AnnotateAttr::CreateImplicit(S.Context, SharedMark, nullptr, 0));
    }
    return AttributeApplied;
  }
};

class SharedVisitor : public DynamicRecursiveASTVisitor {
public:
  explicit SharedVisitor(Sema &S) : S(S) {}

  bool VisitVarDecl(VarDecl *Variable) override {
    if (!markOf(Variable))
      return true;
    if (Variable->hasInit() && isWritten(Variable->getInit()))
      S.getDiagnostics().Report(Variable->getLocation(),
                                diag::err_shared_var_init)
          << Variable->getInit()->getSourceRange();
    else
      warn(S, Variable);
    Variable->setInit(nullptr);
    Variable->setStorageClass(SC_Static);
    Variable->dropAttr<AnnotateAttr>();
    Variable->addAttr(CUDASharedAttr::CreateImplicit(S.Context));
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) override {
    for (const LambdaCapture &C : E->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByCopy &&
          C.getCapturedVar()->hasAttr<CUDASharedAttr>())
        S.getDiagnostics().Report(
            C.getLocation(),
            S.getDiagnostics().getCustomDiagID(
                DiagnosticsEngine::Error,
                "%0 is in shared memory and its constructor is left out: "
                "capture it by reference"))
            << C.getCapturedVar();
    return true;
  }

private:
  Sema &S;

  /// Whether the source says with what it is initialised.
  static bool isWritten(const Expr *Init) {
    auto *Made = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
    return !Made || Made->isListInitialization() ||
           Made->getParenOrBraceRange().isValid() ||
           llvm::any_of(Made->arguments(), [](const Expr *E) {
             return !isa<CXXDefaultArgExpr>(E);
           });
  }
};

} // namespace

void ct::SharedObjects::examine(Decl *D) {
  auto *Function = dyn_cast<FunctionDecl>(D);

  if (Function && Function->doesThisDeclarationHaveABody() &&
      !Function->isDependentContext())
    SharedVisitor(S).TraverseStmt(Function->getBody());
}

static ParsedAttrInfoRegistry::Add<SharedAttrInfo>
    SharedRegistration("ct_shared",
                       "objects in shared memory, as nvcc takes them");
