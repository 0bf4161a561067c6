import type { Bulkhead } from "@bulkhead/client";
import { readFile } from "node:fs/promises";
import { writeWhole } from "../settings/write-whole.ts";

interface TypesDeps {
  tools: Pick<Bulkhead["tools"], "globals" | "allTypes">;
  /** Absolute. */
  file: string;
  /** Whose tools come before the tenant's of the same name. */
  agentId: string;
}

/**
 * Keeps a declaration file of what tools see, and of all tools that they may call, as the server has them. Many changes at a
 * time are one.
 */
export class TypesFile {
  readonly #deps: TypesDeps;
  readonly #tell: (problem: string | null) => void;
  #globals: string | null = null;
  #writing: Promise<void> | null = null;
  #isStale = false;

  /** `tell` hears of each change of the file, and why one could not be made. */
  constructor(deps: TypesDeps, tell: (problem: string | null) => void) {
    this.#deps = deps;
    this.#tell = tell;
  }

  /** Tools have changed. */
  renew(): void {
    this.#isStale = true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
      // Told between the last look and here.
      if (this.#isStale) this.renew();
    });
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { tools, file, agentId } = this.#deps;
    while (this.#isStale) {
      this.#isStale = false;
      try {
        this.#globals ??= await tools.globals();
        const text = `${HEAD}${this.#globals}\n${await tools.allTypes({ agentId })}`;
        if ((await readFile(file, "utf8").catch(() => null)) === text) continue;
        await writeWhole(file, text);
        this.#tell(null);
      } catch (error) {
        // The tools were tried all the same, and the next change writes the file anew.
        this.#tell((error as Error).message);
      }
    }
  }
}

const HEAD = "// Written by bulkhead dev, and anew whenever a tool changes.\n";
