import { COMMAND_CHARS_MAX } from "@bulkhead/core";
import type { WordNode } from "just-bash";
import { plainText } from "./plain-text.ts";
import { spend, type CommandLine, type FoundCommand } from "./read-command-line.ts";

/** Stands in a guessed word for what is known only when it runs. */
export const UNKNOWN = "\0";
/** Words that the braces of one may make. */
const SPREAD_MAX = 64;
/** Variables that may stand in each other. */
const VARIABLES_DEEP_MAX = 5;
/** So many characters of a variable's text are as much work as one part of a word. */
const CHARS_A_PART = 64;

type Part = WordNode["parts"][number];
type Guessed = Pick<CommandLine, "variables" | "work">;

/** The words of a command where all of each is known as it stands; null for one that is computed when it runs. */
export const plainWords = ({ node }: FoundCommand): (string | null)[] =>
  (node.name ? [node.name, ...node.args] : node.args).map(plainText);

const GUESSED = new WeakMap<FoundCommand["node"], string[]>();

/** The words that a command has when it runs, as far as the line itself tells: variables that it sets, braces, defaults. */
export function guessWords({ node }: FoundCommand, line: Guessed): string[] {
  const known = GUESSED.get(node);
  if (known !== undefined) return known;
  const words = (node.name ? [node.name, ...node.args] : node.args).flatMap((word) => guessWord(word, line));
  GUESSED.set(node, words);
  return words;
}

export function guessWord(word: WordNode, line: Guessed, depth = 0): string[] {
  const done: string[] = [];
  let open = [""];
  const append = (text: string): void => {
    open = open.map((begun) => (begun + text).slice(0, COMMAND_CHARS_MAX));
  };
  for (const part of word.parts) {
    spend(line, open.length);
    if (part.type === "BraceExpansion") {
      const items = part.items.flatMap((item) =>
        item.type === "Word" ? guessWord(item.word, line, depth) : [UNKNOWN],
      );
      open = open.flatMap((begun) => items.map((item) => begun + item)).slice(0, SPREAD_MAX);
      continue;
    }
    const text = textOf(part, line, depth);
    // What stands in no quotes falls into words.
    const [first = "", ...more] = part.type === "ParameterExpansion" ? text.split(/\s+/) : [text];
    append(first);
    for (const piece of more) {
      spend(line, open.length);
      done.push(...open);
      open = [piece];
    }
  }
  return [...done, ...open];
}

function textOf(part: Part, line: Guessed, depth: number): string {
  spend(line, 1);
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "Escaped":
      return part.value;
    case "Glob":
      return part.pattern;
    case "TildeExpansion":
      return `~${part.user ?? ""}`;
    case "DoubleQuoted":
      return part.parts
        .map((inner) => textOf(inner, line, depth))
        .join("")
        .slice(0, COMMAND_CHARS_MAX);
    case "ParameterExpansion": {
      const { parameter, operation } = part;
      const set = line.variables.get(parameter);
      const instead =
        operation?.type === "DefaultValue" || operation?.type === "AssignDefault" ? operation.word : null;
      const word = set ?? instead;
      if (!word || depth >= VARIABLES_DEEP_MAX) return UNKNOWN;
      const text = guessWord(word, line, depth + 1)
        .join(" ")
        .slice(0, COMMAND_CHARS_MAX);
      spend(line, text.length / CHARS_A_PART);
      return text;
    }
    default:
      return UNKNOWN;
  }
}
