/** What is wrong at a place of a text; lines and columns are counted from one. */
export interface EditorProblem {
  message: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
  severity: "error" | "warning";
  /** Who found it. */
  source?: string;
}

/** TypeScript declarations of what code finds in its world. */
export interface EditorLib {
  /** Its name among the others, such as `tool-globals.d.ts`. */
  path: string;
  text: string;
}

export type EditorLanguage = "javascript" | "typescript" | "json" | "plaintext";

/** Where to go in a text, once for each object. */
export interface EditorPlace {
  line: number;
  column: number;
}

/** What an editor shows and how. */
export interface EditorText {
  value: string;
  language: EditorLanguage;
  /** What the text is, for those who hear it. */
  label: string;
  problems: readonly EditorProblem[];
  /** All code on one page shares them. */
  libs: readonly EditorLib[];
  /** What a JSON text is held against; `json-schema` where it is a schema itself. */
  schema: object | "json-schema" | null;
  readOnly: boolean;
  /** Whether long lines are wrapped. */
  wrap: boolean;
  goTo: EditorPlace | null;
}

/** Characters above which a text is neither checked nor coloured, so that writing in it stays quick. */
export const SERVED_CHARS_MAX = 256 * 1024;

/** Texts that are told and not yet given back; older ones are forgotten. */
const ECHOES_MAX = 64;

/**
 * Tells a text that comes back from the one who was told it from a new one: where several keys are pressed before the page is
 * drawn, the texts of the first ones come back behind the last, and must not be written over it.
 */
export class Echoes {
  #told: string[] = [];

  tell(text: string): void {
    this.#told.push(text);
    if (this.#told.length > ECHOES_MAX) this.#told.shift();
  }

  /** Whether a text that is given was told; those that were told before it will not come back. */
  isEcho(text: string): boolean {
    const at = this.#told.indexOf(text);
    if (at >= 0) this.#told.splice(0, at);
    return at >= 0;
  }

  /** Once the text that is shown has come back, none is on its way. */
  forget(): void {
    this.#told = [];
  }
}
