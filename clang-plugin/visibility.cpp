/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels and variables others see. */
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

void ct::leaveOutUnusedConstant(Decl *D) {
  auto *V = dyn_cast<VarDecl>(D);
  auto *Constant = V ? V->getAttr<CUDAConstantAttr>() : nullptr;
  if (Constant && Constant->isImplicit() && V->isFileVarDecl() &&
      (!V->isStaticDataMember() || V->isOutOfLine()))
    V->setImplicitlyInline();
}
