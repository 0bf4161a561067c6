/** The addresses of Monaco's workers: see build/monaco-workers.ts. */
declare module "virtual:monaco-workers" {
  export const editor: string;
  export const json: string;
  export const ts: string;
}
