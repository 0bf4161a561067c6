import type { RunFrame } from "../wire/to-sandbox.ts";
import ivm from "isolated-vm";
import { globalsFor, type NamedGlobals } from "../guest/global-names.ts";
import { connectContext, nowhere, releaseContext, type FreshContext } from "./fresh-context.ts";
import { TAKE_GUEST, type GuestSnapshot } from "./guest-snapshot.ts";
import { ToolSyntaxError, wrapBody, wrapped } from "./tool-code.ts";

/** One tool's code, compiled once, and the guest's names in it. */
export interface CompiledTool {
  script: ivm.Script;
  globals: NamedGlobals;
}

/** A run's code and permission, by which its tool is known. */
type ToolSource = Pick<RunFrame, "code" | "network">;

/** The one global through which a tool reaches `askWorker`. */
const ASKS_WORKER = "utils";

/** An isolate for one tool version. Runs take turns in it, each in a context of its own. */
export class WarmIsolate {
  readonly memoryMib: number;
  readonly #isolate: ivm.Isolate;
  readonly #takeGuest: ivm.Script;
  /** One for all contexts, since only the run that took the last one can call it. */
  readonly #worker = new ivm.Reference((id: number, head: string) => this.#current.askWorker(id, head));
  #current = nowhere();
  #next: FreshContext | null = null;
  #preparing: Promise<void> | null = null;
  #runs = 0;
  #heapMib = 0;
  #named: { source: ToolSource; globals: NamedGlobals } | null = null;
  #script: ivm.Script | null = null;
  /** As the latest tool needs it; a context that waits for its first one has everything. */
  #asksWorker = true;

  /** `onCatastrophe` is called where V8 has lost control: the process can only be ended. */
  constructor(snapshot: GuestSnapshot, memoryMib: number, onCatastrophe: () => void) {
    this.memoryMib = memoryMib;
    this.#isolate = new ivm.Isolate({ memoryLimit: memoryMib, snapshot, onCatastrophicError: onCatastrophe });
    this.#takeGuest = this.#isolate.compileScriptSync(TAKE_GUEST, { filename: "guest.js" });
  }

  get isDisposed(): boolean {
    return this.#isolate.isDisposed;
  }

  /** Runs that were given a context of it. */
  get runs(): number {
    return this.#runs;
  }

  /** Whether a context waits for its run. */
  get isReady(): boolean {
    return this.#next !== null;
  }

  /** Makes the next context ahead of its run, on a thread of isolated-vm's. Rejects where there is no memory for one. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#isolate.createContext().then((context) => {
      this.#preparing = null;
      this.#next = this.#connect(context);
    });
    return this.#preparing;
  }

  /** A fresh context, for one run of this tool only. Rejects where the isolate has no memory left for one. */
  async takeContext(source: ToolSource): Promise<FreshContext> {
    this.#runs++;
    await this.#preparing;
    this.#asksWorker = this.globalsFor(source).names.includes(ASKS_WORKER);
    const fresh = this.#takeNext() ?? this.#connect(this.#isolate.createContextSync());
    this.#current = fresh.bridge;
    return fresh;
  }

  /** The context that was made ahead, unless it was made for a tool that needs less. */
  #takeNext(): FreshContext | null {
    const next = this.#next;
    this.#next = null;
    if (next === null || next.asksWorker || !this.#asksWorker) return next;
    releaseContext(next);
    return null;
  }

  #connect(context: ivm.Context): FreshContext {
    return connectContext(this.#takeGuest, context, this.#asksWorker ? this.#worker : null);
  }

  /** The tool, compiled for this isolate. Throws a ToolSyntaxError with the place in the tool's code. */
  tool({ enter }: FreshContext, source: ToolSource): CompiledTool {
    const globals = this.globalsFor(source);
    this.#script ??= this.#compile(enter, source.code);
    return { script: this.#script, globals };
  }

  /** Looked up once: an isolate serves one tool version, and another one only where two have one key. */
  globalsFor({ code, network }: ToolSource): NamedGlobals {
    if (this.#named?.source.code !== code || this.#named.source.network !== network) {
      this.#script?.release();
      this.#script = null;
      this.#named = { source: { code, network }, globals: globalsFor(code, network) };
    }
    return this.#named.globals;
  }

  #compile(enter: FreshContext["enter"], code: string): ivm.Script {
    try {
      const script = this.#isolate.compileScriptSync(wrapBody(code), wrapped(code));
      enter.applySync(undefined, ["check", code]);
      return script;
    } catch (error) {
      // A RangeError is the parser's: code that nests too deep for it.
      if (error instanceof SyntaxError || error instanceof RangeError)
        throw new ToolSyntaxError(error.message);
      throw error;
    }
  }

  /** V8's heap and its memory outside, in MiB, as of now or of the last look; 0 when the isolate is gone. */
  heapMib(look: boolean): number {
    if (this.#isolate.isDisposed) return 0;
    if (look || this.#heapMib === 0) {
      const heap = this.#isolate.getHeapStatisticsSync();
      this.#heapMib = (heap.used_heap_size + heap.externally_allocated_size) / 2 ** 20;
    }
    return this.#heapMib;
  }

  /** Ends all code in it, even if it never yields, unless V8 itself is stuck in a built-in. */
  dispose(): void {
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }
}
