import { parse, type SimpleCommandNode, type WordNode } from "just-bash";
import { COMMAND_CHARS_MAX } from "@bulkhead/core";
import { plainText } from "./plain-text.ts";
import { runsComputed, type Node } from "./runs-computed.ts";

/** A simple command of a line, with those in its substitutions. */
export interface FoundCommand {
  node: SimpleCommandNode;
  inner: FoundCommand[];
}

/** Everything of a command line that would run. */
export interface CommandLine {
  commands: FoundCommand[];
  /** Of each pipe the commands of its stages. */
  pipes: FoundCommand[][][];
  /** The functions that start copies of themselves. */
  bombs: string[];
  functions: Set<string>;
  /** The first value that the line gives to each variable. */
  variables: Map<string, WordNode>;
  /** Where redirections lead that belong to no simple command. */
  targets: WordNode[];
  /** Text that is computed when it runs is itself run, or changes what the others run: nothing here tells all that happens. */
  isComputed: boolean;
  /** What may still be done to judge it and the lines within it: parts of words that are looked at, about. */
  work: { left: number };
}

/** Why a command line can't be read, and where. */
export class UnreadableCommand extends Error {}

/** How deep brackets may be open in each other; the parser's time grows with it. */
const OPEN_MAX = 100;
/** Simple commands of one line. */
const COMMANDS_MAX = 1_000;
/** Parts that are looked at: a few names can stand for billions. */
const WORK_MAX = 200_000;

/** Throws `UnreadableCommand` where judging a line would take too long. */
export function spend({ work }: Pick<CommandLine, "work">, parts: number): void {
  work.left -= parts;
  if (work.left < 0) throw new UnreadableCommand("its variables, braces and scripts stand for too much text");
}

/** Reads a command line as the shell would; one within another does `work` of that. Throws `UnreadableCommand` with the position. */
export function readCommandLine(text: string, work = { left: WORK_MAX }): CommandLine {
  requireReadable(text);
  const reader = new Reader(work);
  reader.read(text);
  return reader.line;
}

/** What stands in single quotes, and a character behind a backslash: roughly, it looks for what follows alone. */
const QUOTED = /\\.|'[^']*'/gs;
/** `${x/{y}`, and `a=(x)# y`, which for this parser has a comment. */
const READ_OTHERWISE = /\$\{[^}]*[^$}]\{|\)#/;

function requireReadable(text: string): void {
  if (text.length > COMMAND_CHARS_MAX)
    throw new UnreadableCommand(`it has more than ${COMMAND_CHARS_MAX} characters; put the rest into a file`);
  if (text.trim() === "") throw new UnreadableCommand("it is empty");
  const nul = text.indexOf("\0");
  if (nul >= 0) throw new UnreadableCommand(`there is a NUL at character ${nul + 1}`);
  if (READ_OTHERWISE.test(text.replaceAll(QUOTED, "_")))
    throw new UnreadableCommand(
      "a brace within ${…}, or a # directly behind a bracket, is read otherwise by other shells",
    );
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if ("({".includes(char)) open += 1;
    else if (")}".includes(char)) open = Math.max(0, open - 1);
    if (open > OPEN_MAX)
      throw new UnreadableCommand(`more than ${OPEN_MAX} brackets are open at character ${at + 1}`);
  }
}

/** Fields that hold text of the line as it is, not parts of it that run. */
const TEXTS: ReadonlySet<string> = new Set(["value", "sourceText", "originalText", "delimiter"]);
/** Text of these runs a command where it holds one. */
export const RUNS_COMMAND = /\$\(|`/;
/** Builtins whose arguments are assignments. */
const ASSIGNING: ReadonlySet<string> = new Set(["export", "declare", "typeset", "local", "readonly"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
/** Texts within the line that are read as lines of their own: a substitution within arithmetic. */
const NESTED_MAX = 20;

class Reader {
  readonly line: CommandLine;
  readonly #background: FoundCommand[][] = [];
  #nested = 0;

  constructor(work: CommandLine["work"]) {
    this.line = {
      commands: [],
      pipes: [],
      bombs: [],
      functions: new Set(),
      variables: new Map(),
      targets: [],
      isComputed: false,
      work,
    };
  }

  read(text: string): FoundCommand[] {
    if (this.#nested++ > NESTED_MAX) throw new UnreadableCommand("too many commands stand within others");
    try {
      return this.#visit(parse(text));
    } catch (error) {
      if (error instanceof UnreadableCommand) throw error;
      if (error instanceof RangeError) throw new UnreadableCommand("it nests too deep");
      throw new UnreadableCommand(placed(error));
    }
  }

  /** All simple commands under a part of the tree. */
  #visit(value: unknown): FoundCommand[] {
    if (Array.isArray(value)) return value.flatMap((one) => this.#visit(one));
    if (typeof value !== "object" || value === null) return [];
    const node = value as Node;
    if (runsComputed(node)) this.line.isComputed = true;
    switch (node.type) {
      case "SimpleCommand":
        return this.#command(node as unknown as SimpleCommandNode);
      case "Pipeline":
        return this.#pipe(node);
      case "Statement":
        return this.#statement(node);
      case "FunctionDef":
        return this.#function(node);
      case "ArithSyntaxError":
        throw new UnreadableCommand("its arithmetic can't be read");
      case "ArithmeticExpression":
        if (holdsCommand(node["originalText"])) throw unseen("arithmetic");
        return this.#fields(node);
      case "ArithCommandSubst":
        return this.read(unticked(String(node["command"])));
      case "Redirection":
        return this.#fields(node);
      case "CaseModification":
        // Its pattern is no tree but text, of which a shell runs the substitutions.
        if (RUNS_COMMAND.test(JSON.stringify(node["pattern"] ?? null))) throw unseen("a pattern");
        return this.#fields(node);
      case "For":
        this.#set(node["variable"], (node["words"] as WordNode[] | null)?.[0]);
        return this.#compound(node);
      default:
        return Array.isArray(node["redirections"]) ? this.#compound(node) : this.#fields(node);
    }
  }

  /** A text that the parser left as it is could run a command unseen. */
  #fields(node: Node): FoundCommand[] {
    return Object.entries(node).flatMap(([field, value]) => {
      if (typeof value !== "string") return this.#visit(value);
      if (!TEXTS.has(field) && RUNS_COMMAND.test(value)) throw unseen(value);
      return [];
    });
  }

  #compound(node: Node): FoundCommand[] {
    for (const { target } of node["redirections"] as { target: WordNode | { type: "HereDoc" } }[])
      if (target.type === "Word") this.line.targets.push(target);
    return this.#fields(node);
  }

  #command(node: SimpleCommandNode): FoundCommand[] {
    requireWhole(node);
    const inner = this.#fields(node as unknown as Node);
    const found = { node, inner };
    if (this.line.commands.push(found) > COMMANDS_MAX)
      throw new UnreadableCommand(`it has more than ${COMMANDS_MAX} commands; put them into a file`);
    for (const { name, value } of node.assignments) this.#set(name, value);
    if (node.name && ASSIGNING.has(plainText(node.name) ?? ""))
      for (const word of node.args) {
        const [, name, value = ""] = ASSIGNMENT.exec(plainText(word) ?? "") ?? [];
        this.#set(name, { type: "Word", parts: [{ type: "Literal", value }] });
      }
    return [found, ...inner];
  }

  #set(name: unknown, value: WordNode | null | undefined): void {
    if (typeof name !== "string" || !value || this.line.variables.has(name)) return;
    this.line.variables.set(name, value);
  }

  #pipe(node: Node): FoundCommand[] {
    const stages = (node["commands"] as unknown[]).map((command) => this.#visit(command));
    if (stages.length > 1) this.line.pipes.push(stages);
    return stages.flat();
  }

  #statement(node: Node): FoundCommand[] {
    const error = node["deferredError"] as { message: string } | undefined;
    if (error !== undefined) throw new UnreadableCommand(error.message);
    const found = this.#visit(node["pipelines"]);
    if (node["background"] === true) this.#background.push(found);
    return found;
  }

  #function(node: Node): FoundCommand[] {
    const name = String(node["name"]);
    const [pipes, background] = [this.line.pipes.length, this.#background.length];
    const found = this.#compound(node);
    this.line.functions.add(name);
    const beside = [...this.line.pipes.slice(pipes).flat(), ...this.#background.slice(background)].flat();
    const callsItself = beside.some((command) => command.node.name && plainText(command.node.name) === name);
    if (callsItself) this.line.bombs.push(name);
    return found;
  }
}

/** `$((a) )` is a number for this parser, and a command for a shell that finds no `))`. What is quoted may hold brackets. */
function holdsCommand(arithmetic: unknown): boolean {
  if (typeof arithmetic !== "string" || !arithmetic.includes("$((")) return false;
  if (/["'`\\]/.test(arithmetic)) return true;
  const isNested = (start: number): boolean => start > 0 && arithmetic.startsWith("$((", start - 1);
  const open: number[] = [];
  const closed = new Map<number, number>();
  for (const { 0: bracket, index } of arithmetic.matchAll(/[()]/g)) {
    if (bracket === "(") {
      open.push(index);
      continue;
    }
    const start = open.pop() ?? -1;
    closed.set(start, index);
    if (isNested(start) && closed.get(start + 1) !== index - 1) return true;
  }
  return open.some(isNested);
}

/** Of `!#x y` and of what stands behind `a=(x)` this parser sees a part of what Bash runs. */
function requireWhole({ name, args, assignments, redirections }: SimpleCommandNode): void {
  const isCommand = name !== null || args.length > 0;
  const setsList = assignments.some(({ array }) => array !== null);
  if (name === null ? !isCommand && assignments.length + redirections.length > 0 : !setsList) return;
  throw new UnreadableCommand(
    "a command has no name where other shells see one, or a list of values before it",
  );
}

const unseen = (where: string): UnreadableCommand =>
  new UnreadableCommand(`a command stands where none can be read: ${where.slice(0, 80)}`);

const unticked = (text: string): string =>
  text.startsWith("`") && text.endsWith("`") ? text.slice(1, -1) : text;

function placed(error: unknown): string {
  const { message, line, column } = error as { message: string; line?: number; column?: number };
  const said = message.replace(/^(Parse error at \d+:\d+|line \d+): /, "").slice(0, 200);
  return line === undefined ? said : `${said} (line ${line}, column ${column ?? 1})`;
}
