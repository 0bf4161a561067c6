import { join } from "node:path";
import { build, stop, type BuildOptions } from "esbuild";
import { bundleGuest } from "./guest-script.ts";

/** What every sandbox process is sent when it starts. */
export interface Bundle {
  /** The process's program: one function body of CommonJS. */
  program: string;
  /** The guest's: one expression, whose value is `connect` of `guest/install.ts`. */
  guest: string;
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

/** Bundles the sandbox's program and its guest, once for each folder: about 100 ms, and nothing is written. */
export function bundleSandbox(folder: string): Promise<Bundle> {
  let bundle = bundles.get(folder);
  if (bundle === undefined) {
    bundle = make(folder);
    bundles.set(folder, bundle);
  }
  return bundle;
}

async function make(folder: string): Promise<Bundle> {
  try {
    const [program, guest] = await Promise.all([
      text({
        ...COMMON,
        entryPoints: [join(folder, "src/main.ts")],
        platform: "node",
        format: "cjs",
        external: ["isolated-vm"],
      }),
      bundleGuest(join(folder, "guest"), COMMON),
    ]);
    return { program, guest };
  } finally {
    await stop();
  }
}

async function text(options: BuildOptions & { write: false }): Promise<string> {
  const { outputFiles } = await build(options);
  return outputFiles?.[0]?.text ?? "";
}
