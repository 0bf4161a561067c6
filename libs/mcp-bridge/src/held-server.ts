import {
  Fault,
  isSameMcpServer,
  type McpAnswer,
  type McpCallHooks,
  type McpLook,
  type McpServer,
  type McpServerKey,
  type McpServerStore,
  type McpState,
  type McpToolCall,
} from "@bulkhead/core";
import { TenantPermits } from "@bulkhead/process";
import { CLOSE_MS_MAX, CONNECT_MS_MAX, SERVER_CALLS_MAX } from "./bounds.ts";
import { BridgeError, wordsOf } from "./bridge-error.ts";
import type { Catalogue, Offered } from "./catalogue.ts";
import type { BridgeObserver } from "./observer.ts";
import { closeConnected, openConnected, type Connected, type ConnectedDeps } from "./open-connected.ts";
import { refusal, type Refused } from "./refusal.ts";
import { settledOr } from "./settled-or.ts";

export interface HeldServerDeps extends ConnectedDeps {
  store: Pick<McpServerStore, "find" | "setState">;
  observer: BridgeObserver;
}

/** Where a server stands; each move is made in one step, without waiting. */
type Phase =
  | { at: "idle" }
  | { at: "connecting"; connected: Promise<Connected> }
  | ({ at: "connected"; health: NodeJS.Timeout } & Connected)
  | { at: "waiting"; reason: string; timer: NodeJS.Timeout }
  | { at: "failed"; reason: string };

const IDLE: Phase = { at: "idle" };

/** A server that this process holds, and no other. It connects when it is used, and after a failure again by itself. */
export class HeldServer {
  readonly #key: McpServerKey;
  readonly #deps: HeldServerDeps;
  /** Hears when there is neither a connection nor one to come. */
  readonly #onVacant: () => void;
  readonly #permits = new TenantPermits(SERVER_CALLS_MAX);
  #phase: Phase = IDLE;
  /** Ends the present connection, or the attempt at one. */
  #stop = new AbortController();
  /** The row that the present connection was made for. */
  #row: McpServer | null = null;
  /** Failed tries in a row; a connection that has proved itself ends the row. */
  #failures = 0;
  #uses = 0;
  #usedAt = 0;
  /** Notes of states reach the store in their order. */
  #noted: Promise<void> = Promise.resolve();

  constructor(key: McpServerKey, deps: HeldServerDeps, onVacant: () => void) {
    this.#key = key;
    this.#deps = deps;
    this.#onVacant = onVacant;
  }

  get state(): McpState {
    return this.#phase.at;
  }

  get isVacant(): boolean {
    return this.#uses === 0 && (this.state === "idle" || this.state === "failed");
  }

  async call(call: McpToolCall, hooks: McpCallHooks, signal: AbortSignal): Promise<McpAnswer> {
    const began = performance.now();
    const answer = await this.#use(signal, async () => {
      const connected = await this.#connected(false, signal);
      const connectMs = performance.now() - began;
      const permit = await this.#permits.take(this.#key.name, signal);
      try {
        const answered = await this.#send(connected, call, hooks, signal);
        return { ...answered, connectMs, callMs: performance.now() - began - connectMs };
      } finally {
        permit?.();
      }
    }).catch((error: unknown) => refusal(signal.aborted ? "aborted" : "unreachable", wordsOf(error)));
    this.#deps.observer.onCall(answer.ok ? "answered" : answer.code);
    return answer;
  }

  /** Connects, forgetting failures before, or lists again where there is a connection. */
  async refresh(signal: AbortSignal): Promise<McpLook> {
    const began = performance.now();
    const look = await this.#use(signal, async (): Promise<McpLook> => {
      const before = this.#phase.at === "connected" ? this.#phase.connection : null;
      const connected = await this.#connected(true, signal);
      const { connection, catalogue } = connected;
      if (connection === before) await this.#list(connected);
      const { serverName, serverVersion, protocol } = connection;
      const connectMs = performance.now() - began;
      return { ok: true, connectMs, serverName, serverVersion, protocol, offers: catalogue.offers };
    }).catch((error: unknown): McpLook => ({ ok: false, message: wordsOf(error) }));
    // Whoever asked reads the state from the store next.
    await this.#noted;
    return look;
  }

  /** Ends the connection, and what is to come of it. `state` is noted where it is given. */
  async end(state?: "idle"): Promise<void> {
    const phase = this.#phase;
    const wasOpen = phase.at !== "idle" && phase.at !== "failed";
    this.#phase = IDLE;
    this.#stop.abort();
    if (phase.at === "waiting") clearTimeout(phase.timer);
    if (state && wasOpen) this.#note({ state, stateReason: null, failures: 0 });
    if (phase.at === "connected") await this.#close(phase);
    if (phase.at === "connecting")
      await settledOr(phase.connected, AbortSignal.timeout(CLOSE_MS_MAX)).catch(() => undefined);
    await this.#noted;
  }

  async #use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    this.#uses += 1;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#uses -= 1;
      this.#usedAt = performance.now();
      if (this.isVacant) this.#onVacant();
    }
  }

  async #send(
    connected: Connected,
    call: McpToolCall,
    hooks: McpCallHooks,
    signal: AbortSignal,
  ): Promise<McpAnswer> {
    const { connection, catalogue } = connected;
    const before = await this.#find(catalogue, call, signal);
    if ("ok" in before) return before;
    if (!(await hooks.onSend())) return refusal("aborted", "the call was withdrawn before it was sent");
    // It may have changed while the sending was noted.
    const offered = await this.#find(catalogue, call, signal);
    if ("ok" in offered) return offered;
    if (!this.#deps.isHolding())
      return refusal("unreachable", "another process may hold the server by now, so the call was not sent");
    const answered = await connection.call(call, offered.offer, hooks, signal);
    if (answered.ok) this.#failures = 0;
    // One stream of a connection may be lost without the others, and a server that was started anew may refuse a session that
    // it doesn't know by any status; whether it is still there is looked at now.
    else if (answered.code === "connection_lost" || answered.code === "protocol_error")
      void this.#check(connected);
    return { ...answered, connectMs: 0, callMs: 0 };
  }

  /** What is to be called, where its server offers the same as a person has approved. */
  async #find(
    catalogue: Catalogue,
    { tool, pin }: McpToolCall,
    signal: AbortSignal,
  ): Promise<Offered | Refused> {
    const offered = await catalogue.find(tool, signal);
    if (signal.aborted) return refusal("aborted", "the call was cancelled before it was sent");
    if (offered?.pin === pin) return offered;
    const now = offered ? "offers another tool by this name now" : "does not offer this tool any more";
    return refusal("tool_changed", `the server ${now}`);
  }

  /** The connection, made where there is none. `isAsked`: a person wants it, so that failures before are forgotten. */
  async #connected(isAsked: boolean, signal: AbortSignal): Promise<Connected> {
    const row = await this.#deps.store.find(this.#key);
    if (!row?.enabled) {
      await this.end();
      throw new BridgeError(row ? "the server is disabled: enable it" : "there is no such server any more");
    }
    if (!isSame(row, this.#row)) await this.end();
    // Others may have come here while the former connection was ended.
    if (!isSame(row, this.#row)) this.#begin(row);
    const phase = this.#phase;
    if (phase.at === "connected") return phase;
    if (phase.at !== "connecting") {
      if (!isAsked && phase.at === "waiting")
        throw new BridgeError(`the server can't be reached, and is tried again by itself: ${phase.reason}`);
      if (!isAsked && phase.at === "failed")
        throw new BridgeError(`the server has failed, refresh it to try again: ${phase.reason}`);
      if (phase.at === "waiting") clearTimeout(phase.timer);
      if (isAsked) this.#failures = 0;
      this.#connect(row);
    }
    return this.#opened(signal);
  }

  /** The connection that is being made, or why there is none. */
  async #opened(signal: AbortSignal): Promise<Connected> {
    const phase = this.#phase;
    if (phase.at === "connecting") await settledOr(phase.connected, signal).catch(() => undefined);
    signal.throwIfAborted();
    const now = this.#phase;
    if (now.at === "connected") return now;
    throw new BridgeError("reason" in now ? now.reason : "the connection was given up");
  }

  /** Begins with what the store knows of the server. */
  #begin(row: McpServer): void {
    this.#row = row;
    this.#failures = row.failures;
    if (row.state === "failed") this.#phase = { at: "failed", reason: row.stateReason ?? "it has failed" };
  }

  #connect(row: McpServer): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#note({ state: "connecting", stateReason: null, failures: this.#failures });
    const connected = openConnected(this.#deps, row, stop, (reason) => this.#fail(stop, reason));
    this.#phase = { at: "connecting", connected };
    connected.then(
      (opened) => {
        // Ended meanwhile: whoever waits for it is refused.
        if (stop.signal.aborted) {
          void closeConnected(this.#deps.report, opened);
          return;
        }
        const health = setInterval(() => void this.#check(opened), this.#deps.timing.healthMs);
        this.#phase = { at: "connected", health, ...opened };
        this.#usedAt = performance.now();
        this.#note({ state: "connected", stateReason: null, failures: 0 });
      },
      (error: unknown) => this.#fail(stop, wordsOf(error)),
    );
  }

  async #list({ connection, catalogue, stop }: Connected): Promise<void> {
    try {
      await catalogue.list(true);
    } catch (error) {
      const reason = connection.wordsOf(error);
      this.#fail(stop, reason);
      throw new BridgeError(reason);
    }
  }

  async #check({ stop, connection }: Connected): Promise<void> {
    if (stop.signal.aborted) return;
    if (this.#uses === 0 && performance.now() - this.#usedAt >= this.#deps.timing.idleMs) {
      await this.end("idle");
      return this.#onVacant();
    }
    try {
      await connection.ping();
      if (!stop.signal.aborted) this.#failures = 0;
    } catch (error) {
      this.#fail(stop, `it did not pass a health check: ${connection.wordsOf(error)}`);
    }
  }

  /** A try has failed, or a connection was lost: the next try comes after a pause, or none any more. */
  #fail(stop: AbortController, reason: string): void {
    if (stop.signal.aborted) return;
    stop.abort();
    const phase = this.#phase;
    this.#failures += 1;
    const pauseMs = this.#deps.timing.backoffMs(this.#failures);
    const state = pauseMs === null ? "failed" : "waiting";
    if (pauseMs === null) {
      this.#phase = { at: "failed", reason };
      this.#deps.observer.onFailed();
    } else this.#phase = { at: "waiting", reason, timer: setTimeout(() => this.#tryAgain(), pauseMs) };
    this.#note({ state, stateReason: reason, failures: this.#failures });
    if (phase.at === "connected") void this.#close(phase);
    if (this.isVacant) this.#onVacant();
  }

  #tryAgain(): void {
    this.#phase = IDLE;
    this.#deps.observer.onReconnect();
    const signal = AbortSignal.timeout(2 * CONNECT_MS_MAX);
    this.#use(signal, () => this.#connected(false, signal)).catch((error: unknown) => {
      // What the server has done is noted as its state; the platform's own failure is told here.
      if (error instanceof Fault)
        this.#deps.report("a server is not tried again before somebody uses it", error, { ...this.#key });
    });
  }

  async #close({ health, ...connected }: Extract<Phase, { at: "connected" }>): Promise<void> {
    clearInterval(health);
    await closeConnected(this.#deps.report, connected);
  }

  #note(state: Pick<McpServer, "state" | "stateReason" | "failures">): void {
    const row = this.#row;
    // Whoever holds it now notes its own.
    if (row === null || !this.#deps.isHolding()) return;
    this.#noted = this.#noted
      .then(() => this.#deps.store.setState(row, state))
      .catch((error: unknown) =>
        this.#deps.report("a server's state could not be noted", error, { ...this.#key }),
      );
  }
}

/** Whether a connection that was made for the one serves the other. */
const isSame = (row: McpServer, was: McpServer | null): boolean => was !== null && isSameMcpServer(row, was);
