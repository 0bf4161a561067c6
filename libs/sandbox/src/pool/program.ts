import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleSandbox, type Bundle } from "./bundle.ts";

/** The program of a sandbox process. */
export interface SandboxProgram {
  /** The file that node starts with, an absolute path. */
  entry: string;
  /** Files and folders that it may read until it has loaded itself; nothing else of the machine. */
  readable: string[];
  /**
   * The frames that it is sent before anything else, by the way in which node starts; without it the entry is the whole
   * program.
   */
  bundle?: (nodeSnapshot: boolean) => Promise<Bundle>;
}

const FOLDER = fileURLToPath(new URL("../", import.meta.url));

/** Bulkhead's own sandbox program in `folder`; its packages may be hoisted to any folder above. */
export function sandboxProgram(folder: string = FOLDER): SandboxProgram {
  const entry = join(folder, "process/boot.cjs");
  const isolatedVm = packageFolder(createRequire(entry), "isolated-vm");
  const loader = packageFolder(createRequire(join(isolatedVm, "package.json")), "node-gyp-build");
  // isolated-vm's loader looks at the first of the last two for the kind of C library; the other tells of its memory.
  const readable = [
    entry,
    join(isolatedVm, "*"),
    join(loader, "*"),
    "/etc/alpine-release",
    "/proc/self/statm",
  ];
  return {
    entry,
    readable,
    bundle: (nodeSnapshot) => bundleSandbox(folder, { entry, readable, nodeSnapshot }),
  };
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
