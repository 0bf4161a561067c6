import {
  APPROVAL_CODE_LIMITS,
  ASKING_CHARS_MAX,
  placeSecrets,
  withinCeilings,
  type Asking,
  type ClaimedExecution,
  type Ending,
  type RunnableTool,
  type Sandbox,
  type SandboxVerdict,
} from "@bulkhead/core";
import type { CodeFault } from "@bulkhead/tools/code";
import type { Cover } from "../secrets/cover.ts";
import { judgeCrash, type Judged } from "./judge.ts";
import { refusal } from "./tool-calls.ts";

export interface ApprovalCodeDeps {
  sandbox: Pick<Sandbox, "run">;
  /** As in `RunnableDeps`. */
  findCodeFault(tool: Pick<RunnableTool, "code">): CodeFault | null;
}

/** A call about which its tool's own code is asked. */
export interface Question {
  tenantId: string;
  executionId: string;
  toolId: string | null;
  toolVersion: number;
  code: string;
  argumentsJson: string;
  contextJson: string;
  /** As in `SandboxRun`. */
  depth: number;
  alone: boolean;
  ceilings: ClaimedExecution["ceilings"];
}

/** The end of a call whose tool's own code was asked and killed its process: like a run that does so, it is convicted. */
export type Killed = Judged & Pick<Ending, "endedBy">;

/**
 * The code's answer: whether a person is to be asked, and why; `verdict` is null where nothing ran, and one is asked. With
 * `killed` nobody is: the call ends so.
 */
export type Answered =
  | { asking: Asking; verdict: null; killed: null }
  | { asking: Asking | null; verdict: SandboxVerdict; killed: Killed | null };

/** Nothing is told of a config, and every effect is refused. */
const NO_CONFIG = placeSecrets([]).configJson;
const NO_EFFECTS = refusal("tool_not_allowed", "The code that decides on an approval has no effects.");

/**
 * Runs the code in a sandbox with a copy of the call's arguments, within `APPROVAL_CODE_LIMITS`. Only `false` spares a person
 * the question: what throws, reaches a limit or answers anything else has them asked. Where its process died it is asked once
 * more, alone, since an earlier run may have left the process broken. What it prints is told, what it emits is not. A run that
 * was aborted, or for which no sandbox could be had, is no answer: its verdict says so. Never rejects.
 */
export async function runApprovalCode(
  deps: ApprovalCodeDeps,
  question: Question,
  cover: Pick<Cover, "lines" | "text">,
  signal: AbortSignal,
): Promise<Answered> {
  const { toolId, toolVersion, code, ceilings, ...call } = question;
  const { sandbox } = deps;
  const fault = deps.findCodeFault({ code });
  if (fault !== null)
    return { asking: failed(`It was not run: ${fault.message}`), verdict: null, killed: null };
  const limits = withinCeilings(APPROVAL_CODE_LIMITS, ceilings);
  const isolateKey = `${toolId}@${toolVersion}/approval/${limits.memoryMib}`;
  const order = { ...call, code, isolateKey, configJson: NO_CONFIG, network: false, limits };
  const hooks = {
    onStarted: () => undefined,
    onLog: cover.lines.bind(cover),
    onProgress: () => undefined,
    onLargeResult: () => Promise.resolve(true),
    onEffect: () => Promise.resolve(NO_EFFECTS),
  };
  let verdict = await sandbox.run(order, hooks, signal);
  if (verdict.outcome === "crashed" && verdict.process !== "own")
    verdict = await sandbox.run({ ...order, alone: true }, hooks, signal);
  const coverText = (text: string): string => cover.text(text);
  return { asking: askingOf(verdict, coverText), verdict, killed: killedBy(verdict, coverText) };
}

/** Whether the code has given no answer since it was stopped, or could not run. */
export const isUnasked = ({ verdict }: Answered): boolean =>
  verdict?.outcome === "aborted" || verdict?.outcome === "unavailable";

function killedBy(verdict: SandboxVerdict, cover: (text: string) => string): Killed | null {
  if (verdict.outcome !== "crashed") return null;
  const { endedBy } = verdict;
  const message = `Its approvalCode was asked: ${cover(verdict.message)}`;
  const { judged, convicted } = judgeCrash(verdict.process, {
    error: { code: "sandbox.crashed", message },
    endedBy,
  });
  return convicted ? { ...judged, endedBy } : null;
}

function askingOf(verdict: SandboxVerdict, cover: (text: string) => string): Asking | null {
  if (verdict.outcome !== "returned") return failed(cover(verdict.message));
  if (verdict.json === "false") return null;
  if (verdict.json === "true") return { because: "answered" };
  return failed(cover(`It answered ${verdict.json}, which is neither true nor false.`));
}

/** The reason stays on a row, as jsonb: that takes no NUL, and no half of a character. */
function failed(message: string): Asking {
  const text = message.replaceAll("\0", "").slice(0, ASKING_CHARS_MAX).toWellFormed();
  return { because: "failed", message: text };
}
