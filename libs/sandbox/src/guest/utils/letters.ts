/** Latin letters that Unicode does not take apart into a base letter and a mark. */
const LATIN =
  "ß ss ẞ SS æ ae Æ AE œ oe Œ OE ø o Ø O ł l Ł L đ d Đ D ð d Ð D þ th Þ TH ħ h Ħ H ı i ŧ t Ŧ T ŋ n Ŋ N ƒ f ſ s ɨ i ƀ b ʉ u";
/** Lower case; a letter with a mark on another of these letters is absent, and loses its mark. */
const CYRILLIC_GREEK =
  "а a б b в v г g ґ g ѓ g д d ђ d е e ё yo є ye ж zh з z и i і i ї yi й y ј j к k ќ k л l љ lj м m н n њ nj о o п p р r с s т t ћ c у u ў u ф f х kh ц ts ч ch џ dz ш sh щ shch ъ _ ы y ь _ э e ю yu я ya " +
  "α a β b γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o";

type Table = Map<string, string>;
let latin: Table | null = null;
let cyrillicGreek: Table | null = null;

function tableOf(text: string): Table {
  const items = text.split(" ");
  const table: Table = new Map();
  for (let i = 0; i < items.length; i += 2)
    table.set(items[i] as string, (items[i + 1] as string).replace("_", ""));
  return table;
}

const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const BEYOND_ASCII_LATIN = /[\u00c6-\u02ff\u1e9e]/g;
const CYRILLIC_OR_GREEK = /[\u0370-\u04ff]/g;

/** Latin, Greek and Cyrillic letters without their marks, `ß ø ł` and the like by their usual spelling. */
export function withoutMarks(text: string): string {
  latin ??= tableOf(LATIN);
  const table = latin;
  // Marks of other scripts stay: there they are vowels, or another letter.
  const bare = text.normalize("NFD").replace(MARKED, "$1").normalize("NFC");
  return bare.replace(BEYOND_ASCII_LATIN, (letter) => table.get(letter) ?? letter);
}

/** A lower-case text with its Cyrillic and Greek letters written in Latin ones. */
export function romanized(text: string): string {
  if (text.search(CYRILLIC_OR_GREEK) < 0) return text;
  cyrillicGreek ??= tableOf(CYRILLIC_GREEK);
  const table = cyrillicGreek;
  return text.replace(CYRILLIC_OR_GREEK, (letter) => table.get(letter) ?? letter);
}
