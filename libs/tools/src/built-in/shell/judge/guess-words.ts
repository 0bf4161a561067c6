import { COMMAND_CHARS_MAX } from "@bulkhead/core";
import type { WordNode } from "just-bash";
import { plainText, type CommandLine, type FoundCommand } from "./read-command-line.ts";

/** Stands in a guessed word for what is known only when it runs. */
export const UNKNOWN = "\0";
/** Words that the braces of one may make. */
const SPREAD_MAX = 64;
/** Variables that may stand in each other. */
const VARIABLES_DEEP_MAX = 5;

type Part = WordNode["parts"][number];

/** The words of a command where all of each is known as it stands; null for one that is computed when it runs. */
export const plainWords = ({ node }: FoundCommand): (string | null)[] =>
  (node.name ? [node.name, ...node.args] : node.args).map(plainText);

const GUESSED = new WeakMap<FoundCommand["node"], string[]>();

/** The words that a command has when it runs, as far as the line itself tells: variables that it sets, braces, defaults. */
export function guessWords({ node }: FoundCommand, line: Pick<CommandLine, "variables">): string[] {
  const known = GUESSED.get(node);
  if (known !== undefined) return known;
  const words = (node.name ? [node.name, ...node.args] : node.args).flatMap((word) => guessWord(word, line));
  GUESSED.set(node, words);
  return words;
}

export function guessWord(word: WordNode, line: Pick<CommandLine, "variables">, depth = 0): string[] {
  const done: string[] = [];
  let open = [""];
  const append = (text: string): void => {
    open = open.map((begun) => (begun + text).slice(0, COMMAND_CHARS_MAX));
  };
  for (const part of word.parts) {
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
      done.push(...open);
      open = [piece];
    }
  }
  return [...done, ...open];
}

function textOf(part: Part, line: Pick<CommandLine, "variables">, depth: number): string {
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
      return part.parts.map((inner) => textOf(inner, line, depth)).join("");
    case "ParameterExpansion": {
      const { parameter, operation } = part;
      const set = line.variables.get(parameter);
      const instead =
        operation?.type === "DefaultValue" || operation?.type === "AssignDefault" ? operation.word : null;
      const word = set ?? instead;
      return word && depth < VARIABLES_DEEP_MAX ? guessWord(word, line, depth + 1).join(" ") : UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}
