import { join } from "node:path";
import { encodeBytes, encodeText } from "../wire/frame.ts";
import { build, stop, type BuildOptions } from "esbuild";
import { bundleGuest } from "./guest-script.ts";
import { makeSnapshot, type SnapshotGround } from "./make-snapshot.ts";

/** The two frames that every sandbox process is sent when it starts. */
export interface Bundle {
  /** The process's program: one function body of CommonJS. */
  program: Buffer;
  /** The snapshot of the guest, which contexts are made from. */
  guest: Buffer;
}

const COMMON = {
  bundle: true,
  write: false,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  // Sandboxes have no way to read a source map.
  sourcemap: false,
  target: "esnext",
  logLevel: "silent",
} satisfies BuildOptions;

const bundles = new Map<string, Promise<Bundle>>();

/** Bundles the sandbox's program and its guest, once for each folder and way to start: about 200 ms, and nothing is written. */
export function bundleSandbox(folder: string, ground: SnapshotGround): Promise<Bundle> {
  const key = `${folder} ${ground.nodeSnapshot}`;
  let bundle = bundles.get(key);
  if (bundle === undefined) {
    bundle = make(folder, ground);
    bundles.set(key, bundle);
    // Those that wait for it get the error; the next start tries again.
    bundle.catch(() => bundles.delete(key));
  }
  return bundle;
}

async function make(folder: string, ground: SnapshotGround): Promise<Bundle> {
  const [program, maker, guest] = await bundleTexts(folder);
  return { program: encodeText(program), guest: encodeBytes(await makeSnapshot(ground, maker, guest)) };
}

/** The guest's is one expression, whose value is `connect` of `guest/install.ts`. */
async function bundleTexts(folder: string): Promise<[program: string, maker: string, guest: string]> {
  try {
    return await Promise.all([
      programText(join(folder, "process/main.ts")),
      programText(join(folder, "process/snapshot-main.ts")),
      bundleGuest(join(folder, "guest"), COMMON),
    ]);
  } finally {
    await stop();
  }
}

async function programText(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [entry],
    platform: "node",
    format: "cjs",
    external: ["isolated-vm"],
  });
  return outputFiles[0]?.text ?? "";
}
