/**
 * How node is started for the sandbox's program. `readable` are the files and folders that it may read. With
 * `nodeSnapshot` node starts from its own snapshot, which halves a start; whether isolated-vm's isolates work beside it
 * is tried when a pool opens (`settleLaunch`).
 */
export const nodeFlags = (readable: readonly string[], nodeSnapshot: boolean): string[] => [
  // V8 shares one read-only heap among isolates: isolated-vm's meet that of node's own snapshot where there is one.
  ...(nodeSnapshot ? [] : ["--no-node-snapshot"]),
  // A context dies with every run: a roomier young generation without helper threads halves what collecting them costs.
  "--min-semi-space-size=8",
  "--max-semi-space-size=8",
  "--single-threaded-gc",
  "--disable-proto=delete",
  // Type stripping in both of its forms is experimental; addons under the permission model are, too, a warning.
  "--disable-warning=ExperimentalWarning",
  "--disable-warning=PERM0001",
  "--permission",
  "--allow-addons",
  ...readable.map((path) => `--allow-fs-read=${path}`),
];
