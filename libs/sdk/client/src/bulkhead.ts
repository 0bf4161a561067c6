import { runBatch, type BatchAnswer, type BatchCall, type BatchOptions } from "./batch.ts";
import type { ExecutionEvent } from "./events.ts";
import type { Operations } from "./generated/operations.ts";
import type { Approval, CreatedAccessToken, CreateAccessTokenBody } from "./generated/types.ts";
import { Transport } from "./http/transport.ts";
import { buildOperations } from "./operations.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { runTool, streamTool, waitFor, type RunOptions, type Wait } from "./runs.ts";

/** Tools by name, as `client.tools.allTypes()` writes them: `BulkheadTools` of its file. */
export type ToolTypes<Tools> = { [Name in keyof Tools]: { arguments: object; result: unknown } };

/** Tools of which nothing is known. */
export type AnyTools = Record<string, { arguments: Record<string, unknown>; result: unknown }>;

type NameOf<Tools> = keyof Tools & string;

/** Ways to run tools, beside the operations of the API on tools. */
export interface ToolRuns<Tools extends ToolTypes<Tools>> {
  /** Waits for the result and gives it. Rejects with ToolFailed where the run failed. */
  run<Name extends NameOf<Tools>>(
    name: Name,
    args: Tools[Name]["arguments"],
    options?: RunOptions,
  ): Promise<Tools[Name]["result"]>;

  /** The run's events as they come, each once, over broken connections; the last one is its end. */
  stream<Name extends NameOf<Tools>>(
    name: Name,
    args: Tools[Name]["arguments"],
    options?: RunOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined>;

  /** Hands in any number of calls and gives one answer for each, in order: its execution, or why it was refused. */
  batch(calls: readonly BatchCall[], options?: BatchOptions): Promise<BatchAnswer[]>;
}

export interface AccessTokenRequest extends Partial<CreateAccessTokenBody["scope"]> {
  /** 900 unless set. */
  expiresInSeconds?: number | undefined;
}

const TOKEN_SECONDS_DEFAULT = 900;

/** An answer of a person to a call that waits. */
export type Decision = "allowOnce" | "allowAlways" | "deny";

/** What the client has more methods for than the API has operations. */
type Own = "tools" | "executions" | "approvals";

// The other groups are put on in the constructor, as they are.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- A class can't say that it has all of an interface.
export interface Bulkhead<Tools extends ToolTypes<Tools> = AnyTools> extends Omit<Operations, Own> {
  readonly tools: Operations["tools"] & ToolRuns<Tools>;
}

/** Calls the API of a Bulkhead with one key. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- As above.
export class Bulkhead<Tools extends ToolTypes<Tools> = AnyTools> {
  readonly tools!: Operations["tools"] & ToolRuns<Tools>;
  readonly executions: Operations["executions"] & { wait: Wait };
  readonly approvals: Operations["approvals"] & {
    decide(id: string, decision: Decision, options?: CallOptions): Promise<Approval>;
  };

  /** Throws where an option is none; asks nothing of the API yet. */
  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    const { tools, executions, approvals, ...others } = buildOperations(transport);
    const wait = waitFor(executions);
    const runs: ToolRuns<AnyTools> = {
      run: (name, args, own = {}) => runTool(transport, wait, { name, args, options: own }),
      stream: (name, args, own = {}) => streamTool(transport, { name, args, options: own }),
      batch: (calls, own = {}) => runBatch(executions, calls, own),
    };
    Object.assign(this, others, { tools: { ...tools, ...runs } });
    this.executions = { ...executions, wait };
    this.approvals = {
      ...approvals,
      decide: (id, decision, own) => approvals[decision](id, {}, own),
    };
  }

  /** A token for a browser: what is left out of `operations` is what suits the tools and executions that are named. */
  accessToken(request: AccessTokenRequest, options?: CallOptions): Promise<CreatedAccessToken> {
    const { expiresInSeconds = TOKEN_SECONDS_DEFAULT, operations, ...named } = request;
    const suited = named.tools ? (["execute", "read", "stream"] as const) : (["read", "stream"] as const);
    const scope = { ...named, operations: operations ?? [...suited] };
    return this.accessTokens.create({ scope, expiresInSeconds }, options);
  }
}
