export interface Console {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  dir(value?: unknown): void;
  dirxml(...values: unknown[]): void;
  table(data?: unknown, columns?: readonly string[]): void;
  trace(...values: unknown[]): void;
  assert(condition?: unknown, ...values: unknown[]): void;
  count(label?: unknown): void;
  countReset(label?: unknown): void;
  time(label?: unknown): void;
  timeLog(label?: unknown, ...values: unknown[]): void;
  timeEnd(label?: unknown): void;
  group(...values: unknown[]): void;
  groupCollapsed(...values: unknown[]): void;
  groupEnd(): void;
  clear(): void;
}
/** Each call is one line of the run's log. */
export declare const console: Console;

export declare function setTimeout(
  callback: (...args: any[]) => unknown,
  delayMs?: number,
  ...args: any[]
): number;
export declare function setInterval(
  callback: (...args: any[]) => unknown,
  delayMs?: number,
  ...args: any[]
): number;
export declare function clearTimeout(id?: unknown): void;
export declare function clearInterval(id?: unknown): void;
export declare function queueMicrotask(callback: () => unknown): void;
export declare function structuredClone<T>(value: T, options?: { transfer?: Iterable<unknown> } | null): T;
export declare function atob(text: unknown): string;
export declare function btoa(text: unknown): string;

export interface SubtleCrypto {
  /** SHA-1, SHA-256, SHA-384 and SHA-512. */
  digest(algorithm: string | { name: string }, data: ArrayBuffer | ArrayBufferView): Promise<ArrayBuffer>;
}
export interface Crypto {
  randomUUID(): string;
  getRandomValues<T extends ArrayBufferView>(view: T): T;
  readonly subtle: SubtleCrypto;
}
export declare const crypto: Crypto;

export interface Performance {
  /** Whole milliseconds since the run began. */
  now(): number;
  readonly timeOrigin: number;
  toJSON(): { timeOrigin: number };
}
export declare const performance: Performance;

export declare class TextEncoder {
  constructor();
  readonly encoding: string;
  encode(text?: unknown): Uint8Array;
  encodeInto(text: unknown, target: Uint8Array): { read: number; written: number };
}
export declare class TextDecoder {
  constructor(label?: unknown, options?: { fatal?: unknown; ignoreBOM?: unknown } | null);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: ArrayBuffer | ArrayBufferView, options?: { stream?: unknown } | null): string;
}
export declare class URL {
  constructor(url: unknown, base?: unknown);
  static canParse(url: unknown, base?: unknown): boolean;
  static parse(url: unknown, base?: unknown): URL | null;
  readonly origin: string;
  readonly searchParams: URLSearchParams;
  href: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  toString(): string;
  toJSON(): string;
}
export declare class URLSearchParams {
  constructor(init?: string | Iterable<readonly [string, string]> | Readonly<Record<string, unknown>> | null);
  readonly size: number;
  append(name: unknown, value: unknown): void;
  delete(name: unknown, value?: unknown): void;
  get(name: unknown): string | null;
  getAll(name: unknown): string[];
  has(name: unknown, value?: unknown): boolean;
  set(name: unknown, value: unknown): void;
  sort(): void;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, thisArg?: unknown): void;
  entries(): IteratorObject<[string, string]>;
  keys(): IteratorObject<string>;
  values(): IteratorObject<string>;
  [Symbol.iterator](): IteratorObject<[string, string]>;
  toString(): string;
}

export declare class Event {
  constructor(type: unknown, init?: { bubbles?: unknown; cancelable?: unknown; composed?: unknown } | null);
  readonly type: string;
  readonly target: object | null;
  readonly srcElement: object | null;
  readonly currentTarget: object | null;
  readonly eventPhase: number;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly defaultPrevented: boolean;
  readonly isTrusted: boolean;
  readonly timeStamp: number;
  cancelBubble: boolean;
  returnValue: boolean;
  composedPath(): object[];
  stopPropagation(): void;
  stopImmediatePropagation(): void;
  preventDefault(): void;
  initEvent(type: unknown, bubbles?: unknown, cancelable?: unknown): void;
}
export declare class CustomEvent<T = any> extends Event {
  constructor(
    type: unknown,
    init?: { detail?: T; bubbles?: unknown; cancelable?: unknown; composed?: unknown } | null,
  );
  readonly detail: T;
}
export type EventListener = ((event: any) => unknown) | { handleEvent(event: any): unknown };
export declare class EventTarget {
  constructor();
  addEventListener(type: unknown, callback: EventListener | null, options?: unknown): void;
  removeEventListener(type: unknown, callback: EventListener | null, options?: unknown): void;
  dispatchEvent(event: Event): boolean;
}
export declare class AbortSignal extends EventTarget {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  static timeout(ms: unknown): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: any;
  onabort: ((event: any) => unknown) | null;
  throwIfAborted(): void;
}
export declare class AbortController {
  constructor();
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
export declare class DOMException extends Error {
  constructor(message?: unknown, name?: unknown);
  readonly name: string;
  readonly code: number;
}
