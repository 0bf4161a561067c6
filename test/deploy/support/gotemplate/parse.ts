import { cut, type Piece } from "./tokens.ts";

/** A value or a call: `.Values.a`, `$x.b`, `"text"`, `quote`, or one in parentheses, with its arguments. */
export type Term =
  | { kind: "path"; root: string; keys: string[] }
  | { kind: "literal"; value: unknown }
  | Call;
type Call = { kind: "call"; name: string; args: Term[] };
/** Each stage but the first gets the value before it as its last argument. */
export type Pipeline = Term[];

export type Node =
  | { kind: "text"; text: string }
  | { kind: "print"; pipeline: Pipeline }
  | { kind: "assign"; name: string; pipeline: Pipeline }
  | { kind: "if" | "with"; pipeline: Pipeline; body: Node[]; otherwise: Node[] }
  | { kind: "range"; variable: string | null; pipeline: Pipeline; body: Node[]; otherwise: Node[] };

/** Named templates (`define`) and the nodes beside them. */
export interface Parsed {
  body: Node[];
  defined: Map<string, Node[]>;
}

/** Parses the part of Go's template language that the chart uses; throws at anything else, with its line. */
export function parseTemplate(source: string): Parsed {
  const pieces = cut(source);
  const defined = new Map<string, Node[]>();
  let at = 0;

  function block(enders: string[]): { nodes: Node[]; ender: string; words: string[] } {
    const nodes: Node[] = [];
    while (at < pieces.length) {
      const piece = pieces[at++] as Piece;
      if (piece.kind === "text") {
        nodes.push(piece);
        continue;
      }
      const [head = "", ...rest] = piece.words;
      if (enders.includes(head)) return { nodes, ender: head, words: rest };
      if (head === "else" || head === "end") throw new Error(`line ${piece.line}: ${head} closes nothing`);
      if (head === "define") defined.set(unquote(rest[0] ?? ""), block(["end"]).nodes);
      else nodes.push(node(head, rest));
    }
    if (enders.length > 0) throw new Error(`the template ends without ${enders.join(" or ")}`);
    return { nodes, ender: "", words: [] };
  }

  function branches(): { body: Node[]; otherwise: Node[] } {
    const first = block(["else", "end"]);
    if (first.ender === "end") return { body: first.nodes, otherwise: [] };
    if (first.words[0] === "if") return { body: first.nodes, otherwise: [node("if", first.words.slice(1))] };
    return { body: first.nodes, otherwise: block(["end"]).nodes };
  }

  function node(head: string, rest: string[]): Node {
    if (head === "if" || head === "with") return { kind: head, pipeline: parsePipeline(rest), ...branches() };
    if (head === "range") {
      const variable = rest[1] === ":=" ? (rest[0] ?? null) : null;
      const pipeline = parsePipeline(variable === null ? rest : rest.slice(2));
      return { kind: "range", variable, pipeline, ...branches() };
    }
    if (rest[0] === ":=") return { kind: "assign", name: head, pipeline: parsePipeline(rest.slice(1)) };
    return { kind: "print", pipeline: parsePipeline([head, ...rest]) };
  }

  const { nodes } = block([]);
  return { body: nodes, defined };
}

function parsePipeline(words: string[]): Pipeline {
  let at = 0;
  function stages(closer: string | null): Pipeline {
    const pipeline: Pipeline = [];
    let terms: Term[] = [];
    const close = (): void => {
      const [first, ...args] = terms;
      if (first === undefined) throw new Error(`an empty stage in: ${words.join(" ")}`);
      const takesArguments = first.kind === "call" && first.name !== "(";
      if (!takesArguments && args.length > 0) throw new Error(`what is called in: ${words.join(" ")}`);
      pipeline.push(takesArguments ? { ...first, args } : first);
      terms = [];
    };
    for (; at < words.length; at++) {
      const word = words[at] as string;
      if (word === closer) break;
      if (word === "|") close();
      else if (word === "(") {
        at++;
        terms.push({ kind: "call", name: "(", args: stages(")") });
      } else terms.push(term(word));
    }
    if (closer !== null && words[at] !== closer)
      throw new Error(`${closer} is missing in: ${words.join(" ")}`);
    close();
    return pipeline;
  }
  return stages(null);
}

function term(word: string): Term {
  if (/^["`]/.test(word)) return { kind: "literal", value: unquote(word) };
  if (/^-?\d+$/.test(word)) return { kind: "literal", value: Number(word) };
  if (word === "true" || word === "false") return { kind: "literal", value: word === "true" };
  if (/^[.$]/.test(word)) {
    const [root = "", ...keys] = word.split(".");
    return { kind: "path", root, keys: keys.filter((key) => key !== "") };
  }
  return { kind: "call", name: word, args: [] };
}

const unquote = (word: string): string =>
  word.startsWith("`") ? word.slice(1, -1) : (JSON.parse(word) as string);
