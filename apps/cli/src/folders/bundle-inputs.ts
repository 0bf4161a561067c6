import type { Metafile } from "esbuild";
import { join } from "node:path";

/** The namespace of the texts that are bundled. */
export const ENTRY = "entry";
/** Files in this namespace stand for the modules of Node; a bundle that keeps one can't run. */
export const BUILT_IN = "node-built-in";

export interface BundleParts {
  /** Absolute paths of the files that are part of it, with their bytes there. */
  files: Map<string, number>;
  /** The modules of Node that it needs, each with the chain of files that leads there; in the order of names. */
  builtIns: { name: string; chain: string[] }[];
}

/** What is part of an output. */
export function partsOf({ inputs, outputs }: Metafile, output: string, folder: string): BundleParts {
  const files = new Map<string, number>();
  const builtIns: BundleParts["builtIns"] = [];
  for (const [input, { bytesInOutput }] of Object.entries(outputs[output]?.inputs ?? {})) {
    if (bytesInOutput === 0) continue;
    const [namespace, name] = splitInput(input);
    if (namespace === BUILT_IN) builtIns.push({ name, chain: chainTo(input, inputs) });
    if (namespace === "") files.set(join(folder, input), bytesInOutput);
  }
  return { files, builtIns: builtIns.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
}

/** The namespace of a file as the bundler names it, "" for one of the disk, and what is behind it. */
export const splitInput = (input: string): [namespace: string, rest: string] => {
  const [, namespace, rest] = /^(entry|node-built-in|ai-sdk|empty):(.*)$/.exec(input) ?? [];
  return namespace === undefined ? ["", input] : [namespace, rest ?? ""];
};

/** The shortest way from an entry to the input, both included; entries are not named. */
function chainTo(target: string, inputs: Metafile["inputs"]): string[] {
  const importers = new Map<string, string>();
  const left = Object.keys(inputs).filter((input) => splitInput(input)[0] === ENTRY);
  for (const input of left) {
    for (const { path } of inputs[input]?.imports ?? []) {
      if (importers.has(path)) continue;
      importers.set(path, input);
      left.push(path);
    }
  }
  const chain: string[] = [];
  for (let at: string | undefined = target; at !== undefined; at = importers.get(at)) chain.unshift(at);
  return chain.filter((input) => splitInput(input)[0] !== ENTRY).map((input) => splitInput(input)[1]);
}
