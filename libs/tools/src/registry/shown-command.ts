import type { ToolDefinition } from "@bulkhead/core";

/** The command of a tool or of a version as outsiders see it: of its variables the names. */
export function shownCommandOf({ shell, limits }: Pick<ToolDefinition, "shell" | "limits">) {
  if (shell === undefined)
    return { command: undefined, workingDirectory: undefined, timeoutSeconds: undefined, env: undefined };
  const { template, workingDirectory, env } = shell;
  const names = Object.keys(env);
  return {
    command: template,
    workingDirectory: workingDirectory === "" ? undefined : workingDirectory,
    timeoutSeconds: limits.wallMs / 1_000,
    env: names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, null])),
  };
}
