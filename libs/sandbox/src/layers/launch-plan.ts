import { landlockLink } from "./landlock.ts";
import { limitFlags, type ResourceLimits } from "./resource-limits.ts";

/** The plan names the layers that a start asks for, and the road to each; it is settled once, when the pool opens. */
export interface LaunchPlan {
  resourceLimits: boolean;
  ownUid: boolean;
  /** `through_user` gets its namespaces inside a user namespace, which needs no privilege where the system allows it. */
  namespaces: "direct" | "through_user" | null;
  /** `no_new` leaves the bounding set, which only the privileged may empty and which then grants nothing. */
  privileges: "emptied" | "no_new" | null;
  landlock: boolean;
  memoryGroup: boolean;
}

/** The plan that asks the system for nothing. */
export const BARE_PLAN: Readonly<LaunchPlan> = {
  resourceLimits: false,
  ownUid: false,
  namespaces: null,
  privileges: null,
  landlock: false,
  memoryGroup: false,
};

/** The programs that a launch goes through, as absolute paths; null where this machine lacks one. */
export interface LaunchTools {
  prlimit: string | null;
  setpriv: string | null;
  unshare: string | null;
  perl: string | null;
  nice: string | null;
}

/** The parts that the links of one launch are made from. */
export interface LaunchInput {
  tools: LaunchTools;
  limits: ResourceLimits;
  /** Also the group id; null leaves the worker's. */
  uid: number | null;
  /** Files and folders that Landlock leaves readable. */
  readable: string[];
}

/**
 * The command that a plan puts before the program. Each link replaces itself by the next, so the process keeps the id,
 * the descriptors and the parent that it was started with. Links whose tool is missing are left out.
 */
export function composeLaunch(plan: LaunchPlan, { tools, limits, uid, readable }: LaunchInput): string[] {
  const { prlimit, setpriv, unshare, perl } = tools;
  const user = userFlags(uid);
  // A user namespace maps no ids but one: the switch of users comes before it, and the capabilities go inside it.
  const early = plan.namespaces === "through_user" ? user : [];
  const late = [
    ...(plan.namespaces === "through_user" ? [] : user),
    ...PRIVILEGES[plan.privileges ?? "kept"],
  ];
  return [
    ...link(prlimit, plan.resourceLimits ? limitFlags(limits) : []),
    ...link(setpriv, early),
    ...link(unshare, NAMESPACES[plan.namespaces ?? "kept"]),
    ...link(setpriv, late),
    ...(plan.landlock && perl !== null ? landlockLink(perl, readable) : []),
  ];
}

/** The flags by which setpriv becomes a user; null stays who it is. */
export const userFlags = (uid: number | null): string[] =>
  uid === null ? [] : ["--reuid", `${uid}`, "--regid", `${uid}`, "--clear-groups"];

const NAMESPACES = {
  direct: ["--net", "--ipc", "--uts"],
  through_user: ["--user", "--keep-caps", "--net", "--ipc", "--uts"],
  kept: [],
};

const NO_NEW = ["--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all", "--pdeathsig", "KILL"];
/** The flags by which setpriv takes them. */
export const PRIVILEGES = { emptied: [...NO_NEW, "--bounding-set=-all"], no_new: NO_NEW, kept: [] };

/** A tool with its flags, before what it becomes; nothing where it has none to set. */
export const link = (tool: string | null, flags: readonly string[]): string[] =>
  tool === null || flags.length === 0 ? [] : [tool, ...flags, "--"];
