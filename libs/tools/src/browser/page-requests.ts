import type { EgressSession } from "@bulkhead/core";
import { ACT_REQUESTS_MAX, OPEN_REQUESTS_MAX, UPLOADS_BYTES_MAX } from "./bounds.ts";
import type { PageRequest, ToDriver } from "./browser-frames.ts";

/** By which way a browser's requests go out while it does one action. */
export interface BrowserWay {
  /** Null: none; every request is refused. */
  egress: EgressSession | null;
  /** A number that no other body of the session has. */
  nextBodyId(): number;
  /** For the action; milliseconds. Unset: the usual time. */
  timeoutMs?: number;
}

interface Open {
  bodyId: number;
  ended: AbortController;
  uploadBytes: number;
  /** Whether a part is on its way. */
  isReading: boolean;
}

/** The requests of one action: each goes out by the way, and its answer comes back as fast as the driver takes it. */
export class PageRequests {
  readonly #way: BrowserWay;
  readonly #say: (message: ToDriver) => void;
  readonly #open = new Map<number, Open>();
  #count = 0;
  #uploadBytes = 0;

  constructor(way: BrowserWay, say: (message: ToDriver) => void) {
    this.#way = way;
    this.#say = say;
  }

  /** False for what an honest driver doesn't ask for. */
  begin(request: PageRequest): boolean {
    const uploadBytes = Buffer.byteLength(request.body ?? "", "base64");
    this.#count += 1;
    this.#uploadBytes += uploadBytes;
    if (
      this.#open.has(request.id) ||
      this.#open.size >= OPEN_REQUESTS_MAX ||
      this.#count > ACT_REQUESTS_MAX ||
      this.#uploadBytes > UPLOADS_BYTES_MAX
    )
      return false;
    const bodyId = this.#way.nextBodyId();
    const open = { bodyId, ended: new AbortController(), uploadBytes, isReading: true };
    this.#open.set(request.id, open);
    void this.#fetch(request, open);
    return true;
  }

  /** False where the driver asks for parts of nothing, or for a second one at a time. */
  more(id: number): boolean {
    const open = this.#open.get(id);
    // It may have been refused in this moment.
    if (open === undefined) return true;
    if (open.isReading) return false;
    open.isReading = true;
    void this.#read(id, open);
    return true;
  }

  drop(id: number): void {
    this.#open.get(id)?.ended.abort();
    this.#forget(id);
  }

  /** Ends all that are under way. */
  end(): void {
    for (const id of this.#open.keys()) this.drop(id);
  }

  #forget(id: number): void {
    this.#uploadBytes -= this.#open.get(id)?.uploadBytes ?? 0;
    this.#open.delete(id);
  }

  async #fetch({ id, url, method, headers, body }: PageRequest, open: Open): Promise<void> {
    const { egress } = this.#way;
    if (egress === null) return this.#refuse(id, "this browser has no network");
    const request = { url, method, headers, body, bodyEncoding: "base64", redirect: "manual" } as const;
    const answer = await egress.fetch(request, open.ended.signal, open.bodyId);
    if (open.ended.signal.aborted) return;
    if (!answer.ok) return this.#refuse(id, answer.message);
    const { status, statusText, headers: told, body: part, bodyEncoding, done } = answer;
    this.#tell(id, open, {
      type: "answer",
      id,
      status,
      statusText,
      headers: told,
      body: part,
      bodyEncoding,
      done,
    });
  }

  async #read(id: number, open: Open): Promise<void> {
    const reading = await this.#way.egress?.read(open.bodyId, open.ended.signal);
    if (open.ended.signal.aborted || reading === undefined) return;
    if (!reading.ok) return this.#refuse(id, reading.message);
    const { body, bodyEncoding, done } = reading;
    this.#tell(id, open, { type: "part", id, body, bodyEncoding, done });
  }

  #tell(id: number, open: Open, message: Extract<ToDriver, { done: boolean }>): void {
    open.isReading = false;
    if (message.done) this.#forget(id);
    this.#say(message);
  }

  #refuse(id: number, message: string): void {
    this.#forget(id);
    this.#say({ type: "refused", id, message });
  }
}
