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
/** As most vendors write it; some write capitals. */
export const UUID = "[0-9A-Za-z]{8,8}-[0-9A-Za-z]{4,4}-[0-9A-Za-z]{4,4}-[0-9A-Za-z]{4,4}-[0-9A-Za-z]{12,12}";
export const BASE64 = "[A-Za-z0-9+/=]";

/** The source of shapes whose vendor describes none: the rules of those who watch for leaked tokens. */
export const GITLEAKS = "github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml";
export const trufflehog = (detector: string): string =>
  `github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/${detector}`;

/** `starts` are parted by spaces. */
export const shape = (name: string, starts: string, rest: string, doc: string): VendorShape => ({
  name,
  starts: starts.split(" "),
  rest,
  doc: `https://${doc}`,
});
