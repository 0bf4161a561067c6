import { spawnProgram } from "../../spawn-program.ts";
import { PROCESS_HEAP_MIB_MAX } from "./bounds.ts";

/** Starts the program that reads pages. */
export const spawnPageProcess = () =>
  spawnProgram({
    entry: new URL("./page-program.ts", import.meta.url),
    packages: ["html-to-text", "htmlparser2"].map((name) => import.meta.resolve(name)),
    heapMibMax: PROCESS_HEAP_MIB_MAX,
  });
