/* SPDX-License-Identifier: Apache-2.0 */
/* Accepts what nvcc reads and clang does not. */
#include "clang-plugin/dialect.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace {

struct Piece {
  tok::TokenKind Kind = tok::unknown;
  size_t Begin = 0, End = 0;
};

/// Goes through the tokens of a file once.
class Rewriter {
public:
  Rewriter(StringRef Text, const LangOptions &LangOpts)
      : Text(Text), Result(Text), Lex(SourceLocation(), LangOpts, Text.begin(),
                                      Text.begin(), Text.end()) {}

  bool run();
  std::string take() { return std::move(Result); }

private:
  StringRef Text;
  std::string Result;
  Lexer Lex;
  bool Changed = false;
  Piece Before;
  bool WasOperator = false;          // the word was before
  bool IsName = false;               // Before names an operator
  unsigned Depth = 0;                // of brackets
  SmallVector<unsigned, 2> Launches; // where one is open
  enum { Outside, Named, Inside } Assembly = Outside;
  unsigned AssemblyDepth = 0;
  bool InOperands = false, AfterOperand = false;
  SmallVector<size_t, 4>
      Registers; // named in the text with one %, a blank before

  bool next(Piece &P, StringRef &Word);
  bool isBlank(size_t Begin, size_t End) const {
    return Begin < End && Text.slice(Begin, End).trim(" \t").empty();
  }
  void join(const Piece &P, char Sign);
  void examineLaunch(const Piece &P);
  void examineAssembly(const Piece &P, StringRef Word);
  void findRegisters(const Piece &P);
  void countBrackets(const Piece &P);
};

bool Rewriter::next(Piece &P, StringRef &Word) {
  Token T;

  Lex.LexFromRawLexer(T);
  if (T.is(tok::eof))
    return false;
  P.Kind = T.getKind();
  P.End = Lex.getBufferLocation() - Text.begin();
  P.Begin = P.End - T.getLength();
  Word = Text.slice(P.Begin, P.End);
  return true;
}

/// "<< <" and "< <<" become "<<<" and a blank.
void Rewriter::join(const Piece &P, char Sign) {
  std::fill(Result.begin() + Before.Begin, Result.begin() + Before.Begin + 3,
            Sign);
  std::fill(Result.begin() + Before.Begin + 3, Result.begin() + P.End, ' ');
  Changed = true;
}

static bool isSplit(tok::TokenKind A, tok::TokenKind B, tok::TokenKind One,
                    tok::TokenKind Two) {
  return (A == One && B == Two) || (A == Two && B == One);
}

void Rewriter::examineLaunch(const Piece &P) {
  bool Apart = isBlank(Before.End, P.Begin);

  // No expression has one of these behind the other, but for "operator<< <T>"
  // and the end of arguments of templates: so only where a launch is open
  // there.
  if (Apart && !IsName &&
      isSplit(Before.Kind, P.Kind, tok::less, tok::lessless)) {
    join(P, '<');
    Launches.push_back(Depth);
  } else if (P.Kind == tok::lesslessless) {
    Launches.push_back(Depth);
  } else if (!Launches.empty() && Launches.back() == Depth) {
    if (Apart &&
        isSplit(Before.Kind, P.Kind, tok::greater, tok::greatergreater))
      join(P, '>');
    else if (P.Kind != tok::greatergreatergreater && P.Kind != tok::semi)
      return;
    Launches.pop_back();
  }
}

/// Special registers, as "%laneid", where clang wants "%%laneid" if there are
/// operands. A letter before a digit says in what form the operand is.
void Rewriter::findRegisters(const Piece &P) {
  for (size_t At = P.Begin; (At = Text.find('%', At)) < P.End - 2; At += 2)
    if (llvm::isAlpha(Text[At + 1]) && !llvm::isDigit(Text[At + 2]) &&
        isBlank(At - 1, At))
      Registers.push_back(At);
}

void Rewriter::examineAssembly(const Piece &P, StringRef Word) {
  if (P.Kind == tok::raw_identifier) {
    if (Word == "asm" || Word == "__asm__" || Word == "__asm")
      Assembly = Named;
    else if (Assembly == Named && Word != "volatile" &&
             Word != "__volatile__" && Word != "__volatile" &&
             Word != "inline" && Word != "goto")
      Assembly = Outside;
    return;
  }
  if (Assembly == Named) {
    Assembly = P.Kind == tok::l_paren ? Inside : Outside;
    AssemblyDepth = Depth; // that of what is inside
    InOperands = AfterOperand = false;
    Registers.clear();
    return;
  }
  if (Assembly != Inside)
    return;
  if (AfterOperand && P.Kind == tok::string_literal &&
      Text.slice(Before.End, P.Begin).trim().empty()) {
    size_t Blank = Text.find_first_of(" \t", Before.End);
    if (Blank < P.Begin) {
      Result[Blank] = ',';
      Changed = true;
    }
  }
  if (Depth < AssemblyDepth)
    Assembly = Outside;
  if (!InOperands && P.Kind == tok::string_literal)
    findRegisters(P);
  if (!InOperands && Depth == AssemblyDepth &&
      (P.Kind == tok::colon || P.Kind == tok::coloncolon)) {
    InOperands = true;
    for (size_t At : Registers)
      Result[At - 1] = '%';
    Changed |= !Registers.empty();
  }
  AfterOperand = InOperands && P.Kind == tok::r_paren && Depth == AssemblyDepth;
}

void Rewriter::countBrackets(const Piece &P) {
  switch (P.Kind) {
  case tok::l_paren:
  case tok::l_square:
  case tok::l_brace:
    Depth++;
    break;
  case tok::r_paren:
  case tok::r_square:
  case tok::r_brace:
    Depth -= Depth > 0;
    break;
  default:
    break;
  }
  while (!Launches.empty() && Launches.back() > Depth)
    Launches.pop_back();
}

bool Rewriter::run() {
  Piece P;
  StringRef Word;

  while (next(P, Word)) {
    countBrackets(P);
    examineLaunch(P);
    examineAssembly(P, Word);
    IsName = WasOperator;
    WasOperator = Word == "operator";
    Before = P;
  }
  return Changed;
}

/// Files before they are read; those of the toolkit as well, of which some lack
/// commas.
class Inclusions : public PPCallbacks {
public:
  explicit Inclusions(CompilerInstance &CI) : CI(CI) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef File, StringRef,
                          StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (!File || !Seen.insert(*File).second)
      return;
    SourceManager &Sources = CI.getSourceManager();
    if (auto Buffer = Sources.getMemoryBufferForFileOrNone(*File))
      put(*File, *Buffer);
  }

  void put(FileEntryRef File, llvm::MemoryBufferRef Buffer) {
    if (auto Text = ct::inClangsWords(Buffer.getBuffer(), CI.getLangOpts()))
      CI.getSourceManager().overrideFileContents(
          File, llvm::MemoryBuffer::getMemBufferCopy(
                    *Text, Buffer.getBufferIdentifier()));
  }

private:
  CompilerInstance &CI;
  llvm::DenseSet<const FileEntry *> Seen;
};

} // namespace

/// Whether a launch begins in it, or what looks like one.
static bool launches(StringRef Text) {
  for (size_t At = Text.find("<<"); At != StringRef::npos;
       At = Text.find("<<", At + 2))
    if (Text.substr(At + 2).ltrim(" \t").starts_with("<") ||
        Text.take_front(At).rtrim(" \t").ends_with("<"))
      return true;
  return false;
}

std::optional<std::string> ct::inClangsWords(StringRef Text,
                                             const LangOptions &LangOpts) {
  // Most files have nothing of it, and are looked at no closer.
  if (!launches(Text) && !Text.contains("asm"))
    return std::nullopt;
  Rewriter R(Text, LangOpts);
  return R.run() ? std::optional(R.take()) : std::nullopt;
}

void ct::readDialect(CompilerInstance &CI) {
  SourceManager &Sources = CI.getSourceManager();
  auto Callbacks = std::make_unique<Inclusions>(CI);
  OptionalFileEntryRef Main =
      Sources.getFileEntryRefForID(Sources.getMainFileID());

  if (Main)
    if (auto Buffer = Sources.getBufferOrNone(Sources.getMainFileID()))
      Callbacks->put(*Main, *Buffer);
  CI.getPreprocessor().addPPCallbacks(std::move(Callbacks));
}

void ct::takeWhatNvccTakes(DiagnosticsEngine &Diagnostics, bool IsNvcc,
                           bool CrossesSides) {
  auto Take = [&](unsigned Error) {
    Diagnostics.setSeverity(Error, diag::Severity::Ignored, SourceLocation());
  };

  if (IsNvcc) {
    Take(diag::err_missing_dependent_template_keyword);
    Take(diag::err_cuda_extern_shared);
    // This warns of the attribute that is never taken back (declared.h).
    Take(diag::err_pragma_attribute_no_pop_eof);
    // clang has one group for it and for "return;" in a function with a
    // result, of which nvcc warns.
    Diagnostics.setSeverity(diag::ext_return_has_expr, diag::Severity::Error,
                            SourceLocation());
  }
  if (CrossesSides) {
    // A warning of it is refused; nothing is not (sides.h).
    Take(diag::err_ref_bad_target);
    Take(diag::err_ref_bad_target_global_initializer);
  }
}
