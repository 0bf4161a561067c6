import { z } from "zod";

/** Every bad setting of one start, by name. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`Bad settings:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

/** For what a field has no words of its own; null leaves it to zod. */
const inOurWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  return issue.code === "invalid_type" && issue.input === undefined ? "is not set" : null;
};

/** For a check of these settings together: it says what is wrong beside all other faults, unless one of them is bad by itself. */
export const whereGood = (names: readonly string[]) => ({
  when: ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(({ path = [] }) => names.includes(String(path[0]))),
});

/** Reads the settings that `schema` names from an environment, all at once, and freezes them. An empty variable counts as unset. */
export function readSettings<S extends z.ZodObject>(
  schema: S,
  env: NodeJS.ProcessEnv,
): Readonly<z.output<S>> {
  const named = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const parsed = schema.safeParse(named, { error: inOurWords });
  if (parsed.success) return Object.freeze(parsed.data);
  throw new SettingsError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
}
