import type { JsonObject } from "@bulkhead/core";
import { parse, type SimpleCommandNode, type WordNode } from "just-bash";
import { judgeCommand } from "../judge/judge-command.ts";
import { plainText } from "../judge/plain-text.ts";
import { readCommandLine, UnreadableCommand } from "../judge/read-command-line.ts";
import { invalidCommand, readTemplate } from "./read-template.ts";

/** Commands that read a word as a command, a name or arithmetic once more, whatever quotes were around it. */
const READS_AGAIN: ReadonlySet<string> = new Set(
  `eval trap source . sh bash dash zsh ksh busybox su ssh alias let unset declare typeset local export readonly read mapfile
  readarray test [ awk gawk mawk sed xargs parallel env sudo exec command builtin timeout nohup nice watch`.split(
    /\s+/,
  ),
);
/** Of those, what works on files where another word of the line says how. */
const PROGRAM_FIRST: ReadonlySet<string> = new Set(["awk", "gawk", "mawk", "sed"]);

/**
 * Throws `request.invalid` for a template whose placeholders are not each a word, or a part of one, of a command: by the
 * shell's own parser, with plain words in their place. A name that no parameter has, and a line that is never run, too.
 */
export function checkTemplate(template: string, parameters: JsonObject): void {
  const { texts, keys } = readTemplate(template);
  const known = parameters["properties"];
  for (const key of keys)
    if (typeof known !== "object" || known === null || !Object.hasOwn(known, key))
      throw invalidCommand(`names {{.${key}}}, and parameters.properties has no ${key}`);
  const mark = freeMark(template);
  const words = keys.map((_, n) => `${mark}${n}x`);
  const lineOf = (put: readonly string[]): string =>
    texts.map((text, n) => (n === 0 ? text : (put[n - 1] ?? "") + text)).join("");
  const line = lineOf(words);
  const judged = judgeCommand(line);
  if (judged.verdict === "refuse") throw invalidCommand(`is refused: ${judged.message.replace(/\.$/, "")}`);
  if (keys.length === 0) return;
  const plain = foundIn(parse(line));
  // As arguments come, too: within quotes of another kind, which the parser takes off, they would not stay words.
  const quoted = readQuoted(lineOf(words.map((word) => `'${word}'`)));
  for (const [n, word] of words.entries()) {
    const placeholder = `{{.${keys[n]}}}`;
    requireWord(placeholder, word, plain);
    if (!quoted.commands.some((command) => wordsOf(command).some((each) => isQuotedIn(each, word))))
      throw misplaced(placeholder);
  }
}

/** A letter and digits alone, so that the parser takes it as part of a word; nothing of the template looks like it. */
function freeMark(template: string): string {
  let mark = "w0";
  while (template.includes(mark)) mark += "0";
  return `${mark}w`;
}

interface Found {
  commands: SimpleCommandNode[];
  functions: Set<string>;
}

/** No commands where the quotes make another line of it. */
function readQuoted(line: string): Found {
  try {
    readCommandLine(line);
  } catch (error) {
    if (error instanceof UnreadableCommand) return { commands: [], functions: new Set() };
    throw error;
  }
  return foundIn(parse(line));
}

function foundIn(script: unknown): Found {
  const found: Found = { commands: [], functions: new Set() };
  visit(script, found);
  return found;
}

/** Parts of a line whose own texts the shell reads otherwise than words of a command. */
const OTHERWISE_READ = /^(Word$|Arithmetic|Conditional|CStyleFor$)/;

/** The commands of a line that stand in no substitution. */
function visit(value: unknown, found: Found): void {
  if (Array.isArray(value)) for (const one of value) visit(one, found);
  if (Array.isArray(value) || typeof value !== "object" || value === null) return;
  const { type = "" } = value as { type?: string };
  if (OTHERWISE_READ.test(type)) return;
  if (type === "SimpleCommand") return void found.commands.push(value as SimpleCommandNode);
  if (type === "FunctionDef") found.functions.add(String((value as { name?: unknown }).name));
  for (const part of Object.values(value)) visit(part, found);
}

/** The word must stand in an argument of one command, or say where a redirection leads. */
function requireWord(placeholder: string, word: string, { commands, functions }: Found): void {
  const node = commands.find((command) => wordsOf(command).some((each) => holdsPlainly(each, word)));
  if (node === undefined) throw misplaced(placeholder);
  const name = node.name === null ? null : plainText(node.name);
  if (name === null) throw invalidCommand(`gives ${placeholder} to a command whose name is computed`);
  const base = name.slice(name.lastIndexOf("/") + 1);
  if (functions.has(base)) throw invalidCommand(`gives ${placeholder} to ${base}, a function of its own`);
  if (READS_AGAIN.has(base) && !isFileOf(node, base, word))
    throw invalidCommand(
      `gives ${placeholder} to ${base}, which reads more than a text in it; hand it over by printf '%s' and a pipe, or as a file that begins with ./`,
    );
}

/** Behind the program, what is no option whatever the argument is. */
function isFileOf({ args }: SimpleCommandNode, base: string, word: string): boolean {
  if (!PROGRAM_FIRST.has(base)) return false;
  const texts = args.map((arg) => plainText(arg));
  const program = texts.findIndex((text) => text !== null && !text.startsWith("-"));
  const at = args.findIndex((arg) => holdsPlainly(arg, word));
  return program >= 0 && program < at && (texts[at]?.startsWith("./") ?? false);
}

const wordsOf = ({ args, redirections }: SimpleCommandNode): WordNode[] => [
  ...args,
  ...redirections.flatMap(({ target }) => (target.type === "Word" ? [target] : [])),
];

const holdsPlainly = ({ parts }: WordNode, word: string): boolean =>
  parts.some((part) => part.type === "Literal" && part.value.includes(word));

const isQuotedIn = ({ parts }: WordNode, word: string): boolean =>
  parts.some((part) => part.type === "SingleQuoted" && part.value === word);

const misplaced = (placeholder: string) =>
  invalidCommand(
    `has ${placeholder} where it is no argument of a command: it must not stand in quotes, a heredoc, a substitution, an assignment, a condition or a comment, nor be the command itself`,
  );
