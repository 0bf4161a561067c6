import { DeviceCommands, readInput } from "@bulkhead/contracts";
import { harmlessLine } from "@bulkhead/core/harmless";
import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { CliFault, EXIT } from "../faults/cli-fault.ts";

/** The file of commands that is looked for where none is named. */
export const COMMANDS_FILE = "devices.json";
const BYTES_MAX = 1_048_576;
const OTHERS_WRITE = 0o022;
/** Words of one command line, and characters of a word. */
const WORDS_MAX = 256;
const WORD_CHARS_MAX = 16_384;
/** The longest that a server waits for a command; milliseconds. */
const TIMEOUT_MS_MAX = 120_000;

/** A word that is wholly one argument. */
const PLACEHOLDER = /^\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}$/;

/** The argument's name that the word stands for; undefined: it stands for itself. */
export const placeholderIn = (word: string): string | undefined => PLACEHOLDER.exec(word)?.[1];

const word = z
  .string()
  .max(WORD_CHARS_MAX)
  .refine((text) => !text.includes("\0"), "must not hold NUL")
  .refine(
    (text) => placeholderIn(text) !== undefined || !/\{\{|\}\}/.test(text),
    "must be {{key}} as a whole word, or hold neither {{ nor }}",
  );

const Offered = z.strictObject({
  description: z.string(),
  run: z
    .array(word)
    .min(1)
    .max(WORDS_MAX)
    .refine(([program = ""]) => placeholderIn(program) === undefined, "must name its program itself"),
  parameters: z.record(z.string(), z.unknown()).optional(),
  timeoutMs: z.int().min(1).max(TIMEOUT_MS_MAX).optional(),
  cwd: z.string().min(1).optional(),
  output: z.enum(["text", "json"]).default("text"),
});

const CommandsFile = z.strictObject({ commands: z.record(z.string(), Offered) });

/** A command that this machine lets others run. */
export interface OfferedCommand {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** The program and its words; one that is `{{key}}` is that argument. */
  run: readonly string[];
  /** The most that it may take; the caller may say less. */
  timeoutMs: number;
  cwd: string;
  output: "text" | "json";
}

const refused = (path: string, errors: { path: string; message: string }[]): CliFault =>
  new CliFault(`${path} is no list of commands.`, {
    exit: EXIT.usage,
    code: "cli.commands_invalid",
    errors,
    next: "See what it holds: bulkhead device run --help",
  });

/**
 * The commands of a file. One that other users may change is refused: they could have this user run anything. Throws a fault
 * with each field that is wrong.
 */
export async function readOffered(said: string): Promise<OfferedCommand[]> {
  const path = resolve(said);
  const commands = await parsed(path);
  const faults = Object.entries(commands).flatMap(([name, { run, parameters }]) =>
    strayIn(name, run, parameters),
  );
  const offered = Object.entries(commands).map(([name, one]) => ({
    name,
    description: one.description,
    parameters: one.parameters ?? parametersOf(one.run),
    run: one.run,
    timeoutMs: one.timeoutMs ?? TIMEOUT_MS_MAX,
    cwd: resolve(dirname(path), one.cwd ?? "."),
    output: one.output,
  }));
  const told = readInput(DeviceCommands, offered.map(toldOf)).faults ?? [];
  const all = [...faults, ...told.map(({ path: at, message }) => ({ path: placeOf(at, offered), message }))];
  if (all.length > 0) throw refused(said, all);
  if (offered.length === 0) throw refused(said, [{ path: "commands", message: "holds no command" }]);
  return offered;
}

/** What the server is told of it. */
export const toldOf = ({ name, description, parameters }: OfferedCommand) => ({
  name,
  description,
  parameters,
});

async function parsed(path: string): Promise<z.infer<typeof CommandsFile>["commands"]> {
  let text: string;
  try {
    const { mode, size } = await stat(path);
    if (process.platform !== "win32" && (mode & OTHERS_WRITE) !== 0)
      throw new CliFault(`${path} may be changed by other users, so nothing of it is run.`, {
        exit: EXIT.usage,
        code: "cli.commands_invalid",
        next: `Run: chmod go-w ${path}`,
      });
    if (size > BYTES_MAX) throw refused(path, [{ path: "", message: `has more than ${BYTES_MAX} bytes` }]);
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof CliFault) throw error;
    throw new CliFault(`${path} can't be read: ${(error as Error).message}`, {
      exit: EXIT.usage,
      code: "cli.commands_invalid",
      next: "Name a file of commands: bulkhead device run --allow <file>. See: bulkhead device run --help",
    });
  }
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (error) {
    throw refused(path, [{ path: "", message: `is no JSON: ${harmlessLine((error as Error).message)}` }]);
  }
  const { value, faults } = readInput(CommandsFile, said);
  if (faults !== null) throw refused(path, faults);
  return value.commands;
}

/** Placeholders that no parameter has: nobody could give them. */
function strayIn(
  name: string,
  run: readonly string[],
  parameters: Record<string, unknown> | undefined,
): { path: string; message: string }[] {
  const known = parameters?.["properties"];
  if (parameters === undefined) return [];
  return [...new Set(run.flatMap((one) => placeholderIn(one) ?? []))]
    .filter((key) => typeof known !== "object" || known === null || !Object.hasOwn(known, key))
    .map((key) => ({
      path: `commands.${name}.run`,
      message: `names {{${key}}}, and parameters.properties has no ${key}`,
    }));
}

/** Where nothing is said of them: each placeholder is required, and there is no other. */
function parametersOf(run: readonly string[]): Record<string, unknown> {
  const keys = [...new Set(run.flatMap((one) => placeholderIn(one) ?? []))];
  const type = ["string", "number", "boolean"];
  return {
    type: "object",
    properties: Object.fromEntries(keys.map((key) => [key, { type }])),
    required: keys,
    additionalProperties: false,
  };
}

/** `0.name` of the list is of the first command's name. */
function placeOf(path: string, offered: readonly OfferedCommand[]): string {
  const [, index, rest = ""] = /^\[?(\d+)\]?(.*)$/s.exec(path) ?? [];
  const named = index === undefined ? undefined : offered[Number(index)]?.name;
  return named === undefined ? "commands" : `commands.${named}${rest}`;
}
