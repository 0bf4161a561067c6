import { CliFault, EXIT, interruptedFault, usageFault } from "../faults/cli-fault.ts";
import type { Terminal } from "./terminal.ts";

/** What stdin may hold: as much as a request's body. */
const STDIN_BYTES_MAX = 2 * 1_048_576;

/** Lines of a list of choices that are seen at one time. */
const CHOICES_SHOWN = 12;

/** All of stdin, as text; more than `STDIN_BYTES_MAX` is a fault. */
export async function readStdin(terminal: Pick<Terminal, "stdin">): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readStdinBytes(terminal));
  } catch (error) {
    if (error instanceof CliFault) throw error;
    throw new CliFault("stdin is no text in UTF-8.", { exit: EXIT.usage, code: "cli.usage", cause: error });
  }
}

/** All of stdin, as it is; more than so many bytes is a fault. */
export async function readStdinBytes(
  { stdin }: Pick<Terminal, "stdin">,
  bytesMax = STDIN_BYTES_MAX,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const data = Buffer.from(chunk as Uint8Array);
    bytes += data.length;
    if (bytes > bytesMax) throw usageFault(`stdin holds more than ${bytesMax} bytes.`);
    chunks.push(data);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Without one line end at the end, which `echo` and editors add. */
export const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, "");

const questions = async (terminal: Terminal) => {
  const clack = await import("@clack/prompts");
  const how = { input: terminal.stdin, output: terminal.stderr, withGuide: false };
  const given = <Value extends string | boolean>(answer: Value | symbol): Value => {
    if (typeof answer === "symbol") throw interruptedFault();
    return answer;
  };
  return { clack, how, given };
};

/** A value that nobody may read over a shoulder: nothing is shown while it is typed. */
export async function askSecret(terminal: Terminal, message: string): Promise<string> {
  const { clack, how, given } = await questions(terminal);
  const validate = (value: string | undefined) => (value ? undefined : "It can't be empty.");
  return given<string>(await clack.password({ ...how, message, mask: "", validate }));
}

export async function askText(terminal: Terminal, message: string, initialValue?: string): Promise<string> {
  const { clack, how, given } = await questions(terminal);
  const validate = (value: string | undefined) => (value ? undefined : "It can't be empty.");
  const start = initialValue === undefined ? {} : { initialValue };
  return given<string>(await clack.text({ ...how, message, validate, ...start }));
}

/** One of several, each with a few words about it. */
export async function askChoice(
  terminal: Terminal,
  message: string,
  options: { value: string; label: string; hint: string }[],
): Promise<string> {
  const { clack, how, given } = await questions(terminal);
  return given<string>(await clack.select({ ...how, message, options, maxItems: CHOICES_SHOWN }));
}

/** A question that has an answer where nobody is there to give one. */
export async function askYesNo(terminal: Terminal, message: string): Promise<boolean> {
  const { clack, how, given } = await questions(terminal);
  return given<boolean>(await clack.confirm({ ...how, message, initialValue: false }));
}

/** Asks before what can't be taken back; where nobody can be asked, `--yes` must have been said. */
export async function confirmOrFail(terminal: Terminal, message: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!terminal.interactive) throw usageFault(`${message} Nobody can be asked here.`, "Say --yes.");
  if (!(await askYesNo(terminal, message))) throw interruptedFault();
}
