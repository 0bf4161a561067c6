/** How one vendor's tokens look. */
export interface VendorShape {
  name: string;
  /** The token starts with one of these, not within a word. */
  starts: readonly string[];
  /** The rest of the token, as `parseShape` reads it. */
  rest: string;
  /** The page where the vendor, or a scanner's authors, describe it. */
  doc: string;
}

export const ALNUM = "[A-Za-z0-9]";
export const WORD = "[A-Za-z0-9_-]";
export const HEX = "[0-9a-f]";
/** As most vendors write it; some write capitals. */
export const UUID = "[0-9A-Za-z]{8,8}-[0-9A-Za-z]{4,4}-[0-9A-Za-z]{4,4}-[0-9A-Za-z]{4,4}-[0-9A-Za-z]{12,12}";
export const BASE64 = "[A-Za-z0-9+/=]";

/** The source of shapes that their vendor doesn't describe: the rules of a scanner for leaked tokens. */
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
