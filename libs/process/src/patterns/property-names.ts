/** General categories by the long names of Unicode, which RE2 doesn't know. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Cased_Letter: "LC",
  Close_Punctuation: "Pe",
  Connector_Punctuation: "Pc",
  Control: "Cc",
  Currency_Symbol: "Sc",
  Dash_Punctuation: "Pd",
  Decimal_Number: "Nd",
  Enclosing_Mark: "Me",
  Final_Punctuation: "Pf",
  Format: "Cf",
  Initial_Punctuation: "Pi",
  Letter: "L",
  Letter_Number: "Nl",
  Line_Separator: "Zl",
  Lowercase_Letter: "Ll",
  Mark: "M",
  Combining_Mark: "M",
  Math_Symbol: "Sm",
  Modifier_Letter: "Lm",
  Modifier_Symbol: "Sk",
  Nonspacing_Mark: "Mn",
  Number: "N",
  Open_Punctuation: "Ps",
  Other: "C",
  Other_Letter: "Lo",
  Other_Number: "No",
  Other_Punctuation: "Po",
  Other_Symbol: "So",
  Paragraph_Separator: "Zp",
  Private_Use: "Co",
  Punctuation: "P",
  punct: "P",
  Separator: "Z",
  Space_Separator: "Zs",
  Spacing_Mark: "Mc",
  Surrogate: "Cs",
  Symbol: "S",
  Titlecase_Letter: "Lt",
  Uppercase_Letter: "Lu",
  cntrl: "Cc",
  digit: "Nd",
};

/** Properties that RE2 lacks, as the inside of a class. */
const RANGES: Readonly<Record<string, string>> = {
  ASCII: "\\x00-\\x7F",
  Emoji_Component:
    "#*0-9\\u200D\\u20E3\\uFE0F\\u{1F1E6}-\\u{1F1FF}\\u{1F3FB}-\\u{1F3FF}\\u{1F9B0}-\\u{1F9B3}\\u{E0020}-\\u{E007F}",
};

/** A pattern whose `\p{Letter}`, `\p{gc=L}`, `\p{Script=Greek}` and `\p{ASCII}` are written as RE2 knows them. */
export function toRe2Names(source: string): string {
  let inClass = false;
  return source.replaceAll(
    /\\([pP])\{(?:(?:General_Category|gc|Script|sc)=)?(\w+)\}|\\.|[[\]]/gs,
    (whole: string, letter: string | undefined, name: string) => {
      if (whole === "[") inClass = true;
      if (whole === "]") inClass = false;
      if (letter === undefined) return whole;
      const ranges = Object.hasOwn(RANGES, name) ? RANGES[name] : undefined;
      if (ranges !== undefined && inClass && letter === "p") return ranges;
      if (ranges !== undefined && !inClass) return `[${letter === "P" ? "^" : ""}${ranges}]`;
      return `\\${letter}{${Object.hasOwn(CATEGORIES, name) ? CATEGORIES[name] : name}}`;
    },
  );
}
