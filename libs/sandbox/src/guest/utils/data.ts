import { requestEffect, type EffectAnswer } from "../effects.ts";
import { parseJson, promiseThen, stringifyJson } from "../primordials.ts";
import { takeNumber, takeText, wrongKind } from "./arguments.ts";

/**
 * Asks the worker for an operation on custom data. It checks every argument, an option that it doesn't know included; here only
 * what could not be sent is refused.
 */
function ask(operation: string, args: object, options: unknown = {}): Promise<unknown> {
  if (typeof options !== "object" || options === null)
    throw wrongKind(`data.${operation}`, "options must be an object");
  const argumentsJson = stringifyJson({ ...options, ...args });
  const effect = { kind: "capability", family: "data", operation, argumentsJson } as const;
  const asked = requestEffect(effect, null, undefined, "capability");
  return promiseThen(
    asked,
    ((answer: EffectAnswer) => parseJson(answer.body)) as () => unknown,
    undefined as never,
  );
}

const part =
  (name: string) =>
  (answer: unknown): unknown =>
    (answer as Record<string, unknown>)[name];

/** JSON has no word for what is undefined, a function or a symbol: kept as nothing it would be lost without a word. */
function valueOf(value: unknown): unknown {
  if (stringifyJson(value) === undefined) throw wrongKind("data.put", "value must be a JSON value");
  return value;
}

/** A collection of `utils.data`. Every function is async, so that what it refuses rejects. */
const open = (collection: string) => ({
  async get(id: unknown): Promise<unknown> {
    const asked = ask("get", { collection, id: takeText("data.get", "id", id) });
    return promiseThen(asked, part("document") as () => unknown, undefined as never);
  },
  async put(id: unknown, value: unknown, options?: unknown): Promise<unknown> {
    return ask("put", { collection, id: takeText("data.put", "id", id), value: valueOf(value) }, options);
  },
  async increment(id: unknown, by: unknown = 1, options?: unknown): Promise<unknown> {
    const args = { collection, id: takeText("data.increment", "id", id) };
    return ask("increment", { ...args, by: takeNumber("data.increment", "by", by) }, options);
  },
  async query(options?: unknown): Promise<unknown> {
    return ask("query", { collection }, options);
  },
  async count(options?: unknown): Promise<unknown> {
    return promiseThen(
      ask("count", { collection }, options),
      part("count") as () => unknown,
      undefined as never,
    );
  },
  async remove(id: unknown, options?: unknown): Promise<unknown> {
    return ask("remove", { collection, id: takeText("data.remove", "id", id) }, options);
  },
});

/** `utils.data`: the documents of one of the caller's collections. Its name is the worker's to check. */
export const data = (collection: unknown): ReturnType<typeof open> =>
  open(takeText("data", "collection", collection));
