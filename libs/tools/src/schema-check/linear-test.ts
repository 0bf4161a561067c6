import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { compileRe2 } from "@bulkhead/process/patterns";
import { PATTERN_PARTS_MAX } from "./bounds.ts";

type Test = (text: string) => boolean;

/** The pattern has no counterpart that is matched in linear time. */
export class NotLinear extends Error {}

/**
 * Whether a text matches, in linear time. A lookahead at a place that every match has in common (after `^` and a prefix of
 * one length, or after the first of a character) and a lookbehind before `$` become expressions of their own about the
 * same text; groups around them are written out. Throws `NotLinear`.
 */
export function buildLinearTest(source: string): Test {
  return build(source, { partsLeft: PATTERN_PARTS_MAX, charsLeft: WRITTEN_CHARS_MAX });
}

interface Making {
  partsLeft: number;
  charsLeft: number;
}

/** Characters of all expressions that one pattern is written out as: compiling them is a few milliseconds. */
const WRITTEN_CHARS_MAX = 20_000;

function build(source: string, making: Making): Test {
  making.partsLeft -= 1;
  making.charsLeft -= source.length;
  if (making.partsLeft < 0 || making.charsLeft < 0) throw new NotLinear();
  if (!/\(\?<?[=!]/.test(source)) return compile(source);
  const tests = parse(source).alternatives.map((alternative) => buildAlternative(alternative, making));
  return (text) => tests.some((test) => test(text));
}

function compile(source: string): Test {
  const compiled = compileRe2(source);
  if (compiled === null) throw new NotLinear();
  return (text) => compiled.test(text);
}

function parse(source: string): AST.Pattern {
  for (const unicode of [true, false]) {
    try {
      return new RegExpParser().parsePattern(source, 0, source.length, { unicode });
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    }
  }
  throw new NotLinear();
}

function buildAlternative({ elements, raw }: AST.Alternative, making: Making): Test {
  const at = elements.findIndex(looksAround);
  const element = elements[at];
  if (!element) {
    making.charsLeft -= raw.length;
    if (making.charsLeft < 0) throw new NotLinear();
    return compile(raw);
  }
  const before = elements.slice(0, at);
  const around = { before: textOf(before), after: textOf(elements.slice(at + 1)) };
  if (element.type === "Assertion") {
    if (element.kind !== "lookahead" && element.kind !== "lookbehind") throw new NotLinear();
    const rest = build(joined(around.before, around.after), making);
    const looks = build(lookedAt(element, before, elements.slice(at + 1)), making);
    return (text) => rest(text) && looks(text) !== element.negate;
  }
  const choices = choicesOf(element).map((choice) => joined(around.before, choice, around.after));
  return build(choices.join("|"), making);
}

/** The assertion as an expression of the whole text. */
function lookedAt(
  { kind, alternatives }: AST.LookaroundAssertion,
  before: AST.Element[],
  after: AST.Element[],
): string {
  if (kind === "lookahead") {
    const prefix = prefixOf(before);
    return alternatives.map(({ raw }) => joined(prefix, raw)).join("|");
  }
  if (!after.every(takesNothing) || !after.some(isEnd)) throw new NotLinear();
  return alternatives.map(({ raw }) => joined(raw, "$")).join("|");
}

/** An expression that ends at the one place where `elements` can end. */
function prefixOf(elements: AST.Element[]): string {
  const [first, ...others] = elements;
  if (first?.type !== "Assertion" || first.kind !== "start") throw new NotLinear();
  if (others.every((one) => isCharacter(one) || one.raw === NOTHING)) return textOf(elements);
  const last = others.findLast(({ raw }) => raw !== NOTHING);
  const earlier = others.slice(0, others.indexOf(last as AST.Element));
  // If no part before it can be this character, it is the first of its kind in the text.
  if (last?.type !== "Character" || earlier.some((one) => mayHold(one, last))) throw new NotLinear();
  const code = `\\u{${last.value.toString(16)}}`;
  return `^[^${code}]*${code}`;
}

const isEnd = (one: AST.Element): boolean => one.type === "Assertion" && one.kind === "end";
const takesNothing = (one: AST.Element): boolean =>
  isEnd(one) || one.raw === NOTHING || (one.type === "Assertion" && one.kind === "lookbehind");

function isCharacter({ type }: AST.Element): boolean {
  return type === "Character" || type === "CharacterSet" || type === "CharacterClass";
}

function mayHold(node: AST.Element, character: AST.Character): boolean {
  switch (node.type) {
    case "Character":
      return node.value === character.value;
    case "CharacterSet":
    case "CharacterClass":
      return inEitherSpelling(`^(?:${node.raw})$`).test(String.fromCodePoint(character.value));
    case "Quantifier":
      return mayHold(node.element, character);
    case "Group":
    case "CapturingGroup":
      if (node.type === "Group" && node.modifiers !== null) return true;
      return node.alternatives.some(({ elements }) => elements.some((one) => mayHold(one, character)));
    case "Assertion":
      return false;
    default:
      return true;
  }
}

/** Some escapes are taken without `u` only, as `parse` takes them. */
function inEitherSpelling(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}

/** The alternatives of a group, each as text. */
function choicesOf(element: AST.Element): string[] {
  if (element.type === "CapturingGroup") return element.alternatives.map(({ raw }) => raw);
  if (element.type === "Group" && element.modifiers === null)
    return element.alternatives.map(({ raw }) => raw);
  if (element.type === "Quantifier" && element.min === 0 && element.max === 1)
    return [...choicesOf(element.element), ""];
  throw new NotLinear();
}

function looksAround(node: AST.Element): boolean {
  if (node.type === "Assertion") return node.kind === "lookahead" || node.kind === "lookbehind";
  if (node.type === "Quantifier") return looksAround(node.element);
  if (node.type !== "Group" && node.type !== "CapturingGroup") return false;
  return node.alternatives.some(({ elements }) => elements.some(looksAround));
}

/** Stands between texts that were not neighbours, so that they stay apart. */
const NOTHING = "(?:)";
const joined = (...texts: string[]): string => texts.filter((text) => text !== "").join(NOTHING);
const textOf = (elements: AST.Element[]): string => elements.map(({ raw }) => raw).join("");
