import { version } from "esbuild";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOf } from "./marks.ts";

let program: Promise<string> | undefined;

/** Hash of all code that makes tools of a folder, bundler and Node by their versions: what another program made is not taken. */
export function programHash(): Promise<string> {
  program ??= hashOfCode();
  return program;
}

/** A packed program has all its code beside this file; the sources have the rules of tools elsewhere. */
async function hashOfCode(): Promise<string> {
  // The oldest releases of Node 20 have no `import.meta.dirname`.
  const own = fileURLToPath(import.meta.url);
  const folders = [dirname(own)];
  if (extname(own) === ".ts")
    folders.push(dirname(createRequire(import.meta.url).resolve("@bulkhead/tools/folders")));
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder, { recursive: true });
      return names.filter((name) => CODE.test(name)).map((name) => join(folder, name));
    }),
  );
  const texts = await Promise.all(
    files
      .flat()
      .toSorted()
      .map((file) => readFile(file)),
  );
  return hashOf(Buffer.concat([Buffer.from(`${version} ${process.version}\n`), ...texts]));
}

const CODE = /(?<!\.test)\.m?[jt]s$/;
