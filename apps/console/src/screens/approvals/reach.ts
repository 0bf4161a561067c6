import type { Approval } from "@bulkhead/client";
import { isCommand } from "./standing-scope.ts";
import type { AskedVersion, VersionChanges } from "../../data/asked-version.ts";
import type { Tone } from "../../design/badge.tsx";
import { PERMISSION_WORDS, type Permission } from "../../format/permission-words.ts";

export interface Risk {
  name: string;
  tone: Tone;
  /** Shown on hover. */
  about: string;
}

/** Permissions with which something can be changed. */
const WRITING: readonly Permission[] = ["filesystem", "database", "shell", "email", "scheduling"];

/** What to look at twice before one allows a call, the worst first. */
export function risksOf(
  approval: Approval,
  asked: AskedVersion | undefined,
  changes?: VersionChanges,
): Risk[] {
  const risks = [...risksOfCall(approval), ...(asked === undefined ? [] : risksOfVersion(asked, changes))];
  const weight = (tone: Tone): number => ["bad", "warn", "ai"].indexOf(tone);
  return risks.sort((a, b) => weight(a.tone) - weight(b.tone));
}

function risksOfCall(approval: Approval): Risk[] {
  if (approval.kind === "meta_tool")
    return approval.toolName === "delete_custom_tool"
      ? [{ name: "Destructive", tone: "bad", about: "It deletes a tool and all its versions, for good." }]
      : [{ name: "Makes a tool", tone: "ai", about: "A model wrote the code of this tool." }];
  const risks: Risk[] = [];
  if (isCommand(approval)) risks.push({ name: "Runs commands", tone: "bad", about: PERMISSION_WORDS.shell });
  if (approval.asking?.because === "failed")
    risks.push({ name: "Own check failed", tone: "warn", about: "The tool's own code gave no answer." });
  if (approval.callback !== undefined)
    risks.push({ name: "Sends its result", tone: "warn", about: `To ${approval.callback.url}` });
  return risks;
}

const GROWTH_NAMES = {
  host: "New host",
  service: "New secret",
  permission: "New permission",
  tool: "Calls another tool",
} as const;

/** The fields of a version whose entries are what it can reach. */
const GROWING = { allowedHosts: "host", services: "service", permissions: "permission" } as const;

/** What a version reaches that the approved one before it did not, each once. */
function grownSince({ grown }: AskedVersion["evidence"], changes: VersionChanges | undefined): Risk[] {
  const names = new Map<string, string>();
  for (const { kind, target } of grown)
    if (kind !== "limit")
      names.set(`${kind} ${target}`, `${target === "*" ? "Any" : target}: not approved before`);
  for (const { field, before, after } of changes?.diff?.changes ?? []) {
    const kind = GROWING[field as keyof typeof GROWING];
    if (kind === undefined || !Array.isArray(after)) continue;
    const had = new Set<unknown>(Array.isArray(before) ? before : []);
    for (const target of after as unknown[])
      if (!had.has(target) && !names.has(`${kind} ${String(target)}`))
        names.set(
          `${kind} ${String(target)}`,
          `${String(target)}: not in version ${changes?.before?.version}`,
        );
  }
  return [...names].map(([key, about]) => ({
    name: GROWTH_NAMES[key.slice(0, key.indexOf(" ")) as keyof typeof GROWTH_NAMES],
    tone: "warn",
    about,
  }));
}

function risksOfVersion({ tool, evidence }: AskedVersion, changes: VersionChanges | undefined): Risk[] {
  const { capabilities, revealedServices } = evidence;
  const risks: Risk[] = [];
  const add = (when: boolean, name: string, tone: Tone, about: string): void => {
    if (when) risks.push({ name, tone, about });
  };
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  const writes = capabilities.permissions.filter((one) => WRITING.includes(one));
  const mayWrite = readOnlyHint !== true && (writes.length > 0 || readOnlyHint === false);
  add(destructiveHint === true, "Destructive", "bad", "Its maker says that what it changes can be lost.");
  add(capabilities.permissions.includes("shell"), "Runs commands", "bad", PERMISSION_WORDS.shell);
  add(
    revealedServices.length > 0,
    "Sees secrets",
    "bad",
    `The values themselves reach its code: ${revealedServices.join(", ")}`,
  );
  add(mayWrite, "Writes", "warn", writes.length === 0 ? "Its maker says so." : `By ${writes.join(", ")}.`);
  risks.push(...grownSince(evidence, changes));
  const anyHost = capabilities.permissions.includes("network") && capabilities.hosts === null;
  add(anyHost, "Any host", "warn", "It may send what it knows to any public host.");
  add(tool.createdBy === "llm", "Created by a model", "ai", "A model wrote its code.");
  return risks;
}

/** What a version can reach, name by name, in words. */
export function reachOf({
  tool,
  evidence,
}: AskedVersion): (readonly [name: string, words: readonly string[]])[] {
  const { permissions, hosts, services, tools } = evidence.capabilities;
  const reaches = permissions.includes("network");
  const hostsOf = (): readonly string[] => {
    if (!reaches) return [];
    return hosts ?? ["any public host"];
  };
  const { readOnlyHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
  const hints = [
    readOnlyHint === true && "changes nothing",
    readOnlyHint === false && "changes something",
    destructiveHint === true && "what it changes can be lost",
    idempotentHint === true && "twice is as once",
  ].filter((hint) => hint !== false);
  return [
    ["May", permissions.map((one) => `${one}: ${PERMISSION_WORDS[one]}`)],
    ["Hosts", hostsOf()],
    [
      "Secrets of",
      services.map((one) => (evidence.revealedServices.includes(one) ? `${one} (its code sees them)` : one)),
    ],
    ["Calls tools", tools ?? ["any"]],
    ["As its maker says", hints],
  ];
}
