/** Keeps the first bytes of both outputs of a command, in whole characters. */
export class OutputKeeper {
  readonly #bytesMax: number;
  readonly #kept = { stdout: "", stderr: "" };
  readonly #left: { stdout: number; stderr: number };
  #isCut = false;

  /** So many bytes in UTF-8 of each. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#left = { stdout: this.#bytesMax, stderr: this.#bytesMax };
  }

  get texts(): Readonly<Record<"stdout" | "stderr", string>> {
    return { ...this.#kept };
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Answers what of the text is kept. */
  add(from: "stdout" | "stderr", text: string): string {
    const all = Buffer.from(text);
    const left = this.#left[from];
    const fits = all.length <= left;
    const kept = fits
      ? text
      : all
          .subarray(0, left)
          .toString()
          .replace(/\ufffd+$/, "");
    this.#left[from] = fits ? left - all.length : 0;
    if (!fits) this.#isCut = true;
    this.#kept[from] += kept;
    return kept;
  }
}
