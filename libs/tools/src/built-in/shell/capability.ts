import type { CapabilityAnswer, CapabilityCaller, CapabilityFamily, JsonObject } from "@bulkhead/core";
import { z } from "zod";
import type { FileAsker } from "../../files/file-access.ts";
import { runCommand, type ShellDeps } from "../../shell/run-command.ts";
import {
  COMMAND_CHARS_MAX,
  COMMAND_MS_DEFAULT,
  COMMAND_MS_MAX,
  COMMAND_MS_MIN,
  CWD_CHARS_MAX,
  ENVIRONMENT_CHARS_MAX,
  STDIN_BYTES_MAX,
  VARIABLE_NAME_CHARS_MAX,
  VARIABLES_MAX,
} from "./bounds.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NO_NUL = /^[^\0]*$/;
const text = (max: number) => z.string().max(max).regex(NO_NUL, "must not contain NUL");
const environment = z
  .record(
    z.string().max(VARIABLE_NAME_CHARS_MAX).regex(NAME, "must be a name of letters, digits and _"),
    text(ENVIRONMENT_CHARS_MAX),
  )
  .refine((env) => Object.keys(env).length <= VARIABLES_MAX, `must have ${VARIABLES_MAX} variables at most`)
  .refine(
    (env) => Object.entries(env).flat().join("").length <= ENVIRONMENT_CHARS_MAX,
    `must have ${ENVIRONMENT_CHARS_MAX} characters at most`,
  );

/** What a command is asked for with; its standard input comes as the request's content. */
export const COMMAND = z.strictObject({
  command: text(COMMAND_CHARS_MAX).min(1),
  cwd: z.string().max(CWD_CHARS_MAX).default(""),
  env: environment.default({}),
});
const EXEC = COMMAND.extend({
  timeoutMs: z.int().min(COMMAND_MS_MIN).max(COMMAND_MS_MAX).default(COMMAND_MS_DEFAULT),
});

/** The capability `shell`: commands over the workspace of whoever made the call. */
export function openShell(deps: ShellDeps): CapabilityFamily {
  return {
    operations: new Map([["exec", "writes"] as const]),
    async run({ operation, arguments: args, content }, caller, signal) {
      if (operation !== "exec") return invalid(`there is no operation ${operation}`);
      const read = EXEC.safeParse(args);
      if (!read.success) return invalid(firstIssue(read.error));
      const stdin = stdinOf(content);
      if (stdin === null) return invalid(`stdin must have ${STDIN_BYTES_MAX} bytes at most, in UTF-8`);
      const ran = await runCommand(deps, askerOf(caller), { ...read.data, stdin, keepsInput: false }, signal);
      return ran.ok ? { ok: true, value: { ...ran.result, unsaved: ran.result.unsaved.map(copied) } } : ran;
    },
  };
}

const copied = <T extends object>(one: T): JsonObject & T => ({ ...one }) as JsonObject & T;

export const askerOf = ({ tenantId, agentId, userId, executionId }: CapabilityCaller): FileAsker => ({
  workspace: { tenantId, agentId, userId },
  by: executionId,
  seesAll: false,
});

export function stdinOf(content: string | Uint8Array | null): string | null {
  const bytes = Buffer.from(content ?? "");
  return bytes.length > STDIN_BYTES_MAX ? null : bytes.toString();
}

export const invalid = (message: string): CapabilityAnswer => ({
  ok: false,
  code: "invalid_request",
  message,
});

export function firstIssue({ issues: [issue] }: z.ZodError): string {
  const where = issue?.path.join(".") ?? "";
  return `${where === "" ? "the arguments" : where}: ${issue?.message ?? "are invalid"}`;
}
