import ivm from "isolated-vm";
import { globalsFor, type NamedGlobals } from "../guest/global-names.ts";
import { TAKE_GUEST, type GuestSnapshot } from "./guest-snapshot.ts";
import { ToolSyntaxError, WRAPPED, wrapBody } from "./tool-code.ts";

/** A context that the guest is installed in and no tool's code has seen. */
export interface FreshContext {
  context: ivm.Context;
  /** The guest's one door: `enter(name, …text)`. */
  enter: ivm.Reference<(...args: unknown[]) => unknown>;
  /** Connects the context's bridge to the run that takes it; before that, and after the run, it leads nowhere. */
  bridge: Bridge;
}

/** What the guest may call; strings in, strings out, and it never throws. */
export interface Bridge {
  post: (operation: string, id: number, text: string, more: string) => void;
  ask: (operation: string, text: string, more: string) => string;
  /** The guest's thread waits for it. */
  askWorker: (id: number, head: string) => Promise<string>;
}

/** One tool's code, compiled once, and what of the guest it names. */
export interface CompiledTool {
  code: string;
  network: boolean;
  script: ivm.Script;
  globals: NamedGlobals;
}

const nowhere = (): Bridge => ({
  post: () => undefined,
  ask: () => "null",
  askWorker: () => Promise.resolve("null"),
});

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
  #tool: CompiledTool | null = null;

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

  /** A fresh context, for one run only. Rejects where the isolate has no memory left for one. */
  async takeContext(): Promise<FreshContext> {
    this.#runs++;
    await this.#preparing;
    const fresh = this.#next ?? this.#connect(this.#isolate.createContextSync());
    this.#next = null;
    this.#current = fresh.bridge;
    return fresh;
  }

  #connect(context: ivm.Context): FreshContext {
    const bridge = nowhere();
    const connect = this.#takeGuest.runSync(context, { reference: true }) as ivm.Reference<
      (post: unknown, ask: unknown, worker: unknown) => (...args: unknown[]) => unknown
    >;
    const post = new ivm.Callback(
      (operation: string, id: number, text: string, more: string) => bridge.post(operation, id, text, more),
      { ignored: true },
    );
    const ask = new ivm.Callback(
      (operation: string, text: string, more: string) => bridge.ask(operation, text, more),
      { sync: true },
    );
    const enter = connect.applySync(undefined, [post, ask, this.#worker], { result: { reference: true } });
    connect.release();
    return { context, enter, bridge };
  }

  /** The tool, compiled for this isolate. Throws a ToolSyntaxError with the place in the tool's code. */
  tool({ enter }: FreshContext, code: string, network: boolean): CompiledTool {
    if (this.#tool?.code !== code || this.#tool.network !== network) {
      this.#tool?.script.release();
      this.#tool = null;
      const script = this.#compile(enter, code);
      this.#tool = { code, network, script, globals: globalsFor(code, network) };
    }
    return this.#tool;
  }

  #compile(enter: FreshContext["enter"], code: string): ivm.Script {
    try {
      const script = this.#isolate.compileScriptSync(wrapBody(code), WRAPPED);
      enter.applySync(undefined, ["check", code]);
      return script;
    } catch (error) {
      // A RangeError is the parser's: code that nests too deep for it.
      if (error instanceof SyntaxError || error instanceof RangeError)
        throw new ToolSyntaxError(error.message);
      throw error;
    }
  }

  /** V8's heap and what it keeps outside, in MiB, as of now or of the last look; 0 when the isolate is gone. */
  heapMib(look: boolean): number {
    if (this.#isolate.isDisposed) return 0;
    if (look || this.#heapMib === 0) {
      const heap = this.#isolate.getHeapStatisticsSync();
      this.#heapMib = (heap.used_heap_size + heap.externally_allocated_size) / 2 ** 20;
    }
    return this.#heapMib;
  }

  /** Ends whatever runs in it, also code that never yields, unless V8 itself is stuck in a built-in. */
  dispose(): void {
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }
}
