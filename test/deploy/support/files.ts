import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export const ROOT = join(import.meta.dirname, "..", "..", "..");

export const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** A YAML file with its anchors and merges resolved; throws at the first fault. */
export const readYaml = (path: string): unknown => parse(read(path), { merge: true });
