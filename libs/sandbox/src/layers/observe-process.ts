import { readFileSync, readlinkSync } from "node:fs";
import type { Testimony } from "./witness.ts";
import { parseStatus, type ProcStatus } from "./proc-status.ts";

/** The state of a process as seen from outside; null and empty where nothing is. */
export interface ProcessObservation {
  /** The names of its variables. */
  variables: string[] | null;
  commandLine: string[];
  status: ProcStatus | null;
  /** Those of the kinds net, ipc and uts that are not the worker's. */
  ownNamespaces: string[];
  /** The network interfaces it sees. */
  interfaces: string[];
  /** The text of /proc/<pid>/limits. */
  limits: string | null;
  /** The text of /proc/<pid>/cgroup. */
  cgroup: string | null;
  oomScore: number | null;
  refusedForeignFile: boolean;
}

const NAMESPACES = ["net", "ipc", "uts"];

/** Looks at a process through /proc, and where that is closed, at one that went the same way. */
export function observeProcess(pid: number, witness: Testimony | null): ProcessObservation {
  const environment = read(`/proc/${pid}/environ`);
  const status = read(`/proc/${pid}/status`);
  const oomScore = read(`/proc/${pid}/oom_score_adj`);
  return {
    variables: environment === null ? (witness?.variables ?? null) : namesIn(environment),
    commandLine: read(`/proc/${pid}/cmdline`)?.split("\0") ?? [],
    status: status === null ? null : parseStatus(status),
    ownNamespaces: NAMESPACES.filter((kind) =>
      isOwn(kind, link(`/proc/${pid}/ns/${kind}`) ?? witness?.namespaces[kind]),
    ),
    interfaces: parseInterfaces(read(`/proc/${pid}/net/dev`) ?? ""),
    limits: read(`/proc/${pid}/limits`),
    cgroup: read(`/proc/${pid}/cgroup`),
    oomScore: oomScore === null ? null : Number(oomScore),
    refusedForeignFile: witness?.refusedForeignFile ?? false,
  };
}

/** The names in /proc/<pid>/net/dev, after its two lines of headings. */
export const parseInterfaces = (text: string): string[] =>
  text
    .split("\n")
    .slice(2)
    .flatMap((line) => /^\s*([^:\s]+):/.exec(line)?.[1] ?? []);

const namesIn = (environment: string): string[] =>
  environment
    .split("\0")
    .filter(Boolean)
    .map((variable) => variable.split("=", 1)[0] ?? "");

function isOwn(kind: string, theirs: string | null | undefined): boolean {
  const ours = link(`/proc/self/ns/${kind}`);
  return ours !== null && theirs !== null && theirs !== undefined && theirs !== ours;
}

function link(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
