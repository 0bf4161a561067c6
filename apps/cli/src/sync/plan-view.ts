import type { CliFault } from "../faults/cli-fault.ts";
import type { FolderFault } from "../folders/loaded-folder.ts";
import { harmlessLine } from "@bulkhead/core/harmless";
import type { Cell, Terminal } from "../terminal/terminal.ts";
import { placeOf } from "./fault-lines.ts";
import type { SyncRow } from "./open-sync.ts";
import type { PushItem } from "./push-plan.ts";
import type { Standing } from "./three-way.ts";

type Format = NonNullable<Cell["format"]>;

const FORMATS: Readonly<Partial<Record<Standing, Format>>> = {
  "new here": "green",
  "changed here": "green",
  "deleted here": "red",
  "new there": "cyan",
  "changed there": "cyan",
  "deleted there": "cyan",
  conflict: "magenta",
  "faulty here": "red",
};

const VERBS = {
  create: "create",
  update: "update",
  delete: "delete",
  leave: "leave",
  stop: "conflict",
} as const;

/** What stands behind a tool: why it is left, what a change changes, why it can't be. */
function remarkOf({ row, action, changed, refusal }: PushItem): string {
  if (refusal !== null) return refusal.message;
  if (action === "update" && changed !== undefined) {
    const over = row.standing === "changed here" ? "" : "; overwrites a change of others";
    return `${changed.join(", ")}${over}`;
  }
  if (action === "create" && row.standing !== "new here") return "others deleted it";
  return action === "stop" || action === "leave" ? remarkOn(row) : "";
}

/** What a person can do about it. */
function remarkOn({ standing, sides, theirs }: SyncRow): string {
  switch (standing) {
    case "conflict":
      if (sides.theirs === undefined) return "changed here, deleted on the server";
      if (sides.mine === undefined) return "deleted here, changed on the server";
      return sides.base === undefined ? "both have it, and differ" : "changed here and on the server";
    case "changed there":
      return "pull takes it";
    case "new there":
      return "only on the server; pull takes it";
    case "deleted there":
      return "somebody deleted it on the server";
    case "deleted here":
      return "push --prune deletes it on the server too";
    case "faulty here":
      return "its file has a fault";
    case "unchanged":
      return theirs?.pendingVersion === undefined
        ? ""
        : `version ${theirs.pendingVersion} waits for a person`;
    default:
      return "";
  }
}

/** A table of the tools, one a line. */
export function tellRows(terminal: Terminal, rows: readonly SyncRow[]): void {
  terminal.table(
    [
      { title: "tool" },
      { title: "standing" },
      { title: "file", flexible: true },
      { title: "", flexible: true },
    ],
    rows.map((row) => [
      row.key,
      { text: row.standing, format: FORMATS[row.standing] },
      row.file ?? "",
      remarkOn(row),
    ]),
  );
}

/** The plan of a push: what changes, and what is left although it is not alike. */
export function tellPlan(terminal: Terminal, items: readonly PushItem[]): void {
  const told = shownItems(items);
  if (told.length === 0) return;
  terminal.table(
    [{ title: "" }, { title: "tool" }, { title: "file", flexible: true }, { title: "", flexible: true }],
    told.map((item) => [
      { text: VERBS[item.action], format: item.refusal === null ? FORMATS[item.row.standing] : "red" },
      item.row.key,
      item.row.file ?? "",
      remarkOf(item),
    ]),
  );
  for (const { row, warnings } of items)
    for (const warning of warnings) terminal.note(`! ${row.key}: ${warning}`, "yellow");
}

/** Tools that only the server has are no part of a push. */
export const shownItems = (items: readonly PushItem[]): PushItem[] =>
  items.filter(
    ({ row: { standing } }) => standing !== "unchanged" && standing !== "new there" && standing !== "gone",
  );

const NOTHING = "nothing to do";
/** A comment on a pull request that changes no tool. */
export const NO_CHANGES = `### Tools: ${NOTHING}`;

const COUNTED = {
  create: "to create",
  update: "to update",
  delete: "to delete",
  stop: "in conflict",
} as const;

/** "2 to create, 1 to update and 1 to delete" */
export function countsOf(items: readonly PushItem[]): string {
  const counts = Object.entries(COUNTED).flatMap(([action, words]) => {
    const count = items.filter((item) => item.action === action).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return counts.length > 1
    ? `${counts.slice(0, -1).join(", ")} and ${counts.at(-1)}`
    : (counts[0] ?? NOTHING);
}

/** GitHub takes comments of 65,536 characters; what marks one, and the lines behind a cut, are not counted here. */
const MARKDOWN_CHARS_MAX = 64_000;
const MARKDOWN_ROWS_MAX = 150;
const CELL_CHARS_MAX = 200;
const MESSAGE_CHARS_MAX = 2_000;

/**
 * The plan as a comment on a pull request. Whatever a folder or a server wrote stands in code spans, where nothing is a link, a
 * mention or a tag, and can end neither its span nor its row.
 */
export function planMarkdown(items: readonly PushItem[], faults: readonly FolderFault[]): string {
  const told = shownItems(items);
  const lines = [`### Tools: ${countsOf(items)}`, ""];
  if (told.length > 0) lines.push("| | tool | file | |", "| --- | --- | --- | --- |");
  for (const item of told.slice(0, MARKDOWN_ROWS_MAX)) {
    const mark = item.refusal === null ? VERBS[item.action] : "**refused**";
    const bold = item.action === "stop" || item.action === "delete" ? `**${mark}**` : mark;
    lines.push(
      `| ${bold} | ${code(item.row.key)} | ${code(item.row.file ?? "")} | ${code(remarkOf(item))} |`,
    );
  }
  if (told.length > MARKDOWN_ROWS_MAX) lines.push("", `… and ${told.length - MARKDOWN_ROWS_MAX} more.`);
  const warned = items.flatMap(({ row, warnings }) =>
    warnings.map((text) => `- ${code(row.key)}: ${code(text)}`),
  );
  lines.push(...section("Warnings", warned));
  const wrong = faults.map((fault) => `- ${code(placeOf(fault))}: ${code(fault.message)}`);
  lines.push(...section("Faults of the folder", wrong));
  const shown = fitting(lines);
  const stopped = items.filter(({ action }) => action === "stop").length;
  if (stopped > 0)
    shown.push(
      "",
      `**${stopped} changed on the server meanwhile**: a push would overwrite that, and is refused.`,
    );
  return shown.join("\n");
}

/** The first lines, as many as a comment has room for. */
function fitting(lines: readonly string[]): string[] {
  let chars = 0;
  const end = lines.findIndex((line) => (chars += line.length + 1) > MARKDOWN_CHARS_MAX);
  return end < 0 ? [...lines] : [...lines.slice(0, end), "", "… and more than a comment has room for."];
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MARKDOWN_ROWS_MAX;
  return [
    "",
    `**${title}**`,
    "",
    ...lines.slice(0, MARKDOWN_ROWS_MAX),
    ...(more > 0 ? [`- … and ${more} more.`] : []),
  ];
}

/** Why there is no plan, and what to do, in the place of one. */
export function failureMarkdown({ message, parts: { errors = [], next } }: CliFault): string {
  const why = errors.map(({ path, message: each }) => (path === "" ? each : `${path}: ${each}`));
  const lines = [message, ...why, ...(next === undefined ? [] : [`→ ${next}`])];
  const shown = lines.slice(0, MARKDOWN_ROWS_MAX).map((line) => `- ${code(line, MESSAGE_CHARS_MAX)}`);
  return fitting(["### Tools: the plan failed", "", ...shown]).join("\n");
}

function code(text: string, charsMax = CELL_CHARS_MAX): string {
  const line = harmlessLine(text.slice(0, charsMax)).trim();
  // A pipe would end the cell even in a span, where a backslash before it is no part of the text.
  return line === "" ? "" : `\`${line.replaceAll("`", "ˋ").replaceAll("\\", "⧵").replaceAll("|", "\\|")}\``;
}

/** What scripts get of a plan. */
export const planValue = (items: readonly PushItem[]) =>
  items
    .filter(({ row }) => row.standing !== "new there" && row.standing !== "gone")
    .map((item) => ({
      name: item.row.name,
      agentId: item.row.agentId,
      file: item.row.file,
      standing: item.row.standing,
      action: VERBS[item.action],
      changed: item.changed,
      warnings: item.warnings.length > 0 ? item.warnings : undefined,
      refusal: item.refusal ?? undefined,
    }));
