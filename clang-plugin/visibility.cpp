/* SPDX-License-Identifier: Apache-2.0 */
/* Hidden kernels and device variables. */
#include "clang-plugin/visibility.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace clang;

static bool isDeviceEntity(const Decl *D) {
  if (auto *F = dyn_cast<FunctionDecl>(D))
    return F->hasAttr<CUDAGlobalAttr>() && F->isThisDeclarationADefinition();
  auto *V = dyn_cast<VarDecl>(D);
  return V && V->hasGlobalStorage() && V->isThisDeclarationADefinition() &&
         (V->hasAttr<CUDADeviceAttr>() || V->hasAttr<CUDAConstantAttr>());
}

void ct::hideDeviceEntity(Decl *D) {
  if (isDeviceEntity(D) && !D->hasAttr<VisibilityAttr>())
    D->addAttr(VisibilityAttr::CreateImplicit(D->getASTContext(),
                                              VisibilityAttr::Hidden));
}
