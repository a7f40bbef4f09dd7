/* SPDX-License-Identifier: Apache-2.0 */
/* Values that enumerations have in constant expressions. */
#include "clang-plugin/enumerations.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

void ct::widen(EnumDecl *D) {
  if (D->isFixed() || D->isDependentContext() || D->getIntegerType().isNull())
    return;
  const ASTContext &Context = D->getASTContext();
  unsigned Bits = Context.getIntWidth(D->getIntegerType());
  bool IsSigned = D->getIntegerType()->isSignedIntegerType();
  unsigned Positive = IsSigned ? Bits - 1 : Bits,
           Negative = IsSigned ? Bits : 0;

  if (D->getNumPositiveBits() != Positive ||
      D->getNumNegativeBits() != Negative)
    D->completeDefinition(D->getIntegerType(), D->getPromotionType(), Positive,
                          Negative);
}
