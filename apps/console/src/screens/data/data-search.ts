import type { Place } from "../../data/documents.ts";
import { chosen, wordsIn } from "../../format/address.ts";

/** What of the screen stands in its address. */
export interface DataSearch {
  agent?: string;
  user?: string;
  /** The collection that is shown; all of them where it is not said. */
  in?: string;
  /** The conditions as JSON, and the field by which it is ordered. */
  where?: string;
  order?: string;
  /** The document that is open. */
  open?: string;
  /** A document is being made. */
  make?: true;
}

const NAME_CHARS_MAX = 64;
export const WHO_CHARS_MAX = 200;
export const WHERE_CHARS_MAX = 8_192;
export const ORDER_CHARS_MAX = 257;
const ID_CHARS_MAX = 1_024;

export const readDataSearch = (raw: Record<string, unknown>): DataSearch =>
  chosen<DataSearch>({
    agent: wordsIn(raw["agent"], WHO_CHARS_MAX),
    user: wordsIn(raw["user"], WHO_CHARS_MAX),
    in: wordsIn(raw["in"], NAME_CHARS_MAX),
    where: conditionsIn(raw["where"]),
    order: wordsIn(raw["order"], ORDER_CHARS_MAX),
    open: wordsIn(raw["open"], ID_CHARS_MAX),
    make: raw["make"] === true ? true : undefined,
  });

/** An address reads JSON as what it stands for. */
const conditionsIn = (value: unknown): string | undefined =>
  wordsIn(typeof value === "object" && value !== null ? JSON.stringify(value) : value, WHERE_CHARS_MAX);

export type ChangeData = (
  next: { [Name in keyof DataSearch]?: DataSearch[Name] | undefined },
  replace?: boolean,
) => void;

export const placeOf = ({ agent, user }: DataSearch, collection: string): Place => ({
  workspace: chosen<{ agentId?: string; userId?: string }>({ agentId: agent, userId: user }),
  collection,
});

/** Collections of the platform's own are for reading. */
export const isReserved = (collection: string): boolean => collection.startsWith("$");

interface Whose {
  agentId?: string | null | undefined;
  userId?: string | null | undefined;
}

/** Whose a collection is, in words. */
export const whoseOf = ({ agentId, userId }: Whose): string => {
  const whose = [
    ...((agentId ?? null) === null ? [] : [`agent ${agentId}`]),
    ...((userId ?? null) === null ? [] : [`user ${userId}`]),
  ];
  return whose.length === 0 ? "the tenant" : whose.join(", ");
};

/** What a person typed as the time after which a document goes: seconds, or undefined for never; null: no such number. */
export function secondsOf(typed: string): number | undefined | null {
  const words = typed.trim();
  if (words === "") return undefined;
  return /^[1-9]\d{0,9}$/.test(words) ? Number(words) : null;
}

/** The whole seconds that are left of a document's time, at least one. */
export const secondsLeft = (expiresAt: string | null, now: Date): string =>
  expiresAt === null ? "" : String(Math.max(1, Math.round((Date.parse(expiresAt) - now.getTime()) / 1_000)));
