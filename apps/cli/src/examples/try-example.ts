import { matchExample, TestTool, tryOf, type CheckSchema, type Difference } from "@bulkhead/contracts";
import { BulkheadError, type Bulkhead, type Execution, type ExecutionEvent } from "@bulkhead/client";
import { performance } from "node:perf_hooks";
import { followToEnd } from "../executions/follow-to-end.ts";
import type { CodeFrame, LoadedFolder, LoadedTool, Place } from "../folders.ts";
import type { ExampleCase } from "./find-examples.ts";
import { frameAt, placedIn, shownPlace, type Placed } from "./places.ts";

export interface TryDeps {
  client: Pick<Bulkhead, "tools" | "executions">;
  checkSchema: CheckSchema;
  /** The folder that was loaded, its real path, and what was loaded of it. */
  root: string;
  loaded: Pick<LoadedFolder, "files">;
  /** What the example records is left out, and the run reaches the network, services and other tools. */
  isLive: boolean;
  /** Whose tools are found first by names that the tool calls. */
  agentId?: string;
}

/** What came of one example. */
export interface TriedExample {
  tool: LoadedTool;
  tried: ExampleCase;
  outcome: "passed" | "failed";
  /** From the request to the end, milliseconds. */
  durationMs: number;
  differences: Difference[];
  /** How the run ended badly, or why it was refused; its places are the developer's. */
  error: { code: string; message: string } | null;
  place: Place | null;
  frame: CodeFrame | null;
  /** Undefined where there was none. */
  result: unknown;
  /** What the run said, in order. */
  events: ExecutionEvent[];
}

/** A busy server is asked again: the tries of a folder are many, and a tenant has a rate. */
const RETRIES = 8;

/** Statuses that say what is wrong with this try. Others say that none can be made. */
const REFUSALS = new Set([400, 409, 413, 422]);

interface TryOptions {
  signal: AbortSignal;
  /** Hears what the run says while it says it. */
  tell?: (event: ExecutionEvent) => void;
}

/**
 * Runs an example in the real sandbox by a dry run and compares. A run that is left by the signal is cancelled. Throws the
 * client's error where the service can't be asked at all, and the signal's reason.
 */
export async function tryExample(
  deps: TryDeps,
  tool: LoadedTool,
  tried: ExampleCase,
  { signal, tell = () => {} }: TryOptions,
): Promise<TriedExample> {
  const blank = { tool, tried, durationMs: 0, differences: [], error: null, result: undefined };
  if (tried.example === null) return { ...blank, outcome: "failed", place: null, frame: null, events: [] };
  const started = performance.now();
  const events: ExecutionEvent[] = [];
  const end = await runOnce(deps, bodyOf(deps, tool, tried.example), signal, (event) => {
    events.push(event);
    tell(event);
  });
  const differences = await differencesOf(deps, tried.example.result, end);
  const isRight = differences.length === 0;
  const { text, place }: Placed = end.error === null || isRight ? NOTHING : placedEnd(tool, end);
  return {
    ...blank,
    outcome: isRight ? "passed" : "failed",
    durationMs: performance.now() - started,
    differences,
    error: end.error && { code: end.error.code, message: text || end.error.message },
    place,
    frame: place === null ? null : await frameAt(deps.root, deps.loaded, place),
    result: end.error === null ? end.result : undefined,
    events,
  };
}

const NOTHING: Placed = { text: "", place: null };

interface End {
  result: unknown;
  error: { code: string; message: string } | null;
  /** Of a refusal. */
  faults: readonly { message: string; path?: string; line?: number; column?: number }[];
}

type TryBody = Parameters<Bulkhead["tools"]["test"]>[0];

/** Of a tool's record what a try takes. */
const TAKEN = Object.keys(TestTool.shape).filter((name) => name !== "description");

function bodyOf(
  { isLive, agentId }: TryDeps,
  { record }: LoadedTool,
  example: NonNullable<ExampleCase["example"]>,
): TryBody {
  const said = Object.fromEntries(Object.entries(record).filter(([name]) => TAKEN.includes(name)));
  const { testArguments, recorded = { fetch: [], calls: [], commands: [] } } = tryOf(example);
  return {
    ...(said as Pick<TryBody, "name">),
    ...(agentId === undefined ? {} : { agentId }),
    testArguments,
    ...(isLive ? {} : { recorded }),
    mode: "async",
  };
}

async function runOnce(
  { client }: TryDeps,
  body: TryBody,
  signal: AbortSignal,
  tell: (event: ExecutionEvent) => void,
): Promise<End> {
  const options = { signal, retries: RETRIES };
  let executionId: string;
  try {
    ({ executionId } = await client.tools.test(body, options));
  } catch (error) {
    if (!(error instanceof BulkheadError) || !REFUSALS.has(error.status)) throw error;
    const { code, message, problem, errors } = error;
    return { result: null, error: { code, message: problem?.title ?? message }, faults: errors };
  }
  try {
    return endOf(await followToEnd(client, executionId, tell, options));
  } catch (error) {
    // Nobody waits for it any more; where it can't be cancelled it ends by its own limits.
    if (signal.aborted) await client.executions.cancel(executionId).catch(() => undefined);
    throw error;
  }
}

function endOf({ status, result, error }: Execution): End {
  if (status === "succeeded") return { result, error: null, faults: [] };
  return {
    result: null,
    error: error ?? { code: `execution.${status}`, message: `The execution ended: ${status}.` },
    faults: [],
  };
}

function differencesOf({ checkSchema }: TryDeps, expected: unknown, { result, error }: End) {
  const got = { result: (result ?? null) as Parameters<typeof matchExample>[1]["result"] };
  return matchExample(expected, { ...got, errorCode: error?.code ?? null }, checkSchema);
}

/** The error with each part of a refusal, and with the developer's places in both. */
function placedEnd(tool: LoadedTool, { error, faults }: End): Placed {
  const { text, place } = placedIn(tool, error?.message ?? "");
  const lines = faults.map(({ path = "", message, line, column }) => {
    const at = line === undefined || column === undefined ? null : tool.placeOf(line, column);
    const told = message.replace(/^line \d+, column \d+: /, "");
    return { at, text: at === null ? `${path}: ${told}` : `${shownPlace(at)}: ${told}` };
  });
  return {
    text: [text, ...lines.map((one) => one.text)].join("\n"),
    place: place ?? lines.find(({ at }) => at !== null)?.at ?? null,
  };
}
