import { styleText } from "node:util";
import { harmless, harmlessJson } from "@bulkhead/core/harmless";
import { asCalled } from "./called-as.ts";
import { cutTo, tableLines, type Column } from "./table.ts";

type Format = Parameters<typeof styleText>[0];

interface Output {
  write(text: string | Uint8Array): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface TerminalParts {
  stdin: NodeJS.ReadStream;
  stdout: Output;
  stderr: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether scripts read: stdout gets JSON alone, and stderr no questions. */
  json: boolean;
  quiet: boolean;
  /** How its user calls the program; by its name unless said. */
  program?: string | undefined;
}

export interface Cell {
  text: string;
  format?: Format | undefined;
}

/** Cells of a terminal that does not say how many it has, and the fewest that a table is cut to. */
const COLUMNS_DEFAULT = 80;
const COLUMNS_MIN = 20;

/** Results go to stdout, everything about them to stderr; strangers' text is made harmless on the way. */
export class Terminal {
  readonly json: boolean;
  readonly #parts: TerminalParts;
  /** What stands in the last line of stderr and is written anew below each note. */
  #status = "";

  constructor(parts: TerminalParts) {
    this.#parts = parts;
    this.json = parts.json;
  }

  get stdin(): NodeJS.ReadStream {
    return this.#parts.stdin;
  }

  /** Where questions are asked. */
  get stderr(): NodeJS.WriteStream {
    return this.#parts.stderr;
  }

  /** Whether a person can be asked something. */
  get interactive(): boolean {
    const { stdin, stderr } = this.#parts;
    return !this.json && stdin.isTTY && stderr.isTTY;
  }

  get stdoutIsTerminal(): boolean {
    return Boolean(this.#parts.stdout.isTTY);
  }

  #colours({ isTTY }: Output): boolean {
    const { env } = this.#parts;
    if (env["NO_COLOR"]) return false;
    return env["FORCE_COLOR"] ? env["FORCE_COLOR"] !== "0" : Boolean(isTTY) && env["TERM"] !== "dumb";
  }

  #paint(output: Output, format: Format | undefined, text: string): string {
    if (format === undefined || text === "" || !this.#colours(output)) return text;
    return styleText(format, text, { validateStream: false });
  }

  /** Lines on stdout, in one colour. */
  line(text: string, format?: Format): void {
    const { stdout } = this.#parts;
    this.#write(stdout, `${this.#paint(stdout, format, harmless(text))}\n`);
  }

  /** A tool's text as the result of a command: exactly as it is where no terminal reads. */
  text(text: string): void {
    const { stdout } = this.#parts;
    if (stdout.isTTY) this.line(text);
    else this.#write(stdout, text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Bytes on stdout, exactly as they are; not for a terminal, which acts on some. */
  bytes(bytes: Uint8Array): void {
    this.#write(this.#parts.stdout, bytes);
  }

  /** JSON on stdout, of which every reader gets the same value, and no terminal a control character. */
  value(value: unknown): void {
    this.#write(this.#parts.stdout, `${harmlessJson(value)}\n`);
  }

  /** One value as one line, for what comes over time. */
  valueLine(value: unknown): void {
    this.#write(this.#parts.stdout, `${harmlessJson(value, 0)}\n`);
  }

  /** What a command tells beside its result: on stderr, and not with `--quiet`. */
  note(text: string, format?: Format): void {
    if (!this.#parts.quiet) this.warn(text, format);
  }

  /** The same, heard also with `--quiet`. */
  warn(text: string, format?: Format): void {
    const { stderr } = this.#parts;
    this.#write(stderr, `${this.#paint(stderr, format, harmless(text))}\n`);
  }

  /** A note of ours that names commands. */
  next(text: string, format?: Format): void {
    this.note(this.asCalled(text), format);
  }

  /** A sentence of ours with the commands in it, such as `bulkhead login`, as its reader calls them. */
  asCalled(text: string): string {
    const { program } = this.#parts;
    return program === undefined ? text : asCalled(text, program);
  }

  /** Something that takes long: one line that is written over, where a terminal reads. An empty text takes it away. */
  status(text: string): void {
    const { stderr, quiet } = this.#parts;
    if (!stderr.isTTY || quiet || this.json) return;
    this.#clearStatus();
    const [line = ""] = harmless(text).split("\n");
    // The last column stays free: a terminal that wraps there would not write over the line.
    this.#status = cutTo((stderr.columns ?? COLUMNS_DEFAULT) - 1, line);
    stderr.write(this.#paint(stderr, "dim", this.#status));
  }

  /** Tells that something goes on for as long as it does. */
  async during<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
    this.status(text);
    try {
      return await work();
    } finally {
      this.status("");
    }
  }

  #clearStatus(): void {
    if (this.#status !== "") this.#parts.stderr.write("\r\u001b[2K");
  }

  #write(output: Output, text: string | Uint8Array): void {
    this.#clearStatus();
    output.write(text);
    if (this.#status !== "") this.#parts.stderr.write(this.#paint(this.#parts.stderr, "dim", this.#status));
  }

  /** A table that fits the terminal; where none reads, nothing is cut. */
  table(columns: readonly Column[], rows: readonly (readonly (string | Cell)[])[]): void {
    const { stdout } = this.#parts;
    const cells = stdout.isTTY ? Math.max(COLUMNS_MIN, stdout.columns ?? COLUMNS_DEFAULT) : Infinity;
    const texts = rows.map((row) => row.map((cell) => (typeof cell === "string" ? cell : cell.text)));
    const lines = tableLines(columns, texts, cells, (text, row, column) => {
      const cell = rows[row]?.[column];
      if (row < 0) return this.#paint(stdout, "dim", text);
      return this.#paint(stdout, typeof cell === "object" ? cell.format : undefined, text);
    });
    this.#write(stdout, `${lines.join("\n")}\n`);
  }

  /** Names and values of one thing, one a line; those without a value are left out. */
  fields(fields: Readonly<Record<string, string | undefined>>): void {
    const { stdout } = this.#parts;
    const told = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
    const width = Math.max(0, ...told.map(([name]) => name.length));
    for (const [name, value = ""] of told) {
      const [first, ...more] = harmless(value).split("\n");
      const label = this.#paint(stdout, "dim", name.padEnd(width));
      const rest = more.map((line) => `\n${" ".repeat(width + 2)}${line}`).join("");
      this.#write(stdout, `${label}  ${first}${rest}\n`);
    }
  }
}
