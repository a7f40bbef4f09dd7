/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of member templates without the word "template". */
#include "clang-plugin/member_templates.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Lookup.h"
#include <memory>

using namespace clang;

/// The names of the unit that is read.
static ct::MemberNames *Unit;

/// How many tokens back a name is looked for, and how many on the end of
/// arguments.
static const unsigned Back = 48, Ahead = 512;

ct::MemberNames::MemberNames(Sema &S) : S(S) { Unit = this; }

ct::MemberNames::~MemberNames() { Unit = nullptr; }

void ct::MemberNames::see(const FunctionDecl *F) {
  if (Unit && F->getDescribedFunctionTemplate() && isa<CXXMethodDecl>(F) &&
      F->getIdentifier())
    Unit->Templates.insert(F->getIdentifier());
}

/// How many lists of arguments end with a token. CUDA has ">>>", too.
static unsigned endsOf(tok::TokenKind Kind) {
  return Kind == tok::greater ? 1
         : Kind == tok::greatergreater
             ? 2
             : 3 * (Kind == tok::greatergreatergreater);
}

/// Goes on to what is behind the parameters of a template, if T is before them.
static bool skipParameters(Lexer &Lex, Token &T) {
  unsigned Depth = 0;

  do {
    Lex.LexFromRawLexer(T);
    Depth += T.is(tok::less);
    Depth -= std::min(Depth, endsOf(T.getKind()));
  } while (Depth > 0 && !T.isOneOf(tok::eof, tok::semi));
  return endsOf(T.getKind()) > 0;
}

/// Notes names of function templates of a whole file, which may be declared
/// behind what calls them.
void ct::MemberNames::scan(FileID File) {
  StringRef Text = S.getSourceManager().getBufferData(File);
  Lexer Lex(SourceLocation(), S.getLangOpts(), Text.begin(), Text.begin(),
            Text.end());
  Token T;

  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
    if (T.isNot(tok::raw_identifier) || T.getRawIdentifier() != "template" ||
        !skipParameters(Lex, T))
      continue;
    StringRef Name;
    while (T.isNot(tok::eof) &&
           !T.isOneOf(tok::semi, tok::l_brace, tok::equal, tok::l_paren)) {
      Name = T.is(tok::raw_identifier) ? T.getRawIdentifier() : StringRef();
      Lex.LexFromRawLexer(T);
    }
    if (T.is(tok::l_paren) && !Name.empty())
      Templates.insert(&S.Context.Idents.get(Name));
  }
}

bool ct::MemberNames::isTemplate(const Token &T, bool IsInTemplate) {
  SourceManager &Sources = S.getSourceManager();

  if (Templates.contains(T.getIdentifierInfo()))
    return true;
  if (!IsInTemplate || Sources.isInSystemHeader(T.getLocation()))
    return false;
  const char *Next =
      Sources.getCharacterData(Sources.getSpellingLoc(T.getLocation())) +
      T.getLength();
  FileID File = Sources.getFileID(Sources.getExpansionLoc(T.getLocation()));
  if (*Next != '<' || !Scanned.insert(File).second)
    return false;
  scan(File);
  return Templates.contains(T.getIdentifierInfo());
}

NamedDecl *ct::MemberNames::find(IdentifierInfo *Name) const {
  if (!Name || !S.getCurScope())
    return nullptr;
  LookupResult Found(S, Name, SourceLocation(), Sema::LookupOrdinaryName);
  Found.suppressDiagnostics();
  S.LookupName(Found, S.getCurScope());
  return Found.isSingleResult() ? Found.getFoundDecl()->getUnderlyingDecl()
                                : nullptr;
}

/// The text of a class, or of the template that it is made of.
static const CXXRecordDecl *textOf(QualType Type) {
  Type = Type.getNonReferenceType();
  if (const clang::Type *Element = Type->getPointeeOrArrayElementType())
    Type = QualType(Element, 0);
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (auto *Made = Type->getAs<TemplateSpecializationType>(); Made && !Class)
    if (auto *Template = dyn_cast_or_null<ClassTemplateDecl>(
            Made->getTemplateName().getAsTemplateDecl()))
      Class = Template->getTemplatedDecl();
  if (Class)
    if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
      Class = Pattern;
  return Class ? Class->getDefinition() : nullptr;
}

/// The class that Name is, or that an object of this name is of.
const CXXRecordDecl *ct::MemberNames::classOf(IdentifierInfo *Name) const {
  NamedDecl *Found = find(Name);

  if (auto *Template = dyn_cast_or_null<ClassTemplateDecl>(Found))
    return Template->getTemplatedDecl()->getDefinition();
  if (auto *Type = dyn_cast_or_null<TypeDecl>(Found))
    return textOf(S.Context.getTypeDeclType(Type));
  if (auto *Value = dyn_cast_or_null<ValueDecl>(Found))
    return textOf(Value->getType());
  return nullptr;
}

/// Whether the parameters have ended before T, in spite of a "<" that no ">"
/// closed: it compared.
bool ct::MemberWatcher::endedParameters(const Token &T) const {
  if (Parens > 0)
    return false;
  switch (T.getKind()) {
  case tok::semi:
  case tok::r_brace:
    return true;
  case tok::l_brace:
    return llvm::is_contained({tok::r_paren, tok::kw_const, tok::kw_noexcept},
                              Before.front().Kind);
  case tok::kw_template:
    return !llvm::is_contained({tok::comma, tok::less}, Before.front().Kind);
  default:
    return false;
  }
}

void ct::MemberWatcher::followParameters(const Token &T) {
  HasParameters |= T.isNot(tok::greater);
  if (T.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
    Parens++;
  else if (T.isOneOf(tok::r_paren, tok::r_brace, tok::r_square))
    Parens -= Parens > 0;
  else if (Parens == 0)
    Angles = Angles + T.is(tok::less) - std::min(Angles, endsOf(T.getKind()));
  if (Angles == 0)
    State = HasParameters ? Declared : Nowhere;
}

/// Which braces are of templates.
void ct::MemberWatcher::follow(const Token &T) {
  bool Ended = std::exchange(EndedBody, false);

  if (State == Parameters && endedParameters(T))
    State = T.is(tok::l_brace) ? Declared : Nowhere;
  if (State == Parameters)
    return followParameters(T);
  if (State == Begun && T.is(tok::less)) {
    State = Parameters;
    Angles = 1;
    Parens = 0;
    HasParameters = false;
    return;
  }
  if (State == Begun)
    State = Nowhere;
  switch (T.getKind()) {
  case tok::kw_template:
    if (State == Nowhere && !Before.empty() &&
        !llvm::is_contained({tok::coloncolon, tok::period, tok::arrow},
                            Before.front().Kind))
      State = Begun;
    break;
  case tok::l_paren:
    Parens++;
    break;
  case tok::r_paren:
    Parens -= Parens > 0;
    break;
  case tok::l_brace:
    Braces++;
    if (State == Declared || Ended)
      Bodies.push_back(Braces);
    State = Nowhere;
    Parens = 0;
    break;
  case tok::r_brace:
    if (!Bodies.empty() && Bodies.back() == Braces) {
      Bodies.pop_back();
      EndedBody = true;
    }
    Braces -= Braces > 0;
    break;
  case tok::comma: // behind the braces of an initialiser of a constructor
    if (Ended)
      State = Declared;
    break;
  case tok::semi:
    State = Nowhere;
    break;
  default:
    break;
  }
}

/// Where what is in brackets before At begins, or At.
size_t ct::MemberWatcher::behind(size_t At, tok::TokenKind Open,
                                 tok::TokenKind Close) const {
  unsigned Depth = 0;

  for (size_t I = At; I < Before.size(); I++) {
    Depth += Close == tok::greater ? endsOf(Before[I].Kind)
                                   : Before[I].Kind == Close;
    Depth -= Depth > 0 && Before[I].Kind == Open;
    if (Depth == 0)
      return I > At ? I + 1 : At;
  }
  return At;
}

/// The class that the name before the last "::", "." or "->" says; null if it
/// takes more than that name to know: a member template is meant then, since
/// nothing compares the truth of a comparison.
const CXXRecordDecl *
ct::MemberWatcher::classBefore(const MemberNames &Names) const {
  bool IsScope = Before.front().Kind == tok::coloncolon;
  size_t At = behind(1, IsScope ? tok::less : tok::l_square,
                     IsScope ? tok::greater : tok::r_square);

  if (At >= Before.size() || Before[At].Kind != tok::identifier)
    return nullptr;
  if (At + 1 < Before.size() &&
      llvm::is_contained({tok::coloncolon, tok::period, tok::arrow},
                         Before[At + 1].Kind))
    return nullptr;
  return Names.classOf(Before[At].Name);
}

/// Whether what is before the last "::" may depend on parameters of templates.
bool ct::MemberWatcher::isDependentScope(const MemberNames &Names) const {
  size_t At = 1;

  while (At + 2 < Before.size() && Before[At].Kind == tok::identifier &&
         Before[At + 1].Kind == tok::coloncolon && !Before[At + 1].FollowsBlank)
    At += 2;
  if (At >= Before.size())
    return false;
  if (endsOf(Before[At].Kind))
    return !Before[At - 1].FollowsBlank; // else "::" begins a name
  NamedDecl *Root = Names.find(Before[At].Name);
  auto *Type = dyn_cast_or_null<TypeDecl>(Root);
  return Type && Names.S.Context.getTypeDeclType(Type)->isDependentType();
}

bool ct::MemberWatcher::namesMember(MemberNames &Names, const Token &T) const {
  IdentifierInfo *Name = T.getIdentifierInfo();

  if (T.isNot(tok::identifier) || Before.empty() ||
      !llvm::is_contained({tok::coloncolon, tok::period, tok::arrow},
                          Before.front().Kind) ||
      !Names.isTemplate(T, isInTemplate()))
    return false;
  if (Before.front().Kind == tok::coloncolon &&
      !(isInTemplate() && isDependentScope(Names)))
    return false;
  if (const CXXRecordDecl *Class = classBefore(Names)) {
    for (const NamedDecl *Member : Class->lookup(Name))
      return isa<FunctionDecl, FunctionTemplateDecl>(Member);
  }
  return true;
}

/// Whether "<", arguments, ">" and "(" follow. Behind holds what was read for
/// that, unless it stays with the preprocessor, where the parser goes back.
bool ct::MemberWatcher::isCalled(bool IsCached,
                                 SmallVectorImpl<Token> &Behind) {
  unsigned Depth = 0, Brackets = 0;

  for (unsigned I = 0; I < Ahead; I++) {
    Token Next;
    if (IsCached) {
      Next = PP.LookAhead(I);
    } else {
      PP.Lex(Next);
      Behind.push_back(Next);
    }
    if (I == 0 ? Next.isNot(tok::less) : Depth == 0)
      return I > 0 && Next.is(tok::l_paren);
    switch (Next.getKind()) {
    case tok::l_paren:
    case tok::l_square:
      Brackets++;
      break;
    case tok::r_paren:
    case tok::r_square:
      if (Brackets-- == 0)
        return false;
      break;
    case tok::less:
      Depth += Brackets == 0;
      break;
    case tok::greater:
    case tok::greatergreater:
    case tok::greatergreatergreater:
      if (Brackets == 0 && Depth < endsOf(Next.getKind()))
        return false;
      Depth -= Brackets == 0 ? endsOf(Next.getKind()) : 0;
      break;
    case tok::ampamp:
    case tok::pipepipe:
    case tok::equal:
      if (Brackets == 0)
        return false;
      break;
    case tok::semi:
    case tok::l_brace:
    case tok::r_brace:
    case tok::eof:
      return false;
    default:
      break;
    }
  }
  return false;
}

/// T becomes "template", and its name comes behind.
void ct::MemberWatcher::putTemplate(Token &T) {
  bool IsCached = PP.isBacktrackEnabled() && PP.IsPreviousCachedToken(T);
  SmallVector<Token, 16> Behind = {T};
  bool IsCalled = isCalled(IsCached, Behind);

  if (IsCalled) {
    T.setKind(tok::kw_template);
    T.setIdentifierInfo(PP.getIdentifierInfo("template"));
    if (IsCached)
      PP.ReplacePreviousCachedToken(T);
  }
  ArrayRef<Token> Put = Behind;
  if (!IsCalled)
    Put = Put.drop_front();
  if (Put.empty())
    return;
  auto Stream = std::make_unique<Token[]>(Put.size());
  llvm::copy(Put, Stream.get());
  PP.EnterTokenStream(std::move(Stream), Put.size(),
                      /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
}

void ct::MemberWatcher::see(Token &T) {
  bool Names = Unit && namesMember(*Unit, T);

  follow(T);
  Before.push_front({T.getKind(), T.getIdentifierInfo(), T.hasLeadingSpace()});
  if (Before.size() > Back)
    Before.pop_back();
  if (Names)
    putTemplate(T);
}
