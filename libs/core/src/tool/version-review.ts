import type { ApprovalSettings } from "../approval/approval.ts";
import { grownCapabilities, type Capabilities, type Growth } from "./capabilities.ts";
import type { Creator, Tool } from "./tool.ts";
import { DANGEROUS_PERMISSIONS } from "./tool-definition.ts";

/** The state of a version's review. Only an approved version ever runs. */
export const VERSION_STATES = ["pending", "approved", "rejected", "superseded"] as const;
export type VersionState = (typeof VERSION_STATES)[number];

/** Every move between them. Superseded: a newer version came before anybody decided. */
export const VERSION_NEXT = {
  pending: ["approved", "rejected", "superseded"],
  approved: [],
  rejected: [],
  superseded: [],
} as const satisfies Record<VersionState, readonly VersionState[]>;

/** The proposer of a version, as far as it is known. */
export interface Proposer {
  /** The key that asked. */
  keyId: string;
  agentId: string | null;
  conversationId: string | null;
}

/** The reason why a version waits, as it is stored. */
export interface NewReview {
  /** The capabilities beyond the approved ones; empty if a dangerous permission alone makes it wait. */
  grown: Growth[];
  /** Null: the platform, for a server that offers another tool than before. */
  proposedBy: Proposer | null;
}

/** On the record of a version that had to wait for a person, for good. */
export interface VersionReview {
  version: number;
  state: VersionState;
  grown: Growth[];
  /** Null on those from before it was put down, and on those of the platform. */
  proposedBy: Proposer | null;
  proposedAt: Date;
  /** The key of the person who decided; null while nobody has. */
  decidedBy: string | null;
  decidedAt: Date | null;
  /** Why it was rejected, in the person's words; null where none were given. */
  reason: string | null;
}

/** Why a version waits. */
export type Waits = Pick<NewReview, "grown">;

const isDangerous = ({ permissions }: Capabilities): boolean =>
  permissions.some((permission) => DANGEROUS_PERMISSIONS.includes(permission));

/**
 * Whether the next version of a tool that a model made waits for a person, whoever writes it: it has a dangerous
 * permission (unless the tenant trusts what asks for nothing more), or may do more than was last approved under its name.
 */
export function judgeVersion(
  { createdBy }: Pick<Tool, "createdBy">,
  approved: Capabilities,
  wanted: Capabilities,
  { autoApproveWithoutGrowth }: Pick<ApprovalSettings, "autoApproveWithoutGrowth">,
): Waits | null {
  if (createdBy === "user") return null;
  const grown = grownCapabilities(approved, wanted);
  const waits = grown.length > 0 || (isDangerous(wanted) && !autoApproveWithoutGrowth);
  return waits ? { grown } : null;
}

/**
 * `judgeVersion` for a tool's first version. Nobody has seen it, so no policy lets a dangerous one pass; the capabilities
 * that were last approved under its name (null: none) count as if that tool still existed.
 */
export function judgeNewTool(
  createdBy: Creator,
  lastApproved: Capabilities | null,
  wanted: Capabilities,
): Waits | null {
  if (createdBy === "user") return null;
  const grown = lastApproved ? grownCapabilities(lastApproved, wanted) : [];
  return grown.length > 0 || isDangerous(wanted) ? { grown } : null;
}
