/** How a tool stands: what the folder has, what the server has, and what both had when they were last the same. */
export type Standing =
  | "unchanged"
  | "new here"
  | "changed here"
  | "deleted here"
  | "new there"
  | "changed there"
  | "deleted there"
  | "conflict"
  /** Its file can't be loaded, so nothing is known of it. */
  | "faulty here"
  /** Neither has it any more. */
  | "gone";

/** Hashes; absent: there is none. */
export interface ThreeWay {
  mine?: string | undefined;
  theirs?: string | undefined;
  /** `mine` null: the server alone knows that theirs is what this folder's repository last pushed. */
  base?: { mine: string | null; theirs: string } | undefined;
  isFaulty?: boolean;
}

/** Whether only a look at both contents tells how the tool stands. */
export const needsLook = ({ mine, theirs, base }: ThreeWay): boolean =>
  mine !== undefined &&
  theirs !== undefined &&
  (base === undefined || base.mine === null || base.theirs !== theirs);

/** `isEqual` counts where `needsLook` says so: whether the server would be the same after a push of mine. */
export function standingOf({ mine, theirs, base, isFaulty = false }: ThreeWay, isEqual = false): Standing {
  if (isFaulty) return "faulty here";
  if (mine === undefined && theirs === undefined) return "gone";
  if (theirs === undefined) {
    if (base === undefined) return "new here";
    return mine === base.mine ? "deleted there" : "conflict";
  }
  if (mine === undefined) {
    if (base === undefined) return "new there";
    return theirs === base.theirs ? "deleted here" : "conflict";
  }
  if (isEqual) return "unchanged";
  const isChangedThere = base === undefined || theirs !== base.theirs;
  const isChangedHere = base === undefined || mine !== base.mine;
  if (isChangedHere && isChangedThere) return "conflict";
  if (isChangedHere) return "changed here";
  return isChangedThere ? "changed there" : "unchanged";
}

/** What a push does with a tool. `stop`: it must not go on while this one is among those it is for. */
export type PushAction = "create" | "update" | "delete" | "leave" | "stop";

export interface PushChoice {
  /** Deletes there what was deleted here. */
  prune: boolean;
  /** Puts mine also where the server's was changed or deleted by others. */
  overwrite: boolean;
}

export function pushActionOf(
  standing: Standing,
  { mine, theirs }: ThreeWay,
  { prune, overwrite }: PushChoice,
): PushAction {
  switch (standing) {
    case "new here":
      return "create";
    case "changed here":
      return "update";
    case "deleted here":
      return prune ? "delete" : "leave";
    case "changed there":
      return overwrite ? "update" : "leave";
    case "deleted there":
      return overwrite ? "create" : "leave";
    case "conflict":
      if (mine === undefined) return !prune ? "leave" : overwrite ? "delete" : "stop";
      if (!overwrite) return "stop";
      return theirs === undefined ? "create" : "update";
    default:
      return "leave";
  }
}

/** What a pull does with a tool: `write` puts theirs into the folder. */
type PullAction = "write" | "leave";

/** Mine is never written over where it was changed; what was deleted here comes back where it is named. */
export function pullActionOf(standing: Standing, { mine, theirs }: ThreeWay, isNamed: boolean): PullAction {
  if (standing === "new there" || standing === "changed there") return "write";
  return isNamed && mine === undefined && theirs !== undefined && standing !== "faulty here"
    ? "write"
    : "leave";
}
