import { spawnProgram } from "../../spawn-program.ts";
import { PROCESS_HEAP_MIB_MAX } from "./bounds.ts";

/** What reads pages of text, and what reads PDFs, with the packages that each needs beside this one. */
const PROGRAMS = {
  page: {
    file: new URL("./page-program.ts", import.meta.url),
    packages: ["html-to-text", "htmlparser2"],
    flags: [],
  },
  // A thread of its own watches over time and memory, which the main one can't while it reads.
  pdf: {
    file: new URL("./pdf-program.ts", import.meta.url),
    packages: ["unpdf/pdfjs"],
    flags: ["--allow-worker"],
  },
} as const;
export type PageProgram = keyof typeof PROGRAMS;

/** Starts one of the programs that read pages. */
export function spawnPageProcess(program: PageProgram = "page") {
  const { file, packages, flags } = PROGRAMS[program];
  return spawnProgram({
    entry: file,
    packages: packages.map((name) => import.meta.resolve(name)),
    flags,
    heapMibMax: PROCESS_HEAP_MIB_MAX,
  });
}
