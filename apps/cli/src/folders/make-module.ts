import { performance } from "node:perf_hooks";
import { relative, sep } from "node:path";
import { type Bundle, bundle, type BundleOptions } from "./bundle.ts";
import { BundleFailure, type BundleFault } from "./bundle-failure.ts";
import { buildTool, type MadeTool } from "./build-tool.ts";
import type { ModuleDescription } from "./describe-module.ts";
import { bundleTools, type ToolBundles } from "./bundle-tools.ts";
import { frameOf } from "./fault-list.ts";
import type { LookedAt } from "./looked-at.ts";
import { builtInMessage, type ModuleDeps, type ModuleSource, placeOfExport } from "./module-source.ts";
import { type PickFault, pickTools } from "./pick-tools.ts";
import { placesOf } from "./tool-code.ts";

/**
 * The tools of a module; what keeps one from being a tool is told, and stops no other. Null where the module as a whole is at
 * fault. What it depends on is added to `looked` in any case.
 */
export async function makeModule(
  deps: ModuleDeps,
  source: ModuleSource,
  looked: LookedAt,
): Promise<MadeTool[] | null> {
  const options: BundleOptions = {
    resolveDir: source.resolveDir,
    within: deps.within,
    stripper: deps.stripper,
    pureSchemas: false,
    minify: false,
    looked,
  };
  // It starts while the module is bundled.
  deps.describer.warm();
  const text = `export * as module from ${JSON.stringify(source.specifier)};\n`;
  const bundled = await timed(deps, "bundleMs", () =>
    bundle([{ name: "module", text }], options).catch((error: unknown) => failed(error)),
  );
  if ("faults" in bundled) {
    for (const fault of bundled.faults) tellBundle(deps, source, fault);
    return null;
  }
  const [whole] = bundled as [Bundle];
  const description = await timed(deps, "describeMs", () => deps.describer.describe(whole.code));
  if (description.outcome !== "described") {
    tellEnded(deps, source, whole, description);
    return null;
  }
  const { picked, faults } = pickTools(description.exports, source.choice);
  for (const fault of faults) tellPick(deps, source, fault);
  const started = performance.now();
  const built = await timed(deps, "bundleMs", () =>
    bundleTools(picked, source.specifier, { ...options, pureSchemas: true }).catch((error: unknown) =>
      failed(error),
    ),
  );
  if ("faults" in built) {
    for (const fault of built.faults) tellBundle(deps, source, fault);
    return null;
  }
  const shared = (performance.now() - started) / Math.max(1, picked.length);
  const tools: MadeTool[] = [];
  for (const [at, one] of picked.entries()) {
    const tool = await buildTool(deps, source, one, built[at] as ToolBundles, shared);
    if (tool) tools.push(tool);
  }
  return tools;
}

function failed(error: unknown): { faults: BundleFault[] } {
  if (error instanceof BundleFailure) return { faults: error.faults };
  throw error;
}

async function timed<T>(
  { durations }: ModuleDeps,
  part: "bundleMs" | "describeMs",
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    durations[part] += performance.now() - started;
  }
}

/** A fault of the bundler has its own place; one without is the module's. */
function tellBundle(deps: ModuleDeps, source: ModuleSource, fault: BundleFault): void {
  const { code, message, line, column } = fault;
  const file = fault.file === null ? source.file : shownPath(deps, fault.file);
  const isOwn = file === source.file;
  deps.tell({
    code,
    file,
    message,
    line,
    column,
    frame: isOwn && line !== null ? frameOf(source.text, line) : null,
  });
}

/** Relative to the folder that is loaded, as all files of faults are. */
function shownPath({ root }: ModuleDeps, file: string): string {
  return relative(root, file).split(sep).join("/");
}

function tellPick({ tell }: ModuleDeps, { file, text }: ModuleSource, fault: PickFault): void {
  // Of a tool in a record or a list its export is found.
  const [exported = null] = fault.export?.split("[") ?? [];
  tell({ ...fault, file, ...placeOfExport(text, exported) });
}

function tellEnded(
  deps: ModuleDeps,
  source: ModuleSource,
  { map, builtIns }: Bundle,
  description: Exclude<ModuleDescription, { outcome: "described" }>,
): void {
  const { file } = source;
  if (description.outcome === "timed_out") {
    const message = "took too long to be evaluated: what a module does when it is loaded must end by itself";
    deps.tell({ code: "module.timeout", file, message });
    return;
  }
  // What throws without a module of Node's is mostly its lack.
  const [missing] = builtIns;
  if (missing) {
    deps.tell({ code: "import.built_in", file, message: builtInMessage(missing) });
    return;
  }
  const places = placesOf({ map }, { root: deps.root, resolveDir: source.resolveDir });
  // What the runtime puts around it are lines of the bundle, and calls of ours.
  const own = description.stack?.split(/\n(?=\S.*\n {4}at )/).at(-1);
  const stack = own
    ?.replaceAll(/module\.js:(\d+):(\d+)/g, (whole, line, column) => {
      const place = places(Number(line), Number(column));
      return place ? `${place.file}:${place.line}:${place.column}` : whole;
    })
    .replaceAll(/\n {4}at .*(?:module\.js|node:|\[eval\d*\]).*/g, "");
  const [, at, line, column] = /([^\s(]+):(\d+):(\d+)\)?$/m.exec(stack ?? "") ?? [];
  const isPlaced = at !== undefined && !at.includes("module.js");
  deps.tell({
    code: "module.threw",
    file,
    message: `could not be evaluated: ${description.message}`,
    stack: stack ?? null,
    ...(isPlaced && at === file && { line: Number(line), column: Number(column) }),
    ...(isPlaced && at === file && { frame: frameOf(source.text, Number(line)) }),
  });
}
