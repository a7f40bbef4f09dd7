/* SPDX-License-Identifier: Apache-2.0 */
/* Text of source positions and expressions, for site descriptors (host.h). */
#include "clang-plugin/descriptor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include <cudatrace/host.h>

using namespace clang;

/// Runs of white space become one blank; the separator cannot occur in source
/// text except inside a literal, where it is replaced as well.
static std::string onOneLine(llvm::StringRef Source) {
  std::string Line;
  for (char C : Source.trim()) {
    bool Blank = C == ' ' || C == '\t' || C == '\n' || C == '\r' ||
                 C == CT_FIELD_SEPARATOR;
    if (!Blank)
      Line += C;
    else if (!Line.empty() && Line.back() != ' ')
      Line += ' ';
  }
  return Line;
}

ct::Descriptor &ct::Descriptor::add(llvm::StringRef Field) {
  Text += CT_FIELD_SEPARATOR;
  Text += onOneLine(Field);
  return *this;
}

ct::Descriptor &ct::Descriptor::addPosition(SourceLocation Where) {
  const SourceManager &SM = Context.getSourceManager();
  PresumedLoc Position = SM.getPresumedLoc(SM.getFileLoc(Where));
  if (Position.isInvalid())
    return add("").add("0").add("0");
  return add(Position.getFilename())
      .add(std::to_string(Position.getLine()))
      .add(std::to_string(Position.getColumn()));
}

ct::Descriptor &ct::Descriptor::addExpression(const Expr *E) {
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()),
      Context.getSourceManager(), Context.getLangOpts());
  if (Range.isValid())
    return add(Lexer::getSourceText(Range, Context.getSourceManager(),
                                    Context.getLangOpts()));
  std::string Printed;
  llvm::raw_string_ostream Out(Printed);
  E->printPretty(Out, nullptr, Context.getPrintingPolicy());
  return add(Printed);
}

ct::Descriptor &ct::Descriptor::addName(const NamedDecl *D) {
  std::string Name;
  llvm::raw_string_ostream Out(Name);
  if (D)
    D->getNameForDiagnostic(Out, Context.getPrintingPolicy(),
                            /*Qualified=*/true);
  return add(Name);
}

const Expr *ct::namedVariable(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenCasts();
    auto *Operator = dyn_cast<UnaryOperator>(E);
    if (!Operator || Operator->getOpcode() != UO_AddrOf)
      return E;
    E = Operator->getSubExpr();
  }
}
