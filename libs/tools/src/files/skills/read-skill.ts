import { HARMFUL } from "@bulkhead/core/harmless";
import { parse } from "yaml";
import { z } from "zod";
import { termsIn } from "./skill-terms.ts";

/** Bytes of a SKILL.md that are looked at; what stands behind them is not found. */
export const SKILL_BYTES_MAX = 8 * 1024;
/** Characters of its front matter, of which hostile ones take long to read, and of the texts in it. */
const FRONT_MATTER_CHARS_MAX = 4_096;
const NAME_CHARS_MAX = 64;
const DESCRIPTION_CHARS_MAX = 1_024;
const TAGS_MAX = 50;
/** How much more a word counts in one part than in the text. */
const WEIGHTS = { name: 4, description: 2, tags: 3, body: 1 } as const;

/** A skill as it is found. */
export interface Skill {
  /** Null: its folder's. */
  name: string | null;
  description: string;
  /** Why its front matter counts for nothing; null: it doesn't. */
  fault: string | null;
  /** How often each word stands in it, by the weights of its parts. */
  terms: ReadonlyMap<string, number>;
  /** The sum of them. */
  length: number;
}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const FrontMatter = z.object({
  name: text.nullish(),
  description: text.nullish(),
  tags: z.union([z.array(text).max(TAGS_MAX), text]).nullish(),
});

const FRONT = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/;

/** Reads a SKILL.md: its front matter in YAML between two lines of `---`, and its text. */
export function readSkill(source: string): Skill {
  const front = FRONT.exec(source);
  const body = front === null ? source : source.slice(front[0].length);
  const read = front === null ? { fault: "has no front matter" } : readFront(front[1] ?? "");
  const { name = null, description = "", tags = "" } = "fault" in read ? {} : read;
  const terms = new Map<string, number>();
  let length = 0;
  for (const [part, weight] of Object.entries(WEIGHTS))
    for (const term of termsIn({ name: name ?? "", description, tags, body }[part] ?? "")) {
      terms.set(term, (terms.get(term) ?? 0) + weight);
      length += weight;
    }
  return { name, description, fault: "fault" in read ? read.fault : null, terms, length };
}

function readFront(
  yaml: string,
): { name: string | null; description: string; tags: string } | { fault: string } {
  if (yaml.length > FRONT_MATTER_CHARS_MAX)
    return { fault: `has more than ${FRONT_MATTER_CHARS_MAX} characters of front matter` };
  let said: unknown;
  try {
    // Aliases could make little text much.
    said = parse(yaml, { schema: "core", maxAliasCount: 0, logLevel: "error" });
  } catch {
    return { fault: "has a front matter that is no YAML" };
  }
  const { success, data } = FrontMatter.safeParse(said ?? {});
  if (!success) return { fault: "has a front matter without the form of one (name, description, tags)" };
  const { name, description, tags } = data;
  return {
    name: line(name ?? "", NAME_CHARS_MAX) || null,
    description: line(description ?? "", DESCRIPTION_CHARS_MAX),
    tags: line([tags ?? []].flat().join(" "), DESCRIPTION_CHARS_MAX),
  };
}

const line = (said: string, charsMax: number): string =>
  said.replaceAll(/\s+/g, " ").replaceAll(HARMFUL, "").trim().slice(0, charsMax).toWellFormed();
