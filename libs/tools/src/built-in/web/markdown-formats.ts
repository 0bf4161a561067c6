import type { DomNode, FormatCallback } from "html-to-text";
import { MARKDOWN_COLUMNS_MAX } from "./bounds.ts";

/** The text within, on one line. */
function lineOf(node: DomNode): string {
  const parts: string[] = [];
  const collect = ({ type, data, children }: DomNode): void => {
    if (type === "text") parts.push(data ?? "");
    else for (const child of children) collect(child);
  };
  collect(node);
  return parts.join("").replace(/\s+/g, " ").trim();
}

const named = (node: DomNode, names: readonly string[]): boolean =>
  (node.children ?? []).some((child) => names.includes(child.name ?? "") || named(child, names));

/** Elements that begin a line: a link around them is no part of a line. */
const BLOCKS = [
  "p",
  "div",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "table",
  "pre",
  "blockquote",
  "section",
];

export const mdHeading: FormatCallback = (node, walk, builder) => {
  const level = Number(node.name?.slice(1)) || 1;
  builder.openBlock({ leadingLineBreaks: 2 });
  walk(node.children ?? [], builder);
  builder.closeBlock({
    trailingLineBreaks: 2,
    blockTransform: (text) =>
      text.trim() === "" ? "" : `${"#".repeat(level)} ${text.replace(/\s+/g, " ").trim()}`,
  });
};

export const mdLink: FormatCallback = (node, walk, builder) => {
  const href = node.attribs?.["href"];
  const text = lineOf(node);
  if (href === undefined || text === "" || named(node, BLOCKS)) return walk(node.children ?? [], builder);
  builder.addInline(`[${text.replace(/[[\]]/g, "\\$&")}](${href.replace(/[()\s]/g, encodeURIComponent)})`, {
    noWordTransform: true,
  });
};

export const mdImage: FormatCallback = ({ attribs }, _walk, builder) => {
  const alt = attribs?.["alt"]?.replace(/\s+/g, " ").trim() ?? "";
  const src = attribs?.["src"];
  if (alt !== "" && src !== undefined) builder.addInline(`![${alt.replace(/[[\]]/g, "\\$&")}](${src})`);
};

/** Marks around a text of one line; none where there is no text. */
const marked =
  (mark: string): FormatCallback =>
  (node, walk, builder) => {
    const isText = lineOf(node) !== "" && !named(node, BLOCKS);
    if (isText) builder.addInline(mark);
    walk(node.children ?? [], builder);
    if (isText) builder.addInline(mark);
  };
export const mdStrong = marked("**");
export const mdEmphasis = marked("*");

/** Longer than any run of these in the text, so that the text can't end it. */
const fenceFor = (text: string, least: number): string => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return "`".repeat(Math.max(least, longest + 1));
};

export const mdCode: FormatCallback = (node, _walk, builder) => {
  const text = lineOf(node);
  if (text === "") return;
  const fence = fenceFor(text, 1);
  const room = fence.length > 1 ? " " : "";
  builder.addInline(`${fence}${room}${text}${room}${fence}`, { noWordTransform: true });
};

export const mdPre: FormatCallback = (node, walk, builder) => {
  const inner = node.children?.find(({ name }) => name === "code");
  const classes = `${node.attribs?.["class"] ?? ""} ${inner?.attribs?.["class"] ?? ""}`;
  const language = /\blang(?:uage)?-([\w+#-]{1,20})/.exec(classes)?.[1] ?? "";
  builder.openBlock({ isPre: true, leadingLineBreaks: 2 });
  // The code within is written as it is, without marks of its own.
  walk(
    (node.children ?? []).flatMap((child) => (child.name === "code" ? (child.children ?? []) : [child])),
    builder,
  );
  builder.closeBlock({
    trailingLineBreaks: 2,
    blockTransform: (text) => {
      const fence = fenceFor(text, 3);
      return `${fence}${language}\n${text.replace(/^\n+|\s+$/g, "")}\n${fence}`;
    },
  });
};

export const mdQuote: FormatCallback = (node, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2, reservedLineLength: 2 });
  walk(node.children ?? [], builder);
  builder.closeBlock({
    trailingLineBreaks: 2,
    blockTransform: (text) =>
      text
        .trim()
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n"),
  });
};

export const mdRule: FormatCallback = (_node, _walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline("---");
  builder.closeBlock({ trailingLineBreaks: 2 });
};

/** A table of data as one of Markdown; one that only lays out a page as its text. Numbers in a page size nothing. */
export const mdTable: FormatCallback = (node, walk, builder) => {
  const rows = rowsOf(node).map((row) =>
    (row.children ?? []).filter(({ name }) => name === "td" || name === "th"),
  );
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  builder.openBlock({ leadingLineBreaks: 2 });
  if (columns < 2 || columns > MARKDOWN_COLUMNS_MAX || named(node, ["table", "ul", "ol", "pre"])) {
    walk(node.children ?? [], builder);
    return builder.closeBlock({ trailingLineBreaks: 2 });
  }
  const lines = rows.map((cells) => {
    const texts = cells.map((cell) => lineOf(cell).replaceAll("|", "\\|"));
    return `| ${[...texts, ...Array<string>(columns - texts.length).fill("")].join(" | ")} |`;
  });
  const [head = "", ...body] = lines;
  const rule = `|${" --- |".repeat(columns)}`;
  // A block without a word is none.
  builder.addInline("|");
  const table = [head, rule, ...body].join("\n");
  builder.closeBlock({ trailingLineBreaks: 2, blockTransform: () => table });
};

const rowsOf = (node: DomNode): DomNode[] =>
  (node.children ?? []).flatMap((child) => {
    if (child.name === "tr") return [child];
    return ["thead", "tbody", "tfoot"].includes(child.name ?? "") ? rowsOf(child) : [];
  });
