import { decodeBase64 } from "../base64.ts";
import { requestEffect, type EffectAnswer } from "../effects.ts";
import { parseJson, promiseThen, stringifyJson } from "../primordials.ts";
import { bytesOf, copyBytes, encodeUtf8 } from "../utf8.ts";
import { takeName, takeText, wrongKind } from "./arguments.ts";

const ENCODINGS = ["utf8", "bytes"] as const;

interface Edit {
  oldText: string;
  newText: string;
}

/**
 * Asks the worker for an operation on the files of the caller's workspace. It checks every argument, an option that it doesn't
 * know included; here only what could not be sent is refused.
 */
function ask(
  operation: string,
  args: object,
  options: unknown = {},
  content: string | Uint8Array | null = null,
): Promise<EffectAnswer> {
  if (typeof options !== "object" || options === null)
    throw wrongKind(`fs.${operation}`, "options must be an object");
  const argumentsJson = stringifyJson({ ...options, ...args });
  return requestEffect(
    { kind: "capability", family: "files", operation, argumentsJson },
    content,
    undefined,
    "capability",
  );
}

const then = <T>(answered: Promise<EffectAnswer>, use: (answer: EffectAnswer) => T): Promise<T> =>
  promiseThen(answered, use as () => T, undefined as never) as Promise<T>;

const toValue = ({ body }: EffectAnswer): unknown => parseJson(body);

const pathOf = (fn: string, name: string, value: unknown): string => takeText(`fs.${fn}`, name, value);

/** A text, or a copy of bytes: the tool may change its own while they are sent. */
function contentOf(fn: string, value: unknown): string | Uint8Array {
  const bytes = bytesOf(value);
  return bytes === null ? takeText(`fs.${fn}`, "content", value) : copyBytes(bytes);
}

const bytesIn = ({ body, isBase64 }: EffectAnswer): Uint8Array =>
  (isBase64 ? decodeBase64(body) : null) ?? encodeUtf8(body);

/** `utils.fs`: the files of the caller's workspace. Every function is async, so that what it refuses rejects. */
export const fs = {
  async read(path: unknown, options: { encoding?: unknown; [name: string]: unknown } = {}): Promise<unknown> {
    const { encoding = "utf8", ...others } = options;
    const wanted = takeName("fs.read", "encoding", encoding, ENCODINGS);
    const asked = ask("read", { path: pathOf("read", "path", path), encoding: wanted }, others);
    return then<unknown>(asked, wanted === "bytes" ? bytesIn : ({ body }) => body);
  },
  async write(path: unknown, content: unknown, options?: unknown): Promise<unknown> {
    const sent = contentOf("write", content);
    return then(ask("write", { path: pathOf("write", "path", path) }, options, sent), toValue);
  },
  async append(path: unknown, content: unknown): Promise<unknown> {
    const sent = contentOf("append", content);
    return then(ask("append", { path: pathOf("append", "path", path) }, {}, sent), toValue);
  },
  async edit(path: unknown, edits: readonly Edit[], options?: unknown): Promise<unknown> {
    return then(ask("edit", { path: pathOf("edit", "path", path), edits }, options), toValue);
  },
  async list(path: unknown = "", options?: unknown): Promise<unknown> {
    return then(ask("list", { path: pathOf("list", "path", path) }, options), toValue);
  },
  async glob(pattern: unknown, options?: unknown): Promise<unknown> {
    return then(ask("glob", { pattern: pathOf("glob", "pattern", pattern) }, options), toValue);
  },
  async search(pattern: unknown, options?: unknown): Promise<unknown> {
    return then(ask("search", { pattern: pathOf("search", "pattern", pattern) }, options), toValue);
  },
  async stat(path: unknown): Promise<unknown> {
    return then(ask("stat", { path: pathOf("stat", "path", path) }), toValue);
  },
  async exists(path: unknown): Promise<unknown> {
    return then(ask("exists", { path: pathOf("exists", "path", path) }), toValue);
  },
  async move(from: unknown, to: unknown, options?: unknown): Promise<unknown> {
    const args = { from: pathOf("move", "from", from), to: pathOf("move", "to", to) };
    return then(ask("move", args, options), toValue);
  },
  async remove(path: unknown, options?: unknown): Promise<unknown> {
    return then(ask("remove", { path: pathOf("remove", "path", path) }, options), toValue);
  },
};
