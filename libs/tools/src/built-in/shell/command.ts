import { COMMAND_CHARS_MAX } from "@bulkhead/core";
import { z } from "zod";
import {
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
/** A command that its caller waits for. */
export const EXEC = COMMAND.extend({
  timeoutMs: z.int().min(COMMAND_MS_MIN).max(COMMAND_MS_MAX).default(COMMAND_MS_DEFAULT),
});

/** Null where there is more than a command may be given. */
export function stdinOf(content: string | Uint8Array | null): string | null {
  const bytes = Buffer.from(content ?? "");
  return bytes.length > STDIN_BYTES_MAX ? null : bytes.toString();
}
