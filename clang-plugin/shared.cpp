/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects in shared memory as nvcc takes them: neither constructed nor
 * destroyed. clang refuses those whose constructor or destructor does
 * something. The attribute ct_shared, which the headers of cuda-trace-nvcc put
 * beside shared, has clang leave out the constructor, and with it the question,
 * of arrays, and of objects whose constructor does nothing (as that of
 * cuda::barrier, which has a destructor). Of others clang's error stays.
 */
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

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

    if (Variable->hasExternalStorage())
      return AttributeApplied;
    if (Type->isDependentType()) { // of what it will be, arrays alone are asked
      if (IsArray)
        Variable->addAttr(LoaderUninitializedAttr::CreateImplicit(S.Context));
      return AttributeApplied;
    }
    if (!Class || !S.isCompleteType(Variable->getLocation(), Type) ||
        (Class->hasTrivialDefaultConstructor() &&
         Class->hasTrivialDestructor()) ||
        (!IsArray && !Class->hasTrivialDefaultConstructor()))
      return AttributeApplied;
    Variable->addAttr(LoaderUninitializedAttr::CreateImplicit(S.Context));
    if (!S.getLangOpts().CUDAIsDevice) // once is enough
      return AttributeApplied;
    DiagnosticsEngine &Diagnostics = S.getDiagnostics();
    Diagnostics.Report(
        Variable->getLocation(),
        Diagnostics.getCustomDiagID(
            DiagnosticsEngine::Warning,
            "%0 is in shared memory: it is neither constructed nor destroyed"))
        << Variable;
    return AttributeApplied;
  }
};

} // namespace

static ParsedAttrInfoRegistry::Add<SharedAttrInfo>
    SharedRegistration("ct_shared",
                       "objects in shared memory, as nvcc takes them");
