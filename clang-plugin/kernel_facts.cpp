/* SPDX-License-Identifier: Apache-2.0 */
/* Source-level facts of kernels, handed to the LLVM pass. */
#include "clang-plugin/kernel_facts.h"
#include "clang-plugin/descriptor.h"
#include "clang/AST/Attr.h"

using namespace clang;

static const llvm::StringRef Mark = "ct.kernel";

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
  F->addAttr(AnnotateAttr::CreateImplicit(Context, Facts.str(), nullptr, 0));
}
