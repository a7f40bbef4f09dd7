/* SPDX-License-Identifier: Apache-2.0 */
/* Answers what nvcc knows of lambdas. */
#include "clang-plugin/lambdas.h"
#include "clang-plugin/declared.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/TemplateInstCallback.h"

using namespace clang;

namespace ct {

static bool isExplicit(const Attr *A) { return A && !A->isImplicit(); }

/// Extended are lambdas that say which side they are for, in functions that
/// the host has.
static unsigned sidesOf(QualType Type) {
  CXXRecordDecl *Class = Type->getAsCXXRecordDecl();

  if (!Class || !Class->isLambda())
    return 0;
  for (DeclContext *In = Class->getDeclContext(); In; In = In->getParent()) {
    auto *Function = dyn_cast<FunctionDecl>(In);
    if (Function && isForDevicesAlone(Function) &&
        !isLambdaCallOperator(Function))
      return 0;
  }
  const CXXMethodDecl *Call = Class->getLambdaCallOperator();
  if (!isExplicit(Call->getAttr<CUDADeviceAttr>()))
    return 0;
  return isExplicit(Call->getAttr<CUDAHostAttr>()) ? ForBoth : ForDevice;
}

namespace {

class ClosureAnswers : public TemplateInstantiationCallback {
public:
  void initialize(const Sema &) override {}
  void finalize(const Sema &) override {}
  void atTemplateBegin(const Sema &,
                       const Sema::CodeSynthesisContext &) override {}

  void atTemplateEnd(const Sema &S,
                     const Sema::CodeSynthesisContext &Context) override {
    if (Context.Kind != Sema::CodeSynthesisContext::TemplateInstantiation)
      return;
    auto *Answer =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(Context.Entity);
    if (!Answer || !Answer->getIdentifier() ||
        Answer->getName() != "ct_nvcc_closure")
      return;
    unsigned Sides = sidesOf(Answer->getTemplateArgs()[0].getAsType());
    for (Decl *Member : Answer->decls())
      if (auto *Values = dyn_cast<EnumDecl>(Member))
        for (EnumConstantDecl *Value : Values->enumerators())
          Value->setInitVal(S.getASTContext(),
                            llvm::APSInt::get(Sides).trunc(
                                Value->getInitVal().getBitWidth()));
  }
};

} // namespace

void answerOfLambdas(Sema &S) {
  S.TemplateInstCallbacks.push_back(std::make_unique<ClosureAnswers>());
}

} // namespace ct
