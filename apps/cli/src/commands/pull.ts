import type { Cli, Define } from "../cli.ts";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { tellFaults } from "../sync/fault-lines.ts";
import { chosen, openSync, remember, type Sync, type SyncOptions, type SyncRow } from "../sync/open-sync.ts";
import { readFolders } from "../sync/read-folders.ts";
import { pullActionOf } from "../sync/three-way.ts";
import { tellRows } from "../sync/plan-view.ts";
import { confirmOrFail } from "../terminal/ask.ts";

interface PullOptions extends SyncOptions {
  dryRun?: true;
  yes?: true;
}

export const definePull: Define = (command, act) => {
  command
    .argument("[tools...]", "only these; named ones come back where they were deleted here")
    .option("--folder <path>", "the folder of the tools; the present one unless said")
    .option("--agent <id>", "this agent's own tools")
    .option("--dry-run", "tell what would be written, and write nothing")
    .option("-y, --yes", "don't ask")
    .action(act((cli, tools: string[], options: PullOptions) => pull(cli, tools, options)));
};

/** A tool that was not written, and why. */
interface Left {
  key: string;
  why: string;
}

async function pull(cli: Cli, names: readonly string[], options: PullOptions): Promise<void> {
  const { terminal } = cli;
  const { dryRun = false, yes = false } = options;
  const sync = await openSync(cli, options);
  const rows = chosen(sync.rows, names);
  const left: Left[] = [];
  const written: SyncRow[] = [];
  for (const row of rows) {
    if (row.standing === "conflict" && row.sides.mine !== undefined && row.sides.theirs !== undefined)
      left.push({
        key: row.key,
        why: terminal.asCalled("changed here and on the server; see it: bulkhead diff"),
      });
    else if (pullActionOf(row.standing, row.sides, names.length > 0) === "write") {
      const seen = sync.mine.tools.get(row.key);
      if (seen === undefined || seen.isPlain) written.push(row);
      else
        left.push({
          key: row.key,
          why: terminal.asCalled(
            `comes from the module ${seen.file}, which is not written back; change it there as bulkhead diff shows`,
          ),
        });
    }
  }
  if (!terminal.json) {
    tellFaults(terminal, sync.mine.faults);
    if (written.length > 0) tellRows(terminal, written);
  }
  const done: string[] = [];
  if (!dryRun && written.length > 0) {
    await confirmOrFail(terminal, `Write ${written.length} of the server's tools into ${sync.root}?`, yes);
    const result = await terminal.during(`Pulling ${written.length} tools…`, () => writeAll(sync, written));
    done.push(...result.done);
    left.push(...result.left);
  }
  if (!dryRun) {
    // Whoever pulls into a fresh clone has what the server has, where nothing differs.
    for (const { key, standing, theirs } of rows)
      if (standing === "unchanged" && theirs !== undefined) remember(sync, key, theirs.recordHash);
    await sync.save();
  }
  tellPulled(cli, { written, done, left, dryRun });
}

/** Writes one after the other, and remembers each that was written. */
async function writeAll(sync: Sync, rows: readonly SyncRow[]): Promise<{ done: string[]; left: Left[] }> {
  const { writeBack } = await import("../sync/write-back.ts");
  const folders = await readFolders(sync.client, rows);
  const done: string[] = [];
  const left: Left[] = [];
  for (const { key, name, theirs, file } of rows) {
    const files = folders.get(key);
    if (files === undefined || theirs === undefined) {
      left.push({ key, why: "is not on the server any more" });
      continue;
    }
    const seen = sync.mine.tools.get(key);
    const owned =
      theirs.agentId === undefined || theirs.agentId === sync.owner ? name : `${name}@${theirs.id}`;
    const folder = file === undefined ? owned : file.slice(0, Math.max(0, file.lastIndexOf("/")));
    const replaced = seen?.hash ?? null;
    const result = await writeBack({ root: sync.root, folder, replaced, files, owner: sync.owner });
    if (result.outcome === "left") left.push({ key, why: result.why });
    else {
      sync.known[key] = { mine: result.mine, theirs: theirs.recordHash, file: result.file };
      done.push(key);
    }
  }
  return { done, left };
}

interface Pulled {
  written: readonly SyncRow[];
  done: readonly string[];
  left: readonly Left[];
  dryRun: boolean;
}

function tellPulled({ terminal }: Cli, { written, done, left, dryRun }: Pulled): void {
  if (terminal.json)
    terminal.value({ written: dryRun ? written.map(({ key }) => key) : done, left, pulled: !dryRun });
  else {
    if (dryRun) terminal.note(`${written.length} to write; nothing was written.`, "dim");
    else if (done.length > 0) terminal.line(`✓ Pulled: ${done.length} written.`);
    else if (left.length === 0)
      terminal.line("✓ Nothing to pull: the folder has all that is new on the server.");
  }
  if (left.length > 0)
    throw new CliFault(`${left.length === 1 ? "A tool was" : `${left.length} tools were`} not pulled.`, {
      exit: EXIT.refused,
      code: "cli.not_pulled",
      next: "See how each tool stands: bulkhead status",
      errors: left.map(({ key, why }) => ({ path: key, message: why })),
    });
}
