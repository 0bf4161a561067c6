import {
  Fault,
  judgeSecret,
  TOOL_COMMAND_SECONDS_DEFAULT,
  toolVariablePurpose,
  type FaultDetail,
  type RunLimits,
  type ToolCommand,
  type ToolDefinition,
  type Vault,
} from "@bulkhead/core";

/** What is said of a command in place of code; undefined: nothing. */
export interface CommandFields {
  command?: string;
  /** A folder of the workspace; "" is its root. */
  workingDirectory?: string;
  /** The time of a run, which `limits.wallMs` keeps. */
  timeoutSeconds?: number;
  /** By name; null: as it was, and a new one without a value. */
  env?: Readonly<Record<string, string | null>>;
}

/** The fields that a command is said by, beside what `permissions` of the tool follows from it. */
const COMMAND_FIELDS = ["command", "workingDirectory", "timeoutSeconds", "env"] as const;

/** What else of a definition is given beside a command; undefined, or empty: nothing. */
interface Beside extends CommandFields {
  code?: string;
  language?: string;
  permissions?: readonly string[];
  allowedHosts?: readonly string[] | null;
  services?: readonly string[];
  limits?: Partial<RunLimits>;
}

/** Throws `request.invalid` with each field that means nothing beside the command, or without one. */
export function requireOneKind(isCommand: boolean, said: Beside): void {
  const errors = isCommand ? besideCommand(said) : withoutCommand(said);
  const [first] = errors;
  if (first) throw new Fault("request.invalid", { detail: `${first.path} ${first.message}.`, errors });
}

const withoutCommand = (said: Beside): FaultDetail[] => [
  ...(said.code === "" ? [{ path: "code", message: "is missing: a tool has code or a command" }] : []),
  ...COMMAND_FIELDS.filter((field) => said[field] !== undefined).map((path) => ({
    path,
    message: "means nothing for a tool with code; say a command in place of the code",
  })),
];

function besideCommand({
  code,
  language,
  permissions,
  allowedHosts,
  services,
  ...said
}: Beside): FaultDetail[] {
  const one = (path: string, isWrong: boolean, message: string): FaultDetail[] =>
    isWrong ? [{ path, message }] : [];
  const more = permissions?.find((permission) => permission !== "shell");
  return [
    ...one("code", (code ?? "") !== "", "can't be there beside command: a tool has one of the two"),
    ...one("language", language === "typescript", "means nothing beside command"),
    ...one("permissions", more !== undefined, `can't hold ${more}: a command has the permission shell alone`),
    ...one(
      "allowedHosts",
      (allowedHosts ?? null) !== null,
      "means nothing beside command, which has no network",
    ),
    ...one("requiredConfigServices", (services ?? []).length > 0, "means nothing beside command; use env"),
    ...one(
      "timeoutSeconds",
      said.timeoutSeconds !== undefined &&
        said.limits?.wallMs !== undefined &&
        said.limits.wallMs !== said.timeoutSeconds * 1_000,
      "can't differ from limits.wallMs, which it stands for",
    ),
  ];
}

/** The limits that are said with the time of the command; `isNew`: nothing was said of it before. */
export function limitsOfCommand(
  { timeoutSeconds, limits = {} }: Pick<Beside, "timeoutSeconds" | "limits">,
  isNew: boolean,
): Partial<RunLimits> {
  if (timeoutSeconds !== undefined) return { ...limits, wallMs: timeoutSeconds * 1_000 };
  return isNew ? { wallMs: TOOL_COMMAND_SECONDS_DEFAULT * 1_000, ...limits } : limits;
}

/** The variables with their values sealed: one that is as it was keeps its sealed text, so that nothing changes by it. */
export async function sealVariables(
  { vault }: { vault: Pick<Vault, "seal" | "open"> },
  tenantId: string,
  env: CommandFields["env"],
  former: ToolCommand["env"] = {},
): Promise<ToolCommand["env"]> {
  if (env === undefined) return former;
  const sealed = Object.entries(env).map(async ([name, value]) => {
    const before = Object.hasOwn(former, name) ? (former[name] ?? null) : null;
    if (value === null) return [name, before] as const;
    const place = { tenantId, purpose: toolVariablePurpose(name) };
    const isSame = before !== null && (await vault.open(before, place)) === value;
    return [name, isSame ? before : await vault.seal(value, place)] as const;
  });
  return Object.fromEntries(await Promise.all(sealed));
}

/** For the maker: variables without a value, and values that can't be kept out of what the command says. */
export function variableWarnings(
  { shell }: Pick<ToolDefinition, "shell">,
  { env = {} }: CommandFields,
): string[] {
  if (shell === undefined) return [];
  const empty = Object.keys(shell.env).filter((name) => shell.env[name] === null);
  const plain = Object.keys(env).filter(
    (name) => env[name] !== null && judgeSecret(env[name] ?? "") !== "ok",
  );
  return [
    ...empty.map((name) => `env.${name} has no value yet: calls are refused until it is given one.`),
    ...plain.map(
      (name) =>
        `env.${name} is too short or too common to be kept out of what the command says; it is no secret.`,
    ),
  ];
}
