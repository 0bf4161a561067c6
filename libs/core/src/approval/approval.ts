import type { ArgumentPattern } from "./argument-pattern.ts";
import type { CallContext } from "../execution/call-context.ts";
import type { ExecutionError } from "../execution/outcome.ts";
import { DATA_SETTINGS_DEFAULT, type DataSettings } from "../data/document.ts";
import { FILE_SETTINGS_DEFAULT, type FileSettings } from "../file/file-settings.ts";
import { SHELL_SETTINGS_DEFAULT, type ShellSettings } from "../shell/shell-settings.ts";
import type { JsonObject } from "../json/json.ts";
import type { Retention } from "../execution/retention.ts";

/** Whether a call may run: at once, after a person's word, or never. */
export const APPROVAL_DECISIONS = ["preApproved", "ask", "blocked"] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** What a call needs before it may run; `toolDecides`: the tool's own `approvalCode` says whether a person is asked. */
export type CallDecision = ApprovalDecision | "toolDecides";

/** A tenant's decision about the calls of one tool whose arguments match. */
export interface ApprovalRule extends ArgumentPattern {
  /** An id or a name. */
  tool: string;
  decision: ApprovalDecision;
}

/** A tenant's decision about agents' commands. */
export interface CommandRule {
  /** The first words of a command; in each of them `*` stands for any characters. With `exact` a whole command line. */
  pattern: string;
  approval: ApprovalDecision;
  /** Holds for this very command line alone, as it was shown to the person who allowed it. */
  exact?: boolean | undefined;
  /** With `exact`: the folder in which it runs; unset: none is named. */
  cwd?: string | undefined;
}

/** A tenant's settings for the calls of its agents. */
export interface ApprovalSettings {
  /** Decides if no other setting does. */
  default: ApprovalDecision;
  /** Keyed by id or name of the tool; a setting by id survives a renaming. */
  tools: Readonly<Record<string, ApprovalDecision>>;
  /** The first that matches decides, and one that blocks does wherever it stands. */
  rules: ApprovalRule[];
  /** For the commands that agents run; what none of them names is decided as any other call of the tool that runs it. */
  commands: CommandRule[];
  /** For the meta-tools that carry `requiresConfirmation`. */
  metaTools: ApprovalDecision;
  /** Whether developers answer too; owners always do. */
  developersMayApprove: boolean;
  /** Whether a model's new version that asks for nothing more than the approved one needs no approval. */
  autoApproveWithoutGrowth: boolean;
  /** How long a call waits for a person; then it is denied. Milliseconds. */
  timeoutMs: number;
}

export const APPROVAL_TIMEOUT_MS_MIN = 1_000;
export const APPROVAL_TIMEOUT_MS_MAX = 24 * 3_600_000;

export const APPROVAL_SETTINGS_DEFAULT: Readonly<ApprovalSettings> = {
  default: "ask",
  tools: {},
  rules: [],
  commands: [],
  metaTools: "ask",
  developersMayApprove: false,
  autoApproveWithoutGrowth: false,
  timeoutMs: 120_000,
};

/** Tools that one tenant's settings may name, and rules that they may hold. */
export const APPROVAL_TOOLS_MAX = 1_000;
export const APPROVAL_RULES_MAX = 100;
/** Characters of a command line; what is longer belongs into a file. */
export const COMMAND_CHARS_MAX = 16 * 1_024;
/** Rules of one tenant, and characters of one's pattern. */
export const COMMAND_RULES_MAX = 500;
export const COMMAND_PATTERN_CHARS_MAX = 2_048;

/** The rule that lets run exactly this command. */
export const exactRule = (command: string, cwd: string | undefined): CommandRule => ({
  pattern: command,
  approval: "preApproved",
  exact: true,
  ...(cwd !== undefined && { cwd }),
});

/** Calls of one tenant that may wait for a person at one time. */
export const APPROVALS_WAITING_MAX = 1_000;
/** Standing approvals of one tenant. */
export const STANDING_APPROVALS_MAX = 1_000;

/** A tenant's own decisions, beside its limits. */
export interface TenantSettings {
  approval: ApprovalSettings;
  /** For tools without a setting of their own. Null: the platform's default. */
  retention: Retention | null;
  /** Whether the defaults of parameters are filled into calls that leave them out, where a tool doesn't say. */
  applyDefaults: boolean;
  /** Which files agents see, and what kind of agents they are. */
  files: FileSettings;
  /** What runs commands for the tenant's tools and agents. */
  shell: ShellSettings;
  /** Which collections of custom data are shared. */
  data: DataSettings;
}

/** A part of the settings: a missing field stays, any other replaces the former value. */
export interface TenantSettingsChange {
  approval?: Partial<ApprovalSettings>;
  retention?: Retention | null;
  applyDefaults?: boolean;
  files?: FileSettings;
  shell?: ShellSettings;
  data?: DataSettings;
}

export const TENANT_SETTINGS_DEFAULT: Readonly<TenantSettings> = {
  approval: APPROVAL_SETTINGS_DEFAULT,
  retention: null,
  applyDefaults: false,
  files: FILE_SETTINGS_DEFAULT,
  shell: SHELL_SETTINGS_DEFAULT,
  data: DATA_SETTINGS_DEFAULT,
};

/** The answers that a person can give; `expire` means that nobody answered in time. */
export const APPROVAL_ANSWERS = ["allow_once", "allow_always", "deny", "expire"] as const;
export type ApprovalAnswer = (typeof APPROVAL_ANSWERS)[number];
export type AllowAnswer = Extract<ApprovalAnswer, `allow_${string}`>;

/**
 * Why a tool's `approvalCode` has a person asked: it said so (`answered`), or gave no answer (`failed`), as `message` tells
 * in at most `ASKING_CHARS_MAX` characters.
 */
export type Asking = { because: "answered" } | { because: "failed"; message: string };

/** Characters of the reason for which `approvalCode` gave no answer. */
export const ASKING_CHARS_MAX = 1_000;

/** Stays on the row of an execution that has to wait for a person. Times are ISO 8601: it travels as JSON. */
export interface ExecutionApproval {
  /** The time for the run, from the answer (or the end of its delay) to the result; milliseconds. */
  timeoutMs: number;
  expiresAt: string;
  /** Set where the tool's own code had the person asked, in an attempt: then the call was queued before. */
  asking?: Asking;
  /** Set with it: the id of the event that tells of it, the last one of that attempt. */
  askedEventId?: string;
  /** Null while it waits, and where the execution was cancelled meanwhile. */
  answer: GivenAnswer | null;
}

interface GivenAnswer {
  answer: ApprovalAnswer;
  by: string | null;
  at: string;
  /** Why the call was denied, for its caller. */
  reason?: string;
  /** The original arguments, if the person changed them. */
  askedArguments?: JsonObject;
}

/** A person's answer to one call, and the key it was given with. */
export interface PersonsAnswer {
  answer: Exclude<ApprovalAnswer, "expire">;
  by: string;
  /** Only a denial has a reason. */
  reason?: string | undefined;
}

/** The length of a person's reason for a denial or a rejection, in characters. */
export const REASON_CHARS_MAX = 1_000;

export const APPROVAL_STATUSES = ["waiting", "allowed", "denied", "expired", "cancelled"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** A call that waits, or waited, for a person. */
export interface Approval {
  approvalId: string;
  tenantId: string;
  executionId: string;
  /** Null for a tool that comes with the platform, whose version is 0. */
  toolId: string | null;
  toolName: string;
  toolVersion: number;
  arguments: JsonObject;
  context: CallContext;
  /** The URL that gets the end with the result; null: no callback. */
  callbackUrl: string | null;
  /** The id of the key that called. */
  requestedBy: string;
  createdAt: Date;
  expiresAt: string;
  status: ApprovalStatus;
  /** As in `ExecutionApproval`. */
  asking?: Asking;
  askedEventId?: string;
  answer: ExecutionApproval["answer"];
}

/** "Allow always": calls of this version that match run without being asked about. It goes with its tool. */
export interface StandingApproval {
  standingId: string;
  tenantId: string;
  toolId: string;
  toolName: string;
  toolVersion: number;
  /** Null: all its calls. */
  pattern: ArgumentPattern | null;
  /** The call at which it was given. */
  approvalId: string;
  createdBy: string;
  createdAt: Date;
  /** Calls that it let through, and the last one's moment; behind the calls by seconds. */
  uses: number;
  lastUsedAt: Date | null;
}

/** What standing approvals let through, by their ids. */
export type StandingUses = ReadonlyMap<string, { count: number; at: Date }>;

/** How a call that waited ends where nobody allowed it. */
export const NOT_ALLOWED = {
  deny: { code: "approval.denied", message: "A person denied the call." },
  expire: { code: "approval.expired", message: "Nobody allowed the call in time." },
} as const satisfies Record<string, ExecutionError>;

/** How a call ends that a person denied, with the reason where one was given. */
export const deniedFor = (reason?: string | null): ExecutionError => ({
  code: NOT_ALLOWED.deny.code,
  message: (reason ?? null) === null ? NOT_ALLOWED.deny.message : `A person denied the call: ${reason}`,
});

/** The id of an execution's approval has the same digits as the execution's id. */
export const APPROVAL_ID = /^apr_[0-9a-f]{32}$/;
export const approvalIdOf = (executionId: string): string => executionId.replace(/^exe_/, "apr_");
/** Takes the execution's own id too. */
export const executionIdOf = (approvalId: string): string => approvalId.replace(/^apr_/, "exe_");
