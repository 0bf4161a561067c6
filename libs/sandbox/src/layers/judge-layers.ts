import { basename } from "node:path";
import { SANDBOX_LAYERS, type SandboxLayer, type SandboxLayerReport } from "@bulkhead/core";
import type { Enclosure } from "../pool/spawn-sandbox.ts";
import type { ProcessObservation } from "./observe-process.ts";
import { laxLimits } from "./resource-limits.ts";

/** A started process as it was found, beside what it was started with. */
export interface Evidence {
  observed: ProcessObservation;
  enclosure: Enclosure;
  /** The limit that its memory group had, in bytes; null without a group. */
  limitBytes: number | null;
  /** The highest out-of-memory score. */
  oomScore: number;
  workerUid: number;
}

type Finding = { inForce: boolean; detail: string };

const found = (inForce: boolean, yes: string, no: string): Finding => ({
  inForce,
  detail: inForce ? yes : no,
});
const hex = (bits: bigint): string => `0x${bits.toString(16)}`;

/** How each layer is told from outside. */
const JUDGES: Record<SandboxLayer, (evidence: Evidence) => Finding> = {
  environment: ({ observed: { variables } }) =>
    variables === null
      ? { inForce: false, detail: "the system does not show the process's environment" }
      : found(variables.length === 0, "there are no variables", `variables: ${variables.join(", ")}`),
  no_new_privileges: ({ observed: { status } }) =>
    found(status?.noNewPrivileges === true, "NoNewPrivs is 1", "NoNewPrivs is not set"),
  capabilities: ({ observed: { status } }) => {
    if (status === null) return { inForce: false, detail: "the system does not show them" };
    const { capabilities, bounding, noNewPrivileges } = status;
    const inForce = capabilities === 0n && (bounding === 0n || noNewPrivileges);
    return { inForce, detail: `held ${hex(capabilities)}, bounding set ${hex(bounding)}` };
  },
  own_uid: ({ observed: { status }, enclosure: { uid }, workerUid }) => {
    const ids = [...(status?.uids ?? []), ...(status?.gids ?? [])];
    const isOwn = uid !== null && uid !== workerUid && ids.length === 8 && ids.every((id) => id === uid);
    const alone = isOwn && status?.groups.length === 0;
    return found(alone, `user ${uid}, no groups; another for each process`, `users ${ids.join(" ")}`);
  },
  network_namespace: ({ observed: { ownNamespaces, interfaces } }) =>
    found(
      ownNamespaces.includes("net") && interfaces.every((name) => name === "lo"),
      `own ${ownNamespaces.join(", ")} namespaces; interfaces: ${interfaces.join(", ") || "none"}`,
      "the process shares the worker's network",
    ),
  resource_limits: ({ observed, enclosure: { limits } }) => {
    if (limits === null || observed.limits === null) return { inForce: false, detail: "none were set" };
    const lax = laxLimits(limits, observed.limits);
    const some = "file size 0, core 0, open files, processor time, data";
    return found(lax.length === 0, limits.processes === null ? some : `${some}, processes`, lax.join("; "));
  },
  memory_cgroup: ({ observed: { cgroup }, enclosure: { group }, limitBytes }) => {
    if (group === null || limitBytes === null) return { inForce: false, detail: "there is none" };
    const name = basename(group.path);
    const isIn = (cgroup ?? "").split("\n").some((line) => line.endsWith(`/${name}`));
    const inForce = isIn && limitBytes < Infinity;
    return found(inForce, `at most ${limitBytes / 2 ** 20} MiB`, `not in ${name}, or without a limit`);
  },
  oom_score: ({ observed, oomScore }) =>
    found(observed.oomScore === oomScore, `oom_score_adj is ${oomScore}`, "it is as dear as the worker"),
  permission_model: ({ observed: { commandLine } }) =>
    found(
      commandLine.includes("--permission"),
      "node runs with --permission",
      "node runs without --permission",
    ),
  landlock: ({ observed: { refusedForeignFile } }) =>
    found(refusedForeignFile, "files beyond its own program are refused", "foreign files can be read"),
};

/** One report for each layer; a known reason for a missing one says more than what was seen of it. */
export const judgeLayers = (
  evidence: Evidence,
  reasons: Partial<Record<SandboxLayer, string>>,
): SandboxLayerReport[] =>
  SANDBOX_LAYERS.map((layer) => {
    const { inForce, detail } = JUDGES[layer](evidence);
    return { layer, inForce, detail: inForce ? detail : (reasons[layer] ?? detail) };
  });

/** All layers missing for one reason. */
export const allMissing = (
  detail: string,
  reasons: Partial<Record<SandboxLayer, string>> = {},
): SandboxLayerReport[] =>
  SANDBOX_LAYERS.map((layer) => ({ layer, inForce: false, detail: reasons[layer] ?? detail }));
