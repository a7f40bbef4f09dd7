/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of inline PTX: what it makes of text as LLVM has it. */
#include "ptx/parser.h"
#include <criterion/criterion.h>
#include <random>

using ct::PtxInstruction;
using ct::PtxOperand;
using ct::PtxProgram;

/// The operand in one line: what stands for itself in it is how it was read.
static std::string show(const PtxOperand &Operand) {
  std::string Text;
  switch (Operand.Kind) {
  case PtxOperand::Name:
    Text = (Operand.Negated ? "not " : "") + Operand.Text;
    return Operand.Second.empty() ? Text : Text + " and " + Operand.Second;
  case PtxOperand::Memory:
    return "at " + Operand.Text +
           (Operand.Added.empty() ? "" : " plus " + Operand.Added);
  case PtxOperand::Vector:
    for (const std::string &Part : Operand.Parts)
      Text += (Text.empty() ? "" : " ") + Part;
    return "<" + Text + ">";
  }
  return "?";
}

static std::string show(const PtxInstruction &I) {
  if (!I.Label.empty())
    return I.Label + ":";
  std::string Text = I.Opcode;
  if (!I.Predicate.empty())
    Text = (I.Negated ? "unless " : "if ") + I.Predicate + " " + Text;
  for (const std::string &Modifier : I.Modifiers)
    Text += "." + Modifier;
  for (size_t N = 0; N < I.Operands.size(); N++)
    Text += (N ? ", " : " ") + show(I.Operands[N]);
  return Text;
}

/// A line per instruction.
static std::string parsed(const char *Source) {
  std::string Text;
  for (const PtxInstruction &I : ct::parsePtx(Source).Instructions)
    Text += (Text.empty() ? "" : "\n") + show(I);
  return Text;
}

#define IS(source, expected)                                                   \
  do {                                                                         \
    std::string Got = parsed(source);                                          \
    cr_expect_str_eq(Got.c_str(), expected);                                   \
  } while (0)

Test(ptx_parser, takes_opcodes_and_operands_apart) {
  IS("add.s32 $0, $1, 4;", "add.s32 $0, $1, 4");
  IS("ld.global.v2.f32 {$0, $1}, [$2];", "ld.global.v2.f32 <$0 $1>, at $2");
  IS("st.shared[%r1],a;", "st.shared at %r1, a");
  IS("mov.b64 $0, {a, b};", "mov.b64 $0, <a b>");
  IS("ret;", "ret");
  IS("exit", "exit");
  IS("call (r), f, (a, b);", "call (r), f, (a, b)");
  IS("ld..global.u8 a, [b];", "ld.global.u8 a, at b");
}

Test(ptx_parser, keeps_words_with_scopes_whole) {
  PtxInstruction I =
      ct::parsePtx("cp.async.bulk.shared::cta.global [a], [b], 16, [c];")
          .Instructions.at(0);
  cr_expect(I.has("shared::cta") && I.has("global") && !I.has("shared") &&
            !I.has("cp"));
  cr_expect(I.hasScoped("shared") && I.hasScoped("global") &&
            !I.hasScoped("share") && !I.hasScoped("local"));
  cr_expect_str_eq(I.Text.c_str(), "cp.async.bulk.shared::cta.global");
  cr_expect(I.hasAddress());
  cr_expect_not(
      ct::parsePtx("add.s32 a, b, c;").Instructions.at(0).hasAddress());
}

Test(ptx_parser, reads_addresses_with_what_is_added) {
  IS("ld.b32 a, [b+4];", "ld.b32 a, at b plus 4");
  IS("ld.b32 a, [ b + 0x10 ];", "ld.b32 a, at b plus 0x10");
  IS("ld.b32 a, [b-8];", "ld.b32 a, at b plus -8");
  IS("ld.b32 a, [b+-8];", "ld.b32 a, at b plus -8");
  IS("ld.b32 a, [$1+$2];", "ld.b32 a, at $1 plus $2");
  IS("ld.b32 a, [-8];", "ld.b32 a, at -8");
  PtxOperand Memory =
      ct::parsePtx("ld.b32 a, [ b + 4 ];").Instructions.at(0).Operands.at(1);
  cr_expect_str_eq(Memory.Whole.c_str(), "[ b + 4 ]");
  cr_expect(Memory.elements() == std::vector<std::string>{"b"});
}

Test(ptx_parser, reads_predicates_and_pairs) {
  IS("@p bra done;", "if p bra done");
  IS("@!%p1 st.b32 [a], b;", "unless %p1 st.b32 at a, b");
  IS("@ ! p exit;", "unless p exit");
  IS("setp.lt.s32 p|q, a, b;", "setp.lt.s32 p and q, a, b");
  IS("selp.b32 a, b, c, !p;", "selp.b32 a, b, c, not p");
}

Test(ptx_parser, leaves_scopes_comments_and_llvms_signs_out) {
  IS("{ .reg .u32 t; mov.u32 t, 1; { add.u32 t, t, 1; } mov.u32 $0, t; }",
     "mov.u32 t, 1\nadd.u32 t, t, 1\nmov.u32 $0, t");
  IS("{ mov.u32 a, {b}; st.u32 [a], b }", "mov.u32 a, <b>\nst.u32 at a, b");
  IS("add.s32 a, b, c; // d;\nsub.s32 a, b, c;",
     "add.s32 a, b, c\nsub.s32 a, b, c");
  IS("add.s32 a, /* b;\n */ c;", "add.s32 a, c");
  IS("mov.b32 ${0:x}, $$t;", "mov.b32 $0, #t");
  IS("", "");
  IS(" ;; {} \n", "");
}

Test(ptx_parser, finds_labels) {
  const char *Text = "L${:uid}: add.s32 a, a, 1;\n@p bra L${:uid}; end :";
  IS(Text, "L_uid:\nadd.s32 a, a, 1\nif p bra L_uid\nend:");
  cr_expect(ct::parsePtx(Text).HasLabels);
  cr_expect_not(ct::parsePtx("ld.shared::cta.b32 a, [b];").HasLabels);
  IS("$$x: { ret; }", "#x:\nret");
}

Test(ptx_parser, lists_declared_registers_and_other_directives) {
  PtxProgram P = ct::parsePtx(
      ".reg .pred p; .reg .b32 a, r<3>; .pragma \"nounroll\"; ret;");
  cr_expect(P.Registers ==
            std::vector<std::string>({"p", "a", "r0", "r1", "r2"}));
  cr_expect(P.Directives.empty());
  cr_expect_eq(P.Instructions.size(), 1);
  P = ct::parsePtx(".shared .b8 s[4]; .branchtargets a; ret;");
  cr_expect(P.Directives ==
            std::vector<std::string>({".shared", ".branchtargets"}));
}

Test(ptx_parser, tells_placeholders_and_integers) {
  cr_expect_eq(ct::ptxPlaceholder("$12").value_or(0), 12);
  for (const char *Text : {"$", "12", "$1x", "%r1", ""})
    cr_expect_not(ct::ptxPlaceholder(Text), "%s", Text);
  cr_expect_eq(ct::ptxInteger("-8").value_or(0), -8);
  cr_expect_eq(ct::ptxInteger("0x10U").value_or(0), 16);
  cr_expect_eq(ct::ptxInteger("0xffffffffffffffff").value_or(0), -1);
  for (const char *Text : {"", "U", "a", "1a", "0f3f800000"})
    cr_expect_not(ct::ptxInteger(Text), "%s", Text);
}

/// Text that is cut short or misspelt gives unknown names, not others.
Test(ptx_parser, does_not_guess_at_damaged_text) {
  IS("ld.b32 a, [b;", "ld.b32 a, [b");
  IS("mov.b64 {a, b", "mov.b64 {a, b");
  IS("@ add.s32;", "if add.s32 ");
  IS("add.s32 a, /* b", "add.s32 a");
  IS("[a], b;", " at a, b");
  IS("@;", "");
}

Test(ptx_parser, takes_any_text) {
  std::mt19937 Random(1);
  const char Signs[] = "@!{}[]();:,.|$+-</*\n ar0";
  for (int Round = 0; Round < 20000; Round++) {
    std::string Text;
    for (unsigned N = Random() % 24; N > 0; N--)
      Text += Signs[Random() % (sizeof(Signs) - 1)];
    PtxProgram P = ct::parsePtx(Text);
    cr_assert_leq(P.Instructions.size(), Text.size());
    for (const PtxInstruction &I : P.Instructions)
      cr_assert(I.Label.empty() || I.Operands.empty());
  }
}
