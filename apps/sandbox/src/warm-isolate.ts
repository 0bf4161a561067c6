import ivm from "isolated-vm";
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
}

const nowhere = (): Bridge => ({ post: () => undefined, ask: () => "null" });

/** An isolate for one tool version. Runs take turns in it, each in a context of its own. */
export class WarmIsolate {
  readonly memoryMib: number;
  readonly #isolate: ivm.Isolate;
  readonly #guest: ivm.Script;
  #next: FreshContext | null = null;
  #tool: { code: string; script: ivm.Script } | null = null;

  /** `onCatastrophe` is called where V8 has lost control: the process can only be ended. */
  constructor(guestSource: string, memoryMib: number, onCatastrophe: () => void) {
    this.memoryMib = memoryMib;
    this.#isolate = new ivm.Isolate({ memoryLimit: memoryMib, onCatastrophicError: onCatastrophe });
    this.#guest = this.#isolate.compileScriptSync(guestSource, { filename: "guest.js" });
  }

  get isDisposed(): boolean {
    return this.#isolate.isDisposed;
  }

  /** Makes the next context ahead of its run. */
  prepare(): void {
    this.#next ??= this.#createContext();
  }

  /** A fresh context, for one run only. */
  takeContext(): FreshContext {
    const fresh = this.#next ?? this.#createContext();
    this.#next = null;
    return fresh;
  }

  #createContext(): FreshContext {
    const context = this.#isolate.createContextSync();
    const bridge = nowhere();
    const install = this.#guest.runSync(context, { reference: true }) as ivm.Reference<
      (post: unknown, ask: unknown) => (...args: unknown[]) => unknown
    >;
    const post = new ivm.Callback(
      (operation: string, id: number, text: string, more: string) => bridge.post(operation, id, text, more),
      { ignored: true },
    );
    const ask = new ivm.Callback(
      (operation: string, text: string, more: string) => bridge.ask(operation, text, more),
      { sync: true },
    );
    const enter = install.applySync(undefined, [post, ask], { result: { reference: true } });
    install.release();
    return { context, enter: enter, bridge };
  }

  /** The tool's function in this context, not called yet. Throws a ToolSyntaxError with the place in the tool's code. */
  toolFunction({ context, enter }: FreshContext, code: string): ivm.Reference<() => Promise<unknown>> {
    if (this.#tool?.code !== code) {
      this.#tool?.script.release();
      this.#tool = null;
      this.#tool = { code, script: this.#compile(enter, code) };
    }
    return this.#tool.script.runSync(context, { reference: true }) as ivm.Reference<() => Promise<unknown>>;
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

  /** V8's heap and what it keeps outside, in MiB; 0 when the isolate is gone. */
  heapMib(): number {
    if (this.#isolate.isDisposed) return 0;
    const heap = this.#isolate.getHeapStatisticsSync();
    return (heap.used_heap_size + heap.externally_allocated_size) / 2 ** 20;
  }

  /** Ends whatever runs in it, also code that never yields, unless V8 itself is stuck in a built-in. */
  dispose(): void {
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }
}
