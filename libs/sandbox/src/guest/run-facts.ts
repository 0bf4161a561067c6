import { isArray, objectFreeze, ownKeys, parseJson } from "./primordials.ts";
import { lazily } from "./lazily.ts";

/** The facts about this run that the host gave before the tool was called. */
export const runFacts = {
  argumentsJson: "{}",
  contextJson: "{}",
  configJson: "{}",
  network: false,
  capabilities: [] as readonly string[],
};

/** Whether the run has this family of capabilities; the worker looks again. */
export function hasCapability(family: string): boolean {
  const { capabilities } = runFacts;
  for (let i = 0; i < capabilities.length; i++) if (capabilities[i] === family) return true;
  return false;
}

/** The call's arguments; `args` and `input` are one object. */
export const toolArguments = lazily(() => parseJson(runFacts.argumentsJson) as unknown);

/** The caller's facts about the call; the object is frozen. */
export const toolContext = lazily(() => freezeDeep(parseJson(runFacts.contextJson)));

function freezeDeep(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const keys = isArray(value) ? [] : ownKeys(value);
  for (let i = 0; i < keys.length; i++) freezeDeep((value as Record<string, unknown>)[keys[i] as string]);
  return objectFreeze(value);
}
