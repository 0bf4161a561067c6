/** How one vendor's tokens look. */
export interface VendorShape {
  name: string;
  /** What they begin with: one of these, not within a word. */
  starts: readonly string[];
  /** What follows, as `parseShape` reads it. */
  rest: string;
  /** Where the vendor or those who watch for it say so. */
  doc: string;
}

export const ALNUM = "[A-Za-z0-9]";
export const WORD = "[A-Za-z0-9_-]";
export const HEX = "[0-9a-f]";
export const BASE64 = "[A-Za-z0-9+/=]";

/** `starts` are parted by spaces. */
export const shape = (name: string, starts: string, rest: string, doc: string): VendorShape => ({
  name,
  starts: starts.split(" "),
  rest,
  doc: `https://${doc}`,
});
