import { requestEffect, type EffectAnswer } from "../effects.ts";
import { parseJson, promiseThen, stringifyJson } from "../primordials.ts";
import { takeText, wrongKind } from "./arguments.ts";

/**
 * `utils.exec`: runs a command over the caller's workspace. The worker checks every option, one that it doesn't know
 * included. It is async, so that what it refuses rejects.
 */
export async function exec(
  command: unknown,
  options: { stdin?: unknown; [name: string]: unknown } = {},
): Promise<unknown> {
  if (typeof options !== "object" || options === null) throw wrongKind("exec", "options must be an object");
  const { stdin, ...others } = options;
  const argumentsJson = stringifyJson({ ...others, command: takeText("exec", "command", command) });
  const asked = requestEffect(
    { kind: "capability", family: "shell", operation: "exec", argumentsJson },
    stdin === undefined ? null : takeText("exec", "stdin", stdin),
    undefined,
    "capability",
  );
  const toValue = ({ body }: EffectAnswer): unknown => parseJson(body);
  return promiseThen(asked, toValue, undefined as never);
}
