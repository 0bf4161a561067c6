import type { ToolData } from "./data-types.ts";
import type { ToolFiles } from "./file-types.ts";
import type { RunCommand } from "./shell-types.ts";
import type { ToolDatabase, ToolEmail } from "./outside-types.ts";
import type { ToolSchedules } from "./schedule-types.ts";

/** The tools of a tenant by name: the file `custom-tools/types.d.ts` fills it in, and `callTool` knows them then. */
export interface BulkheadTools {}
export type ArgumentsOf<Name extends keyof BulkheadTools> = BulkheadTools[Name] extends {
  arguments: infer Type;
}
  ? Type
  : never;
export type ResultOf<Name extends keyof BulkheadTools> = BulkheadTools[Name] extends { result: infer Type }
  ? Type
  : never;

/** A date as ISO 8601 (UTC without a zone), `"now"`, milliseconds since 1970, or a Date. */
export type DateLike = string | number | Date;
export type DateUnit = "seconds" | "minutes" | "hours" | "days" | "weeks";

/** The facts of the caller about the call; frozen. */
export interface ToolContext {
  readonly toolName: string;
  readonly executionId: string;
  readonly tenantId: string;
  readonly callId?: string;
  readonly conversationId?: string;
  readonly userId?: string;
  readonly [name: string]: unknown;
}

export interface ListedTool {
  name: string;
  description: string;
  parameters: object;
}
export interface ConfigEntry {
  label: string;
  isDefault: boolean;
  data: Record<string, any>;
}
/** Bytes, or base64 of them. */
export type ContentBytes = string | ArrayBuffer | ArrayBufferView;
export type ContentPart =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: ContentBytes; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string; text: string } }
  | { type: "resource"; resource: { uri: string; mimeType?: string; blob: ContentBytes } }
  | { type: "json"; json: unknown };
export interface HmacOptions {
  algorithm?: "sha256" | "sha1" | "sha512";
  encoding?: "hex" | "base64" | "base64url";
  /** Left out: the default entry. */
  entry?: string;
  /** Left out: `api_key`, or the only secret of the entry. */
  field?: string;
}

export interface ToolUtils {
  /**
   * Calls another tool of the tenant, or a built-in one, as in `await utils.callTool("word_count", { text })`. Rejects with
   * an error whose `code` has the reason.
   */
  callTool<Name extends keyof BulkheadTools>(
    name: Name,
    ...args: {} extends ArgumentsOf<Name> ? [args?: ArgumentsOf<Name>] : [args: ArgumentsOf<Name>]
  ): Promise<ResultOf<Name>>;
  callTool<Name extends string>(
    name: Name extends keyof BulkheadTools ? never : Name,
    args?: object,
  ): Promise<any>;
  /** The tools that can be called from here. */
  listTools(): ListedTool[];

  /** Only with the permission `filesystem`; undefined without. */
  fs: ToolFiles;
  /** Only with the permission `shell`; undefined without. */
  exec: RunCommand;
  /** A collection of documents, by its name. Only with the permission `database`; undefined without. */
  data(collection: string): ToolData;

  /** Only with the permission `database`; undefined without. */
  db(name: string): ToolDatabase;

  /** Only with the permission `email`; undefined without. */
  email: ToolEmail;

  /** Only with the permission `scheduling`; undefined without. */
  schedule: ToolSchedules;

  /**
   * A result of parts, which MCP clients get as content:
   * `return utils.content([{ type: "text", text }, { type: "image", data, mimeType: "image/png" }])`.
   */
  content(parts: ContentPart[]): object;
  /**
   * A result of which a model gets `forLLM` alone, and everybody else both:
   * `return utils.output({ forLLM: summary, forUser: rows })`.
   */
  output(value: { forLLM: unknown; forUser: unknown }): object;

  /**
   * The field `api_key` of the default entry, as in `utils.getApiKey("weather")`; undefined where there is none. A secret may
   * be a placeholder.
   */
  getApiKey(service: string): string | undefined;
  /** Everything known of a service, its entries included; null for one that the run doesn't know. */
  getServiceConfig(service: string): any;
  /** The values of one entry, by its label or the default one; null where there is none. */
  getConfigEntry(service: string, label?: string): any;
  getConfigEntries(service: string): ConfigEntry[];
  /** One value of an entry; undefined if there is none. */
  getFieldValue(service: string, field: string, label?: string): any;

  /** The digest in hexadecimal: md5, sha1, sha224 to sha512, sha3-256 to sha3-512. */
  hash(text: string, algorithm?: string): string;
  /**
   * A signature with a secret of a service, made outside of the tool, which never holds the secret:
   * `await utils.hmac("payments", body, { encoding: "base64" })`.
   */
  hmac(service: string, data: string | ArrayBuffer | ArrayBufferView, options?: HmacOptions): Promise<string>;
  uuid(): string;
  generatePassword(length?: number): string;

  base64Encode(text: string): string;
  base64Decode(text: string): string;
  urlEncode(text: string): string;
  urlDecode(text: string): string;
  hexEncode(text: string): string;
  hexDecode(hex: string): string;

  /** The current time as ISO 8601. */
  now(): string;
  /** Milliseconds since 1970. */
  timestamp(): number;
  /** How long after `date1` `date2` is, in days unless said: `utils.dateDiff("2026-01-01", "2026-01-31")` is 30. */
  dateDiff(date1: DateLike, date2: DateLike, unit?: DateUnit): number;
  /**
   * The date moved by an amount, in days unless said, as ISO 8601 in UTC: `utils.dateAdd("2026-01-01", 2, "weeks")` is
   * `"2026-01-15T00:00:00.000Z"`.
   */
  dateAdd(date: DateLike, amount: number, unit?: DateUnit | "months" | "years"): string;
  /** The day in words, in UTC: `utils.formatDate("2026-01-01")` is `"Thursday, January 1, 2026"`. */
  formatDate(date: DateLike, locale?: string): string;

  slugify(text: string): string;
  /** At most `maxLength` UTF-16 units (100 unless said), the suffix included. */
  truncate(text: string, maxLength?: number, suffix?: string): string;
  countWords(text: string): number;
  removeDiacritics(text: string): string;
  camelCase(text: string): string;
  snakeCase(text: string): string;
  kebabCase(text: string): string;
  titleCase(text: string): string;

  isEmail(value: unknown): boolean;
  isUrl(value: unknown): boolean;
  isJson(value: unknown): boolean;
  isUuid(value: unknown): boolean;

  clamp(value: number, min: number, max: number): number;
  /** Rounds decimally, to two places unless said: `utils.round(2.345)` is 2.35. */
  round(value: number, decimals?: number): number;
  /** A random whole number, both ends included; 0 to 100 unless said. */
  randomInt(min?: number, max?: number): number;
  sum(numbers: number[]): number;
  avg(numbers: number[]): number;

  /** Like JSON.parse; the error has position, line and column. */
  parseJson(text: string): any;
  toJson(data: unknown, indent?: number): string;
  /**
   * The rows of a CSV text with a header, by the header's names: `utils.parseCsv("id,name\n1,Ada")` is
   * `[{ id: "1", name: "Ada" }]`.
   */
  parseCsv(csv: string, delimiter?: string): Record<string, string>[];

  /** One property for every leaf, named by its path, such as `a.b[0].c`. */
  flatten(obj: object, prefix?: string): Record<string, unknown>;
  /** What stands at a path, as in `utils.getPath(data, "items[0].name")`; undefined where there is nothing. */
  getPath(obj: unknown, path: string): any;
  unique<T>(arr: T[]): T[];
  /** Lists of at most `size` items each: `utils.chunk([1, 2, 3], 2)` is `[[1, 2], [3]]`. */
  chunk<T>(arr: T[], size: number): T[][];
  shuffle<T>(arr: T[]): T[];
  sample<T>(arr: T[], n?: number): T[];
  /** The items by what `key` is of each, as in `utils.groupBy(orders, "country")`. */
  groupBy<T>(arr: T[], key: keyof T | ((item: T, index: number) => unknown)): Record<string, T[]>;
}

/** How the key of a service goes along with a request. */
export interface ApiAuth {
  service: string;
  scheme?: "bearer" | "basic" | "header";
  header?: string;
  entry?: string;
  field?: string;
  user?: string;
}
export interface RestCall {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  /** A service whose key is sent, as a bearer token if only its name is given. */
  auth?: string | ApiAuth;
  /** Text goes as it is, anything else as JSON. */
  body?: unknown;
  /** Numbers of the answer that JavaScript would round come as the text that was written. */
  bigNumbers?: "string";
}
export interface GraphqlCall extends Omit<RestCall, "method" | "body"> {
  query: string;
  variables?: Record<string, unknown>;
}
export interface ToolApi {
  /**
   * Answers with the body, parsed where it is JSON, as in `await api.rest({ url, auth: "weather" })`. Only with the permission
   * `network`; undefined otherwise.
   */
  rest(call: RestCall): Promise<any>;
  /**
   * Answers with the query's `data`, as in `await api.graphql({ url, query, variables })`. Only with the permission `network`;
   * undefined otherwise.
   */
  graphql(call: GraphqlCall): Promise<any>;
  log(...values: unknown[]): void;
  date(): Date;
}

export declare const context: ToolContext;
export declare const utils: ToolUtils;
export declare const api: ToolApi;
/** Sends a value to those who follow the run, as in `emit({ progress: 0.5 })`. */
export declare function emit(value: unknown): void;
