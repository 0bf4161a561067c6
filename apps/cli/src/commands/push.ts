import { BulkheadError } from "@bulkhead/client";
import type { Cli, Define } from "../cli.ts";
import { CliFault, EXIT, usageFault } from "../faults/cli-fault.ts";
import { describeFault } from "../faults/describe-fault.ts";
import { requireNoErrors, tellFaults } from "../sync/fault-lines.ts";
import { chosen, openSync, remember, type Sync, type SyncOptions } from "../sync/open-sync.ts";
import {
  countsOf,
  failureMarkdown,
  planMarkdown,
  planValue,
  shownItems,
  tellPlan,
} from "../sync/plan-view.ts";
import { isChange, planPush, type PushPlan, sentOf } from "../sync/push-plan.ts";
import { countParts, send } from "../sync/theirs.ts";
import { confirmOrFail } from "../terminal/ask.ts";

interface PushOptions extends SyncOptions {
  prune?: true;
  overwrite?: true;
  dryRun?: true;
  prComment?: true;
  yes?: true;
}

export const definePush: Define = (command, act) => {
  command
    .argument("[tools...]", "only these; all of the folder unless said")
    .option("--folder <path>", "the folder of the tools; the present one unless said")
    .option("--agent <id>", "as this agent's own tools")
    .option("--prune", "also delete on the server what was deleted here")
    .option("--overwrite", "also where somebody else changed the tool on the server")
    .option("--dry-run", "tell the plan, and push nothing")
    .option("--pr-comment", "tell the plan as Markdown for a pull request, and push nothing")
    .option("-y, --yes", "don't ask")
    .action(act((cli, tools: string[], options: PushOptions) => push(cli, tools, options)));
};

async function push(cli: Cli, names: readonly string[], options: PushOptions): Promise<void> {
  const { terminal } = cli;
  const { prComment = false, yes = false } = options;
  const isDry = isDryRun(options);
  if (prComment && terminal.json)
    throw usageFault("--pr-comment writes Markdown, and --json one JSON value.", "Leave one of them out.");
  const { sync, plan } = await planned(cli, names, options).catch((error: unknown) => {
    if (prComment) terminal.text(terminal.asCalled(failureMarkdown(describeFault(error))));
    throw error;
  });
  const { faults } = sync.mine;
  if (prComment) terminal.text(planMarkdown(plan.items, faults));
  else if (!terminal.json) {
    // Errors are told by what they end the push with.
    tellFaults(
      terminal,
      faults.filter(({ severity }) => severity === "warning"),
    );
    tellPlan(terminal, plan.items);
  } else if (isDry) terminal.value({ plan: planValue(plan.items), pushed: false });
  requireNoErrors(faults);
  requireNoConflict(plan);
  requireTaken(plan);
  const changes = plan.items.filter(isChange);
  if (isDry) {
    if (!prComment) terminal.note(`${countsOf(changes)}; nothing was pushed.`, "dim");
    return;
  }
  if (changes.length > 0) await confirmOrFail(terminal, questionOf(cli, sync, plan), yes);
  // A mark is a change too: without a question, or a word in its place, none is made.
  await store(cli, sync, plan, changes.length > 0 || yes);
  if (terminal.json) terminal.value({ plan: planValue(plan.items), pushed: true });
  else if (changes.length === 0) terminal.line(`✓ ${nothingOf(plan)}`);
  else terminal.line(`✓ Pushed: ${doneOf(countsOf(changes))}.`);
}

const isDryRun = ({ dryRun, prComment }: PushOptions): boolean => dryRun ?? prComment ?? false;

async function planned(cli: Cli, names: readonly string[], options: PushOptions) {
  const { prune = false, overwrite = false } = options;
  const sync = await openSync(cli, options);
  const rows = chosen(sync.rows, names);
  const plan = await cli.terminal.during("Comparing…", () =>
    planPush(sync, rows, { prune, overwrite }, isDryRun(options)),
  );
  return { sync, plan };
}

function nothingOf({ items }: PushPlan): string {
  if (items.length === 0) return "There are no tools.";
  return shownItems(items).length === 0
    ? "Nothing to push: the server has all as it is here."
    : "Nothing was pushed: what stands above is left as it is.";
}

const doneOf = (counts: string): string =>
  counts
    .replaceAll("to create", "created")
    .replaceAll("to update", "updated")
    .replaceAll("to delete", "deleted");

function requireNoConflict({ items }: PushPlan): void {
  const stopped = items.filter(({ action }) => action === "stop").map(({ row }) => row.key);
  if (stopped.length === 0) return;
  const [first = ""] = stopped;
  throw new CliFault(
    `${listOf(stopped)} changed on the server, or was never pushed from here; nothing was pushed.`,
    {
      exit: EXIT.refused,
      code: "cli.sync_conflict",
      next: `See it: bulkhead diff ${first}. Take over what you want to keep, then: bulkhead push --overwrite ${first}`,
      errors: stopped.map((key) => ({ path: key, message: "differs here and on the server" })),
    },
  );
}

/** The plan was tried on the server: what it refuses it would refuse again. */
function requireTaken({ items }: PushPlan): void {
  const refused = items.flatMap(({ row, refusal }) => (refusal === null ? [] : [{ row, refusal }]));
  if (refused.length === 0) return;
  throw new CliFault(
    `The server takes ${listOf(refused.map(({ row }) => row.key))} not as it is; nothing was pushed.`,
    {
      exit: EXIT.usage,
      code: "import.refused",
      errors: refused.flatMap(({ refusal }) => refusal.errors),
    },
  );
}

const NAMED_MAX = 5;

const listOf = (names: readonly string[]): string =>
  names.length > NAMED_MAX ? `${names.length} tools` : names.join(", ");

function questionOf({ terminal }: Cli, { root }: Sync, { items }: PushPlan): string {
  const deleted = items.filter(({ action }) => action === "delete").map(({ row }) => row.key);
  const gone = deleted.length === 0 ? "" : ` Deletes ${listOf(deleted)} with all versions.`;
  return terminal.json ? `Push ${root}?` : `Push (${countsOf(items.filter(isChange))})?${gone}`;
}

/** Stores the plan, and remembers what was stored even where a later part fails. */
async function store(
  { terminal }: Cli,
  sync: Sync,
  { items, alike }: PushPlan,
  mayMark: boolean,
): Promise<void> {
  const { known, source } = sync;
  for (const { key, standing } of sync.rows) if (standing === "gone") delete known[key];
  for (const { key, sides } of alike) remember(sync, key, String(sides.theirs));
  const put = items.filter(({ action }) => action === "create" || action === "update").map(({ row }) => row);
  const marked = source !== null && mayMark ? alike.filter(({ theirs }) => theirs?.source === undefined) : [];
  const records = put.length + marked.length > 0 ? await sync.mine.records() : new Map();
  const sent = sentOf([...put, ...marked], records);
  const removed = items.filter(({ action }) => action === "delete").map(({ row }) => row);
  const remove = Object.fromEntries(
    removed.flatMap(({ theirs }) => (theirs === undefined ? [] : [[theirs.id, theirs.recordHash]])),
  );
  const keyOfId = new Map(removed.map(({ key, theirs }) => [theirs?.id, key]));
  if (sent.length + removed.length > 0) {
    const parts = countParts(sent, removed.length);
    let stored = 0;
    try {
      await terminal.during(`Pushing ${sent.length + removed.length} tools…`, () =>
        send(sync.client, sent, {
          source,
          remove,
          onStored: (answers, deleted) => {
            stored += 1;
            for (const [key, { recordHash }] of answers) if (recordHash) remember(sync, key, recordHash);
            for (const { id } of deleted) delete known[keyOfId.get(id) ?? ""];
          },
        }),
      );
    } catch (error) {
      if (stored > 0) await sync.save();
      throw failed(error, stored, parts);
    }
  }
  await sync.save();
}

/** A race is told as one; of a push in parts, how far it came. */
function failed(error: unknown, stored: number, parts: number): CliFault {
  const fault = describeFault(error);
  const isRace = error instanceof BulkheadError && error.code === "tool.precondition_failed";
  // What was asked last may have been stored where its answer alone was lost.
  const isUnsure = fault.parts.exit === EXIT.unreachable;
  const rest = isUnsure ? "whether more was is not known" : "the rest was not";
  const none = isUnsure ? "Whether anything was pushed is not known." : "Nothing was pushed.";
  const far = stored > 0 ? `${stored} of ${parts} parts were pushed before; ${rest}.` : none;
  const what = isRace ? "Somebody else changed the tools just now." : fault.message;
  return new CliFault(`${what} ${far}`, {
    ...fault.parts,
    next: isRace || isUnsure || stored > 0 ? "Look again: bulkhead status" : fault.parts.next,
  });
}
