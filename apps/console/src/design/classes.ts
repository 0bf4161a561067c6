/** Class names side by side; what is not there is left out. */
export const classes = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(" ");

/** The looks of a link within text. */
export const LINK = "text-accent-strong underline underline-offset-2";
