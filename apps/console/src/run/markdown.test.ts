import { expect, test } from "vitest";
import { readInline } from "./markdown-inline.ts";
import { readMarkdown } from "./markdown.ts";

const text = (words: string) => ({ kind: "text", text: words });
const paragraph = (words: string) => ({ kind: "paragraph", children: [text(words)] });

test("headings, lists in lists, quotes, code, rules and tables are read", () => {
  const read = readMarkdown(
    "# Head #\n\none\ntwo\n\n- a\n  - b\n- c\n\n3. x\n4. y\n\n> said\n\n```js\n<b>\n```\n---\n| a | b |\n|---|:-:|\n| 1 | x\\|y |",
  );
  expect(read).toEqual([
    { kind: "heading", level: 1, children: [text("Head")] },
    paragraph("one\ntwo"),
    {
      kind: "list",
      start: null,
      items: [[paragraph("a"), { kind: "list", start: null, items: [[paragraph("b")]] }], [paragraph("c")]],
    },
    { kind: "list", start: 3, items: [[paragraph("x")], [paragraph("y")]] },
    { kind: "quote", blocks: [paragraph("said")] },
    { kind: "code", text: "<b>" },
    { kind: "rule" },
    { kind: "table", head: [[text("a")], [text("b")]], rows: [[[text("1")], [text("x|y")]]] },
  ]);
});

test("emphasis, code and links are read, within each other too", () => {
  expect(readInline("a **b *c*** `d*e*` ~~f~~ snake_case_name \\*g\\*")).toEqual([
    text("a "),
    { kind: "strong", children: [text("b "), { kind: "em", children: [text("c")] }] },
    text(" "),
    { kind: "code", text: "d*e*" },
    text(" "),
    { kind: "strike", children: [text("f")] },
    text(" snake_case_name *g*"),
  ]);
  expect(readInline("[x](https://a.example/y) https://b.example")).toEqual([
    { kind: "link", href: "https://a.example/y", children: [text("x")] },
    text(" "),
    { kind: "link", href: "https://b.example/", children: [text("https://b.example")] },
  ]);
});

test.each([
  "[x](javascript:alert(1))",
  "[x](JAVASCRIPT:alert)",
  "[x](data:text/html,<script>)",
  "[x](/console/)",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
])("%s is text", (words) => {
  expect(JSON.stringify(readMarkdown(words))).not.toMatch(/"link"|"href"/);
  expect(readMarkdown(words)).toEqual([paragraph(words)]);
});

test("no text makes it slow, and none of it is lost", () => {
  for (const piece of [
    "*",
    "**a ",
    "`",
    "``a`",
    "[",
    "[a](",
    "_a",
    "> ",
    "- ",
    "1. ",
    "|a",
    "~~~",
    "h",
    "\\",
  ]) {
    const long = piece.repeat(20_000);
    expect(JSON.stringify(readMarkdown(long)).length).toBeGreaterThan(0);
  }
  const spaces = " ".repeat(200_000);
  expect(readMarkdown(`# a${spaces}b`)).toMatchObject([{ kind: "heading" }]);
  expect(readMarkdown(`# a ${"#".repeat(200_000)}b`)).toMatchObject([{ kind: "heading" }]);
  expect(readMarkdown(`a|b\n-${spaces}x`)).toMatchObject([{ kind: "paragraph" }, { kind: "list" }]);
  const ticks = "`".repeat(200_000);
  expect(readInline(`a${ticks}`)).toEqual([text(`a${ticks}`)]);
});

test("a heading's closing marks are no part of it, nor is the space around its words", () => {
  const heading = (words: string) => [
    { kind: "heading", level: 2, children: words === "" ? [] : [text(words)] },
  ];
  expect(readMarkdown("##  a # b ##  ")).toEqual(heading("a # b"));
  expect(readMarkdown("## ##")).toEqual(heading(""));
});
