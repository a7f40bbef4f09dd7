/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of member templates without the word "template", as nvcc takes them:
 * `c.plus<N>(1)` and `Cast<T>::to<N>(p)`, where c and Cast<T> depend on
 * parameters of a template. To clang these are comparisons, which fail when the
 * template is used. nvcc reads the text once more then, and knows what the name
 * is; here the name is known from what was declared before, or is declared
 * in the same file.
 */
#ifndef CT_CLANG_PLUGIN_MEMBER_TEMPLATES_H
#define CT_CLANG_PLUGIN_MEMBER_TEMPLATES_H

#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include <deque>

namespace ct {

/// Names of member templates of the unit that is read.
class MemberNames {
public:
  explicit MemberNames(clang::Sema &S);
  ~MemberNames();

  /// F is declared; this is called before the parser goes on.
  static void see(const clang::FunctionDecl *F);

private:
  clang::Sema &S;
  llvm::DenseSet<const clang::IdentifierInfo *> Templates;
  llvm::DenseSet<clang::FileID> Scanned;
  friend class MemberWatcher;

  bool isTemplate(const clang::Token &T, bool IsInTemplate);
  void scan(clang::FileID File);
  const clang::CXXRecordDecl *classOf(clang::IdentifierInfo *Name) const;
  clang::NamedDecl *find(clang::IdentifierInfo *Name) const;
};

/// Sees each token once, when the parser asks for it first, and puts "template"
/// before the name of a member template of which arguments and a call follow.
class MemberWatcher {
public:
  explicit MemberWatcher(clang::Preprocessor &PP) : PP(PP) {}

  void see(clang::Token &T);

private:
  struct Seen {
    clang::tok::TokenKind Kind;
    clang::IdentifierInfo *Name;
    bool FollowsBlank;
  };

  clang::Preprocessor &PP;
  std::deque<Seen> Before; // the last tokens, the newest in front

  // Where templates are.
  enum { Nowhere, Begun, Parameters, Declared } State = Nowhere;
  unsigned Angles = 0, Parens = 0, Braces = 0;
  bool HasParameters = false;
  llvm::SmallVector<unsigned, 4> Bodies; // braces around those that are open
  bool EndedBody = false;                // by the token before

  bool isInTemplate() const { return State == Declared || !Bodies.empty(); }
  void follow(const clang::Token &T);
  bool endedParameters(const clang::Token &T) const;
  void followParameters(const clang::Token &T);
  bool namesMember(MemberNames &Names, const clang::Token &T) const;
  bool isDependentScope(const MemberNames &Names) const;
  size_t behind(size_t At, clang::tok::TokenKind Open,
                clang::tok::TokenKind Close) const;
  const clang::CXXRecordDecl *classBefore(const MemberNames &Names) const;
  bool isCalled(bool IsCached, llvm::SmallVectorImpl<clang::Token> &Behind);
  void putTemplate(clang::Token &T);
};

} // namespace ct
#endif
