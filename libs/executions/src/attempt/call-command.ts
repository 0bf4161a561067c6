import {
  LARGE_JSON_CHARS,
  type CapabilityAnswer,
  type EndingLayer,
  type Json,
  type JsonObject,
  type RunLimits,
  type SandboxOutcome,
  type ToolCommand,
} from "@bulkhead/core";
import { CUT_MARK, JSON_DEPTH_MAX, nestsTooDeep } from "@bulkhead/sandbox/wire";
import { judgeTenantCommand, renderCommand } from "@bulkhead/tools/built-in";
import type { Cover } from "../secrets/cover.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { Effects } from "./effects.ts";
import type { RunVerdict } from "./run-verdict.ts";
import { ServerLog } from "./server-log.ts";
import type { HeldAttempt } from "./tool-calls.ts";

/** UTF-16 units of what a command says of its failure: the last ones. */
const MESSAGE_CHARS_MAX = 1_800;
/** The least time that a shell takes a command for, in milliseconds. */
const COMMAND_MS_MIN = 100;

interface CommandTool {
  shell: ToolCommand;
  limits: RunLimits;
  outputSchema: JsonObject | null;
}

/**
 * Runs the tool's command in place of code, in a shell over the caller's workspace: no sandbox is bound, and the values of its
 * variables go to the shell alone. Secrets that stand in the arguments do not get into the line. Never rejects.
 */
export async function callCommand(
  held: Pick<HeldAttempt, "tenantId" | "argumentsJson" | "byAgent" | "approvals">,
  { shell, limits, outputSchema }: CommandTool,
  { cover, log, effects }: { cover: Cover; log: AttemptLog; effects: Pick<Effects, "runCommand"> },
  signal: AbortSignal,
): Promise<RunVerdict> {
  const { argumentsJson } = held;
  const startedAt = performance.now();
  log.started();
  const covered = cover.json(argumentsJson);
  if (covered !== argumentsJson) log.say({ type: "execution.log", level: "warn", text: HELD_SECRETS });
  const rendered = renderCommand(shell.template, JSON.parse(covered) as JsonObject);
  const ends = (outcome: SandboxOutcome, endedBy: EndingLayer): RunVerdict => {
    const wallMs = performance.now() - startedAt;
    return { ...outcome, usage: { cpuMs: 0, wallMs, memoryPeakMib: 0, bindMs: 0 }, endedBy, process: "own" };
  };
  if ("refused" in rendered) return ends({ outcome: "threw", message: rendered.refused }, "guest");
  const blocked = await whyBlocked(held, rendered.command, shell.workingDirectory);
  if (blocked !== null) return ends({ outcome: "threw", message: blocked }, "worker");
  const timeoutMs = Math.max(COMMAND_MS_MIN, limits.wallMs);
  const args = { command: rendered.command, cwd: shell.workingDirectory, timeoutMs };
  const answer = await effects.runCommand(args, cover.secrets.variables, signal);
  if (signal.aborted) return ends({ outcome: "aborted", message: "The command was given up." }, "worker");
  if (!answer.ok) return ends({ outcome: "threw", message: answer.message, code: answer.code }, "worker");
  const outcome = outcomeOf(answer, { cover, limits, isData: outputSchema !== null });
  if (outcome.outcome === "returned" && outcome.json.length > LARGE_JSON_CHARS)
    await cover.largeResult(outcome.json);
  return ends(outcome, "guest");
}

/** Its own settings say whether a call of it is approved; what the tenant blocks for agents stays blocked. */
async function whyBlocked(
  { tenantId, byAgent, approvals }: Pick<HeldAttempt, "tenantId" | "byAgent" | "approvals">,
  command: string,
  cwd: string,
): Promise<string | null> {
  const rules = byAgent ? approvals.commands.filter(({ approval }) => approval === "blocked") : [];
  if (rules.length === 0) return null;
  const judged = await judgeTenantCommand(tenantId, command, rules, cwd);
  return judged.verdict === "refuse" ? judged.message : null;
}

const HELD_SECRETS = "The arguments held a secret, which was replaced before the command was made of them.";

interface Told {
  cover: Cover;
  limits: RunLimits;
  isData: boolean;
}

/** What the command has left, as the capability tells it. */
interface Left {
  stdout: string;
  stderr: string;
  exitCode: number;
  timedOut: boolean;
  truncated: boolean;
  unsaved: { path: string; why: string }[];
}

function outcomeOf(
  { value }: Extract<CapabilityAnswer, { ok: true }>,
  { cover, limits, isData }: Told,
): SandboxOutcome {
  const left = value as unknown as Left;
  tellBeside(left, new ServerLog(cover, limits.logBytes));
  if (left.timedOut)
    return {
      outcome: "wall",
      message: `The command did not end within ${limits.wallMs} ms (timeoutSeconds, limits.wallMs).`,
    };
  if (left.exitCode !== 0)
    return { outcome: "threw", message: `The command ended with exit code ${left.exitCode}${endOf(left)}` };
  const json = JSON.stringify(valueOf(left.stdout.replace(/\r?\n$/, ""), isData));
  if (nestsTooDeep(json))
    return { outcome: "output_invalid", message: `The result nests deeper than ${JSON_DEPTH_MAX} levels.` };
  if (Buffer.byteLength(json) <= limits.resultBytes) return { outcome: "returned", json };
  const message = `The result is larger than ${limits.resultBytes} bytes as JSON (limits.resultBytes).`;
  return { outcome: "result_too_large", message };
}

/** What it said beside its result, and what was lost. */
function tellBeside({ stderr, truncated, unsaved }: Left, log: ServerLog): void {
  if (stderr.trim() !== "")
    log.lines(
      stderr
        .replace(/\n$/, "")
        .split("\n")
        .map((text) => ({ level: "warn", text })),
    );
  if (truncated)
    log.lines([{ level: "warn", text: "The command said more than is kept; the rest is left out." }]);
  for (const { path, why } of unsaved) log.lines([{ level: "warn", text: `${path} was not saved: ${why}` }]);
}

function endOf({ stderr }: Left): string {
  const said = stderr.trim();
  if (said === "") return ".";
  const end =
    said.length > MESSAGE_CHARS_MAX ? CUT_MARK + said.slice(-MESSAGE_CHARS_MAX).toWellFormed() : said;
  return `: ${end}`;
}

/** Data where the tool has a schema for its result and the command said some; else the text. */
function valueOf(stdout: string, isData: boolean): Json {
  if (!isData) return stdout;
  try {
    return JSON.parse(stdout) as Json;
  } catch {
    return stdout;
  }
}
