import { JsonParts, MCP_MESSAGE_BYTES_MAX, type McpProcess } from "@bulkhead/core";
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { once } from "node:events";
import { SENDS_OPEN_MAX } from "./bounds.ts";
import { countParts, tooLarge } from "./event-gauge.ts";
import { BridgeError } from "./bridge-error.ts";

const LINE_FEED = 0x0a;
/** Of what a process said before it ended. */
const LAST_LINES = 5;

/** JSON-RPC with a server's process, one message a line. The process is started before, and ends with the transport. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #process: McpProcess;
  /** The present line so far. */
  #parts: Buffer[] = [];
  #bytes = 0;
  readonly #messageParts = new JsonParts();
  #isClosed = false;
  /** Messages that wait for the process to read. */
  #waiting = 0;
  /** The client hears a note in a later step than an answer, so messages of one chunk come to it in steps of their own. */
  #delivered: Promise<void> = Promise.resolve();
  /** Why the process was ended, where it didn't end by itself. */
  #failure: Error | null = null;

  constructor(process: McpProcess) {
    this.#process = process;
  }

  start(): Promise<void> {
    const { input, output, ended } = this.#process;
    output.on("data", (chunk: Buffer) => this.#take(chunk));
    // A pipe to a process that has ended breaks; that the process has ended is told below.
    output.on("error", () => undefined);
    input.on("error", () => undefined);
    void ended.then(() => this.#end());
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw this.failure;
    const { input, ended } = this.#process;
    if (input.write(`${JSON.stringify(message)}\n`)) return;
    if (this.#waiting >= SENDS_OPEN_MAX)
      return this.#fail(new BridgeError(`the server does not take ${SENDS_OPEN_MAX} messages`));
    this.#waiting += 1;
    // Whoever never reads is waited for until it ends, so nothing piles up behind the pipe.
    const stop = new AbortController();
    const drained = once(input, "drain", { signal: stop.signal }).catch(() => undefined);
    await Promise.race([drained, ended]);
    stop.abort();
    this.#waiting -= 1;
  }

  async close(): Promise<void> {
    this.#process.kill();
    this.#end();
    await this.#process.ended;
  }

  /** Why there is no process any more, with what it said last. */
  get failure(): Error {
    if (this.#failure) return this.#failure;
    const words = this.#process.lastWords.trim().split("\n").slice(-LAST_LINES).join("\n");
    return new BridgeError(
      words === "" ? "the server's process ended" : `the server's process ended; it said: ${words}`,
    );
  }

  #take(chunk: Buffer): void {
    for (let from = 0; from < chunk.length && !this.#isClosed;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const part = chunk.subarray(from, end === -1 ? undefined : end);
      from += part.length + 1;
      this.#parts.push(part);
      this.#bytes += part.length;
      if (this.#bytes > MCP_MESSAGE_BYTES_MAX) return this.#fail(tooLarge(MCP_MESSAGE_BYTES_MAX));
      try {
        countParts(this.#messageParts, part);
      } catch (error) {
        return this.#fail(error as Error);
      }
      if (end !== -1) this.#endLine();
    }
  }

  #endLine(): void {
    const line = Buffer.concat(this.#parts, this.#bytes).toString().trim();
    this.#parts = [];
    this.#bytes = 0;
    this.#messageParts.reset();
    if (line !== "") this.#delivered = this.#delivered.then(() => this.#deliver(line));
  }

  #deliver(line: string): void {
    if (this.#isClosed) return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch (error) {
      // Many a server prints to its output; such a line is no message and harms nobody.
      return this.onerror?.(new Error("a line of the server's is no message", { cause: error }));
    }
    this.onmessage?.(message);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#process.kill();
    this.#end();
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts = [];
    this.onclose?.();
  }
}
