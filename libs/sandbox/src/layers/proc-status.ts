/** The privileges of a process, from /proc/<pid>/status. */
export interface ProcStatus {
  /** Real, effective, saved and file-system ids. */
  uids: number[];
  gids: number[];
  groups: number[];
  noNewPrivileges: boolean;
  /** Inheritable, permitted, effective and ambient together: what it has or could pass on. */
  capabilities: bigint;
  bounding: bigint;
}

/** Fields that a kernel does not list count as the worst: all capabilities, no barrier. */
export function parseStatus(text: string): ProcStatus {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const numbers = (name: string): number[] =>
    (fields.get(name) ?? "").split(/\s+/).filter(Boolean).map(Number);
  const bits = (name: string): bigint => BigInt(`0x${fields.get(name) ?? "ffffffffffffffff"}`);
  return {
    uids: numbers("Uid"),
    gids: numbers("Gid"),
    groups: numbers("Groups"),
    noNewPrivileges: fields.get("NoNewPrivs") === "1",
    capabilities: bits("CapInh") | bits("CapPrm") | bits("CapEff") | bits("CapAmb"),
    bounding: bits("CapBnd"),
  };
}
