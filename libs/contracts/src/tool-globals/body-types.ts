import type { AbortSignal, URL, URLSearchParams } from "./web-types.ts";

export type HeadersInit = Headers | Iterable<readonly [string, string]> | Readonly<Record<string, unknown>>;
export declare class Headers {
  constructor(init?: HeadersInit | null);
  append(name: unknown, value: unknown): void;
  delete(name: unknown): void;
  get(name: unknown): string | null;
  getSetCookie(): string[];
  has(name: unknown): boolean;
  set(name: unknown, value: unknown): void;
  forEach(callback: (value: string, name: string, headers: Headers) => void, thisArg?: unknown): void;
  entries(): IteratorObject<[string, string]>;
  keys(): IteratorObject<string>;
  values(): IteratorObject<string>;
  [Symbol.iterator](): IteratorObject<[string, string]>;
}

export type BlobPart = string | ArrayBuffer | ArrayBufferView | Blob;
export declare class Blob {
  constructor(parts?: Iterable<BlobPart>, options?: { type?: unknown; endings?: unknown } | null);
  readonly size: number;
  readonly type: string;
  slice(start?: number, end?: number, type?: unknown): Blob;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array>;
  stream(): ReadableStream<Uint8Array>;
}
export declare class File extends Blob {
  constructor(
    parts: Iterable<BlobPart>,
    name: unknown,
    options?: { type?: unknown; endings?: unknown; lastModified?: unknown } | null,
  );
  readonly name: string;
  readonly lastModified: number;
}
export declare class FormData {
  constructor();
  append(name: unknown, value: unknown, filename?: unknown): void;
  delete(name: unknown): void;
  get(name: unknown): string | File | null;
  getAll(name: unknown): (string | File)[];
  has(name: unknown): boolean;
  set(name: unknown, value: unknown, filename?: unknown): void;
  forEach(callback: (value: string | File, name: string, form: FormData) => void, thisArg?: unknown): void;
  entries(): IteratorObject<[string, string | File]>;
  keys(): IteratorObject<string>;
  values(): IteratorObject<string | File>;
  [Symbol.iterator](): IteratorObject<[string, string | File]>;
}

export type BodyInit =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | FormData
  | URLSearchParams
  | ReadableStream<Uint8Array>;
export interface Body {
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly bodyUsed: boolean;
  text(): Promise<string>;
  /** With `bigNumbers: "string"`, numbers that JavaScript would round come as the text that was written. */
  json(options?: { bigNumbers?: "string" }): Promise<any>;
  bytes(): Promise<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  formData(): Promise<FormData>;
}
export interface RequestInit {
  method?: string;
  headers?: HeadersInit | null;
  body?: BodyInit | null;
  signal?: AbortSignal | null;
  redirect?: "follow" | "error" | "manual";
  duplex?: "half";
  mode?: string;
  credentials?: string;
  cache?: string;
  referrer?: string;
  referrerPolicy?: string;
  integrity?: string;
  keepalive?: boolean;
}
export interface Request extends Body {
  readonly method: string;
  readonly url: string;
  readonly redirect: string;
  readonly mode: string;
  readonly credentials: string;
  readonly cache: string;
  readonly referrer: string;
  readonly referrerPolicy: string;
  readonly integrity: string;
  readonly keepalive: boolean;
  readonly destination: string;
  readonly duplex: string;
  readonly isReloadNavigation: boolean;
  readonly isHistoryNavigation: boolean;
  readonly signal: AbortSignal;
  clone(): Request;
}
export declare const Request: {
  readonly prototype: Request;
  new (input: Request | URL | string, init?: RequestInit | null): Request;
};
export interface ResponseInit {
  status?: number;
  statusText?: string;
  headers?: HeadersInit | null;
}
export interface Response extends Body {
  readonly status: number;
  readonly ok: boolean;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly type: string;
  clone(): Response;
}
export declare const Response: {
  readonly prototype: Response;
  new (body?: BodyInit | null, init?: ResponseInit | null): Response;
  json(data: unknown, init?: ResponseInit | null): Response;
  error(): Response;
  redirect(url: URL | string, status?: number): Response;
};
/** Only with the permission `network`; undefined otherwise. */
export declare function fetch(input: Request | URL | string, init?: RequestInit | null): Promise<Response>;

/** Bytes with conversions to text: the part of Node's Buffer that snippets use. */
export declare class Buffer extends Uint8Array<ArrayBuffer> {
  static from(value: string, encoding?: string): Buffer;
  static from(value: ArrayBuffer, offset?: number, length?: number): Buffer;
  static from(value: ArrayLike<number> | Iterable<number> | { type: "Buffer"; data: number[] }): Buffer;
  static alloc(size: number, fill?: string | number | Uint8Array, encoding?: string): Buffer;
  static concat(list: readonly Uint8Array[], totalLength?: number): Buffer;
  static byteLength(value: string | ArrayBuffer | ArrayBufferView, encoding?: string): number;
  static isBuffer(value: unknown): value is Buffer;
  static isEncoding(encoding: unknown): boolean;
  toString(encoding?: string, start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
  slice(start?: number, end?: number): Buffer;
  toJSON(): { type: "Buffer"; data: number[] };
}

export interface QueuingStrategy<T = any> {
  highWaterMark?: number;
  size?(chunk: T): number;
}
export declare class CountQueuingStrategy {
  constructor(options: { highWaterMark: number });
  readonly highWaterMark: number;
  readonly size: (chunk?: any) => number;
}
export declare class ByteLengthQueuingStrategy {
  constructor(options: { highWaterMark: number });
  readonly highWaterMark: number;
  readonly size: (chunk: any) => number;
}
export interface StreamReader<T> {
  readonly closed: Promise<undefined>;
  read(): Promise<{ done: false; value: T } | { done: true; value?: T | undefined }>;
  releaseLock(): void;
  cancel(reason?: unknown): Promise<void>;
}
export interface PipeOptions {
  preventClose?: boolean;
  preventAbort?: boolean;
  preventCancel?: boolean;
  signal?: AbortSignal;
}
export declare class ReadableStream<T = any> {
  constructor(source?: object | null, strategy?: QueuingStrategy<T> | null);
  static from<T>(items: Iterable<T> | AsyncIterable<T>): ReadableStream<T>;
  readonly locked: boolean;
  cancel(reason?: unknown): Promise<void>;
  getReader(options?: { mode?: "byob" }): StreamReader<T>;
  pipeThrough<R>(
    transform: { readable: ReadableStream<R>; writable: WritableStream },
    options?: PipeOptions,
  ): ReadableStream<R>;
  pipeTo(target: WritableStream, options?: PipeOptions): Promise<void>;
  tee(): [ReadableStream<T>, ReadableStream<T>];
  values(options?: { preventCancel?: boolean }): AsyncIterableIterator<T>;
  [Symbol.asyncIterator](options?: { preventCancel?: boolean }): AsyncIterableIterator<T>;
}
export interface StreamWriter<T> {
  readonly closed: Promise<undefined>;
  readonly ready: Promise<undefined>;
  readonly desiredSize: number | null;
  write(chunk: T): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
  releaseLock(): void;
}
export declare class WritableStream<T = any> {
  constructor(sink?: object | null, strategy?: QueuingStrategy<T> | null);
  readonly locked: boolean;
  abort(reason?: unknown): Promise<void>;
  close(): Promise<undefined>;
  getWriter(): StreamWriter<T>;
}
export declare class TransformStream<I = any, O = any> {
  constructor(
    transformer?: object | null,
    writableStrategy?: QueuingStrategy<I> | null,
    readableStrategy?: QueuingStrategy<O> | null,
  );
  readonly readable: ReadableStream<O>;
  readonly writable: WritableStream<I>;
}
export declare class TextEncoderStream {
  constructor();
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<unknown>;
}
export declare class TextDecoderStream {
  constructor(label?: unknown, options?: { fatal?: unknown; ignoreBOM?: unknown } | null);
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<ArrayBuffer | ArrayBufferView>;
}
