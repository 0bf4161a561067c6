import { type Inline, readInline } from "./markdown-inline.ts";

/** Parts of a Markdown text, of which nothing is HTML. */
export type Block =
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; start: number | null; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

const DEPTH_MAX = 6;
const HEADING = /^ {0,3}(#{1,6})\s/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?: {1,4}|$)(.*)$/;
/** Of a line without the space around it. */
const TABLE_RULE = /^\|?[ :]*-+[ :]*(?:\|[ :]*-+[ :]*)*\|?$/;

/** Reads headings, paragraphs, lists, quotes, tables, rules and fenced code. What is none of these, HTML too, is text. */
export const readMarkdown = (text: string): Block[] =>
  readLines(text.replaceAll("\r\n", "\n").split("\n"), 0);

function readLines(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at, depth);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

type Read = [block: Block | null, next: number];

function readBlock(lines: readonly string[], at: number, depth: number): Read {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, at + 1];
  const heading = HEADING.exec(line);
  if (heading !== null)
    return [
      {
        kind: "heading",
        level: heading[1]?.length ?? 1,
        children: readInline(headingOf(line.slice(heading[0].length))),
      },
      at + 1,
    ];
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return readFence(lines, at, fence);
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (depth < DEPTH_MAX && QUOTE.test(line)) return readQuote(lines, at, depth);
  if (depth < DEPTH_MAX && ITEM.test(line)) return readList(lines, at, depth);
  if (line.includes("|") && TABLE_RULE.test((lines[at + 1] ?? "").trim())) return readTable(lines, at);
  return readParagraph(lines, at);
}

/** A heading's words, without the marks that close it. No pattern does it, since those that would are slow over many spaces. */
function headingOf(said: string): string {
  const words = said.trim();
  let end = words.length;
  while (words[end - 1] === "#") end -= 1;
  return words.slice(0, end).trimEnd();
}

function readFence(lines: readonly string[], at: number, fence: string): Read {
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? "").trimStart().startsWith(fence)) end += 1;
  return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function readQuote(lines: readonly string[], at: number, depth: number): Read {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end] ?? "")) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return [{ kind: "quote", blocks: readLines(inner, depth + 1) }, end];
}

/** An item goes on with lines that are indented; an empty line ends it unless such a one follows. */
function readList(lines: readonly string[], at: number, depth: number): Read {
  const first = ITEM.exec(lines[at] ?? "")?.[2] ?? "-";
  const isOrdered = /^\d/.test(first);
  const items: Block[][] = [];
  let next = at;
  while (next < lines.length) {
    const item = ITEM.exec(lines[next] ?? "");
    if (item === null || RULE.test(lines[next] ?? "") || /^\d/.test(item[2] ?? "") !== isOrdered) break;
    const indent = (item[1]?.length ?? 0) + 2;
    const inner = [item[3] ?? ""];
    next += 1;
    while (next < lines.length && goesOn(lines, next, indent)) {
      inner.push((lines[next] ?? "").replace(/^ {1,4}/, ""));
      next += 1;
    }
    items.push(readLines(inner, depth + 1));
    while (next < lines.length && (lines[next] ?? "").trim() === "" && ITEM.test(lines[next + 1] ?? ""))
      next += 1;
  }
  return [{ kind: "list", start: isOrdered ? Number.parseInt(first, 10) : null, items }, next];
}

function goesOn(lines: readonly string[], at: number, indent: number): boolean {
  const line = lines[at] ?? "";
  if (line.trim() === "") return (lines[at + 1] ?? "").startsWith(" ".repeat(indent));
  return line.startsWith(" ".repeat(indent)) || !startsBlock(line);
}

const startsBlock = (line: string): boolean =>
  [HEADING, FENCE, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));

const cellsOf = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => readInline(cell.trim().replaceAll(String.raw`\|`, "|")));

function readTable(lines: readonly string[], at: number): Read {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end += 1;
  const head = cellsOf(lines[at] ?? "");
  const rows = lines.slice(at + 2, end).map((line) => cellsOf(line).slice(0, head.length));
  return [{ kind: "table", head, rows }, end];
}

function readParagraph(lines: readonly string[], at: number): Read {
  let end = at + 1;
  while (end < lines.length && (lines[end] ?? "").trim() !== "" && !startsBlock(lines[end] ?? "")) end += 1;
  const text = lines.slice(at, end).map((line) => line.replace(/^ +/, ""));
  return [{ kind: "paragraph", children: readInline(text.join("\n")) }, end];
}
