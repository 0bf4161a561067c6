import { matchesGlob, type ApprovalDecision, type CommandRule } from "@bulkhead/core";
import { guessWords, plainWords, UNKNOWN } from "./guess-words.ts";
import { strictest } from "./judged-command.ts";
import type { LineWithin } from "./lines-within.ts";
import { plainText } from "./plain-text.ts";
import { spend, type CommandLine, type FoundCommand } from "./read-command-line.ts";
import { takesComputed } from "./runs-computed.ts";
import { baseName, unwrapCommand } from "./unwrap-command.ts";

/** So many rules are compared with a command in the time that one part of a word takes. */
const RULES_A_PART = 8;

/** What a tenant's rules say of a command line: the strictest word of all its commands, and whether each of them has one. */
interface RulesSaid {
  decision: ApprovalDecision | null;
  isWhole: boolean;
}

/**
 * Of each command the first rule that matches decides, and one that blocks does wherever it stands. A rule that lets run
 * compares what stands there alone; one that asks or blocks also what a command runs by its arguments, and any word that is
 * computed only when it runs. A command that is let run by an exact rule is not asked about, but it can be blocked.
 */
export function readRules(
  rules: readonly CommandRule[],
  text: string,
  cwd: string | undefined,
  line: CommandLine,
  within: readonly LineWithin[],
): RulesSaid {
  const ofWords = rules
    .filter(({ exact }) => exact !== true)
    .map(({ pattern, approval }): WordRule => ({ wanted: pattern.trim().split(/\s+/), approval }));
  const said: (ApprovalDecision | null)[] = line.commands.map((command) => saidOf(ofWords, command, line));
  const strict = ofWords.filter(({ approval }) => approval !== "preApproved");
  for (const { line: inner, isGuessed } of within) {
    said.push(...inner.commands.flatMap((command) => saidOf(strict, command, inner) ?? []));
    if (isGuessed) said.push(...strict.map(({ approval }) => approval));
  }
  const decision = strictest(said.filter((one) => one !== null));
  const exact = rules.filter((rule) => rule.exact === true && rule.pattern === text && rule.cwd === cwd);
  const remembered = strictest(exact.map(({ approval }) => approval));
  if (remembered !== null && decision !== "blocked") return { decision: remembered, isWhole: true };
  const isSeen = line.targets.length === 0 && !line.isComputed;
  return { decision, isWhole: said.length > 0 && !said.includes(null) && isSeen };
}

/** A rule with the words that it compares. */
interface WordRule extends Pick<CommandRule, "approval"> {
  wanted: readonly string[];
}

function saidOf(
  rules: readonly WordRule[],
  command: FoundCommand,
  line: CommandLine,
): ApprovalDecision | null {
  if (command.node.name === null && command.node.assignments.length === 0 && !writesFile(command))
    return "preApproved";
  spend(line, rules.length / RULES_A_PART);
  const plain = plainWords(command);
  const isPlain = mayBeLetRun(command, plain, line);
  const variants = unwrapCommand(guessWords(command, line)).map(withoutUnknown);
  const matching = rules.filter(({ wanted, approval }) => {
    const compared = compare(wanted, plain);
    if (approval === "preApproved") return compared === "match" && isPlain;
    return compared !== "no" || variants.some((words) => compareStrictly(wanted, words) !== "no");
  });
  if (matching.some(({ approval }) => approval === "blocked")) return "blocked";
  return matching[0]?.approval ?? null;
}

/** What changes more than a command's words say is nobody's to let run by its first words. */
const mayBeLetRun = (
  command: FoundCommand,
  words: readonly (string | null)[],
  { functions }: CommandLine,
): boolean =>
  command.node.assignments.length === 0 &&
  !writesFile(command) &&
  !functions.has(words[0] ?? "") &&
  !takesComputed(words);

const writesFile = ({ node }: FoundCommand): boolean =>
  node.redirections.some(({ operator, target }) => {
    if (!operator.includes(">")) return false;
    const text = target.type === "Word" ? plainText(target) : null;
    const isHandle = operator === ">&" && /^(\d+|-)$/.test(text ?? "");
    return !isHandle && text !== "/dev/null";
  });

/** A program is meant by its name and by its path. */
const compareStrictly = (wanted: readonly string[], [name = null, ...words]: readonly (string | null)[]) => {
  const compared = compare(wanted, [name, ...words]);
  return compared === "no" && name !== null ? compare(wanted, [baseName(name), ...words]) : compared;
};

/** Names of files, where it stood in no quotes, are put in its place. */
const COMPUTED = new RegExp(`[*?${UNKNOWN}]|\\[.`);

const withoutUnknown = (words: readonly string[]): (string | null)[] =>
  words.map((word) => (COMPUTED.test(word) ? null : word));

/** `unknown` where a word that counts is computed when it runs. */
function compare(wanted: readonly string[], words: readonly (string | null)[]): "match" | "no" | "unknown" {
  for (let at = 0; at < wanted.length; at += 1) {
    const word = words[at];
    if (word === undefined) return "no";
    if (word === null) return "unknown";
    if (!matchesGlob(wanted[at] ?? "", word)) return "no";
  }
  return "match";
}
