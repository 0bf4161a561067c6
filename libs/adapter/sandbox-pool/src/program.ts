import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a sandbox process runs. */
export interface SandboxProgram {
  /** The program's file, an absolute path. */
  entry: string;
  /** Files and folders that it may read until it has loaded itself; nothing else of the machine. */
  readable: string[];
}

const ENTRY = fileURLToPath(new URL("../../../../apps/sandbox/src/main.ts", import.meta.url));

/** Bulkhead's own sandbox program, found from `entry`; its packages may be hoisted to any folder above. */
export function sandboxProgram(entry: string = ENTRY): SandboxProgram {
  const from = createRequire(entry);
  const isolatedVm = packageFolder(from, "isolated-vm");
  const wire = packageFolder(from, "@bulkhead/wire");
  const folders = [
    dirname(dirname(entry)),
    wire,
    realpathSync(wire),
    packageFolder(createRequire(join(realpathSync(wire), "package.json")), "zod"),
    isolatedVm,
    packageFolder(createRequire(join(isolatedVm, "package.json")), "node-gyp-build"),
  ];
  // isolated-vm's loader looks there for the kind of C library.
  return { entry, readable: [...folders.map((folder) => join(folder, "*")), "/etc/alpine-release"] };
}

/** The folder in which resolution finds a package, links not followed. */
function packageFolder(from: NodeJS.Require, name: string): string {
  for (const folder of from.resolve.paths(name) ?? []) {
    const found = join(folder, name);
    if (exists(found)) return found;
  }
  throw new Error(`the package ${name} is not installed`);
}

function exists(path: string): boolean {
  try {
    realpathSync(path);
    return true;
  } catch {
    return false;
  }
}
