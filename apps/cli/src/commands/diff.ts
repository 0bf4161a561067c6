import type { Cli, Define } from "../cli.ts";
import { tellFaults } from "../sync/fault-lines.ts";
import { chosen, openSync, type SyncOptions } from "../sync/open-sync.ts";
import { sentOf } from "../sync/push-plan.ts";
import { readFolders } from "../sync/read-folders.ts";
import { foresee } from "../sync/theirs.ts";
import { harmlessLine } from "@bulkhead/core/harmless";
import type { Cell } from "../terminal/terminal.ts";

export const defineDiff: Define = (command, act) => {
  command
    .argument("[tools...]", "only these; all that the folder has unless said")
    .option("--folder <path>", "the folder of the tools; the present one unless said")
    .option("--agent <id>", "this agent's own tools")
    .action(act((cli, tools: string[], options: SyncOptions) => diff(cli, tools, options)));
};

async function diff(cli: Cli, names: readonly string[], options: SyncOptions): Promise<void> {
  const { terminal } = cli;
  const sync = await openSync(cli, options);
  tellFaults(terminal, sync.mine.faults);
  const rows = chosen(sync.rows, names).filter(
    ({ standing }) => standing !== "unchanged" && standing !== "gone" && standing !== "faulty here",
  );
  // What only the server has is no part of a push; where it is named it is shown.
  const shown = names.length > 0 ? rows : rows.filter(({ standing }) => standing !== "new there");
  const { folderOfRecord, toolDiff } = await import("../sync/tool-diff.ts");
  const records = shown.length > 0 ? await sync.mine.records() : new Map();
  const unasked = shown.filter(({ foreseen, theirs }) => foreseen === undefined && theirs !== undefined);
  const [folders, foreseen] = await Promise.all([
    readFolders(sync.client, shown),
    foresee(sync.client, sentOf(unasked, records)),
  ]);
  const diffs = shown.map((row) => {
    const record = records.get(row.key);
    const mine = record === undefined ? null : folderOfRecord(record);
    const { changed } = row.foreseen ?? foreseen.get(row.key) ?? {};
    return {
      name: row.key,
      standing: row.standing,
      lines: toolDiff(harmlessLine(row.key), folders.get(row.key) ?? null, mine, changed),
    };
  });
  if (terminal.json)
    return terminal.value({ tools: diffs.map(({ lines, ...one }) => ({ ...one, diff: lines.join("\n") })) });
  for (const { lines } of diffs) for (const line of lines) terminal.line(line, formatOf(line));
  if (diffs.length === 0) terminal.note("Nothing differs.", "dim");
}

function formatOf(line: string): Cell["format"] {
  if (line.startsWith("+++") || line.startsWith("---")) return "bold";
  if (line.startsWith("@@")) return "cyan";
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}
