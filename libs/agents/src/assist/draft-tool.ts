import {
  MODEL_KEY_FIELD,
  MODEL_SERVICE,
  newToolId,
  type FaultDetail,
  type HeldSecret,
  type ModelEndpoint,
  type ModelFailure,
  type RateLimiter,
  type SchemaChecker,
  type Scrubber,
  type ServiceConfigs,
  type TenantPrincipal,
  type Tool,
  Fault,
} from "@bulkhead/core";
import { createTool, type CreateToolRequest, type ToolDeps } from "@bulkhead/tools";
import type { ToolExample } from "@bulkhead/contracts";
import { requireCreatable, requireSound } from "../calls/creatable.ts";
import { judgeDraft, type TriedExample } from "./judge-draft.ts";
import { messagesFor } from "./instructions.ts";
import { readDraft, type ReadDeps, type ToolDraft } from "./read-draft.ts";

/** Times that a model is given the faults of its draft. */
export const REPAIRS_MAX = 3;
/** Drafts that a tenant may ask for in a minute. */
export const DRAFTS_PER_MINUTE = 10;
/** For all calls of the model and all runs of one draft; milliseconds. */
const DRAFT_MS_MAX = 180_000;

/** How an ask for a draft ended. */
export type DraftOutcome = "drafted" | "gave_up" | "failed" | "timeout";

export interface DraftDeps extends ToolDeps, ReadDeps {
  /** Null: this deployment has none. */
  model: ModelEndpoint | null;
  schemas: Pick<SchemaChecker, "checkSchema" | "checkResult">;
  rateLimiter: Pick<RateLimiter, "take">;
  configs: Pick<ServiceConfigs, "open">;
  /** Covers what looks like a secret, and what the tenant's rules name. */
  openScrubber(tenantId: string): Promise<Pick<Scrubber, "add" | "text" | "json">>;
  /**
   * Runs the example with its recorded answers, and nothing outside; `compiled` is null where the code runs as it was
   * written. Null where the signal fired first. Throws what a submission throws.
   */
  tryOut(
    principal: TenantPrincipal,
    draft: ToolDraft,
    compiled: string | null,
    signal: AbortSignal,
  ): Promise<TriedExample | null>;
  countDraft(outcome: DraftOutcome): void;
}

/** What a person asks the model for. */
export interface DraftWish {
  prompt: string;
  /** False: a draft that passes is told and not stored, and a tool may have its name, as the one that it would change has. */
  store: boolean;
}

/** What came of one draft of the model's. */
interface DraftAttempt {
  /** The step that found the faults; `passed`: none did. */
  stage: "answer" | "checks" | "dry_run" | "passed";
  faults: FaultDetail[];
  /** The run of its example, where it came to that. */
  executionId?: string;
}

export interface Drafted {
  /** Stored, and waiting for a person; null: no draft passed, or none was to be stored. */
  tool: Tool | null;
  warnings: string[];
  /** The last draft that had the form of a tool; null: none had. */
  draft: { request: CreateToolRequest; example: ToolExample } | null;
  attempts: DraftAttempt[];
  model: string;
}

/**
 * Lets the model draft a tool until its checks and the run of its own example find no fault, `REPAIRS_MAX` repairs at most, and
 * stores it to wait for a person, if it is to be stored. Throws `assist.not_configured`, `assist.rate_limited`, `assist.model_failed`,
 * `assist.timeout`, and what a submission of the example throws.
 */
export async function draftTool(
  deps: DraftDeps,
  principal: TenantPrincipal,
  wish: DraftWish,
  left: AbortSignal,
): Promise<Drafted> {
  const { model } = deps;
  if (model === null)
    throw new Fault("assist.not_configured", {
      detail: "This deployment has no model: its operator sets MODEL_BASE_URL and MODEL_NAME.",
    });
  await takeTurn(deps, principal);
  const toolId = newToolId();
  const attempts: DraftAttempt[] = [];
  let outcome: DraftOutcome = "gave_up";
  try {
    const drafted = await draftUntilGood({ ...deps, model }, principal, { wish, left, toolId, attempts });
    if (attempts.at(-1)?.stage === "passed") outcome = "drafted";
    return drafted;
  } catch (error) {
    outcome = error instanceof Fault && error.code === "assist.timeout" ? "timeout" : "failed";
    throw error;
  } finally {
    deps.countDraft(outcome);
    const details = { outcome, model: model.name, drafts: attempts.length };
    await deps.audit.record(principal, principal.tenantId, { action: "tool.drafted", id: toolId, details });
  }
}

interface Asked {
  wish: DraftWish;
  /** Fires when the caller leaves. */
  left: AbortSignal;
  /** The id that the tool gets. */
  toolId: string;
  /** Filled on the way. */
  attempts: DraftAttempt[];
}

async function draftUntilGood(
  deps: DraftDeps & { model: ModelEndpoint },
  principal: TenantPrincipal,
  { wish: { prompt, store }, left, toolId, attempts }: Asked,
): Promise<Drafted> {
  const { model } = deps;
  const { tenantId } = principal;
  const late = AbortSignal.timeout(DRAFT_MS_MAX);
  const signal = AbortSignal.any([left, late]);
  const key = await keyOf(deps, tenantId);
  const scrubber = await deps.openScrubber(tenantId);
  if (key) scrubber.add([key]);
  const asked = scrubber.text(prompt);
  let draft: ToolDraft | null = null;
  let last: { said: string; faults: FaultDetail[] } | null = null;
  while (attempts.length <= REPAIRS_MAX) {
    const answer = await model.complete({ tenantId, messages: messagesFor(asked, last), key }, signal);
    if (!answer.ok) throw refusalOf(answer.reason, answer.message, late);
    const read = readDraft(deps, answer.text, scrubber);
    let attempt: DraftAttempt;
    if ("faults" in read) attempt = { stage: "answer", faults: read.faults };
    else {
      ({ draft } = read);
      const requireGood = store ? requireCreatable : requireSound;
      attempt = await tryDraft(deps, principal, draft, { signal, late, requireGood });
    }
    attempts.push(attempt);
    if (attempt.stage === "passed" && draft) {
      if (!store) break;
      const { tool, warnings } = await createTool(deps, principal, { ...draft.request, id: toolId });
      return { tool, warnings, draft, attempts, model: model.name };
    }
    last = { said: scrubber.text(answer.text), faults: attempt.faults };
  }
  return { tool: null, warnings: [], draft, attempts, model: model.name };
}

interface Trial {
  signal: AbortSignal;
  late: AbortSignal;
  requireGood: typeof requireSound;
}

/** Checks a draft as its creation would, and runs its example. */
async function tryDraft(
  deps: DraftDeps,
  principal: TenantPrincipal,
  draft: ToolDraft,
  { signal, late, requireGood }: Trial,
): Promise<DraftAttempt> {
  try {
    const compiled = await requireGood(deps, principal, draft.request);
    const tried = await deps.tryOut(principal, draft, compiled, signal);
    if (tried === null) throw refusalOf("aborted", "nobody waits for the draft any more", late);
    const faults = await judgeDraft(deps, principal.tenantId, draft.example, tried);
    const { executionId } = tried;
    return { stage: faults.length > 0 ? "dry_run" : "passed", faults, executionId };
  } catch (error) {
    if (!(error instanceof Fault) || !isOfDraft(error)) throw error;
    const faults = error.errors.length > 0 ? error.errors : [{ path: "", message: error.detail }];
    return { stage: "checks", faults: faults.map(inDraft) };
  }
}

/** Whether the model can mend it: what is wrong with the tool, and no want of room or of a service. */
const isOfDraft = ({ code, status }: Fault): boolean =>
  status === 400 || code === "tool.name_taken" || code === "execution.arguments_inexact";

/** A fault in the words of a draft, where the example has the arguments, and a line has no place of its own. */
const inDraft = ({ path, message, line }: FaultDetail): FaultDetail => ({
  path: path.replace(/^arguments\b/, "example.arguments"),
  message: line === undefined ? message : `line ${line}: ${message}`,
});

/** The tenant's own key of the model; null where it has none, which an endpoint of the operator's own may not want. */
async function keyOf({ configs }: Pick<DraftDeps, "configs">, tenantId: string): Promise<HeldSecret | null> {
  const [service] = await configs.open(tenantId, [MODEL_SERVICE]);
  const entry = service?.entries.find(({ isDefault }) => isDefault);
  return entry?.secrets.find(({ field }) => field === MODEL_KEY_FIELD) ?? null;
}

async function takeTurn({ rateLimiter }: Pick<DraftDeps, "rateLimiter">, { tenantId }: TenantPrincipal) {
  const rate = { count: DRAFTS_PER_MINUTE, perMs: 60_000, burst: DRAFTS_PER_MINUTE };
  const { allowed, retryAfterMs } = await rateLimiter.take({ tenantId, name: "assist" }, rate, 1);
  if (allowed) return;
  throw new Fault("assist.rate_limited", {
    detail: `A tenant may ask for ${DRAFTS_PER_MINUTE} drafts a minute.`,
    retryAfterSeconds: Math.max(1, Math.ceil((retryAfterMs ?? 60_000) / 1_000)),
  });
}

function refusalOf(reason: ModelFailure, message: string, late: AbortSignal): Fault {
  if (late.aborted)
    return new Fault("assist.timeout", { detail: `No draft was good within ${DRAFT_MS_MAX} ms.` });
  return new Fault(reason === "timeout" ? "assist.timeout" : "assist.model_failed", {
    detail: sentence(message),
  });
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
