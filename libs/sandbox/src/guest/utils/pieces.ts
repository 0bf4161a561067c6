/** Replacing makes intermediate texts of many times the length: those of a piece are gone before the next piece. */
const PIECE_CHARS = 8_192;

/** Starters that no letter before them is composed with, in any form of Unicode: marks and the like are never among them. */
const SAFE: readonly (readonly [from: number, to: number])[] = [
  [0x0000, 0x02ff],
  [0x0370, 0x0482],
  [0x048a, 0x052f],
  [0x1e00, 0x206f],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  // The first halves of pictographs.
  [0xd83c, 0xd83e],
];

/**
 * Visits a text piece by piece, in order, each of 8,192 characters plus those that belong to the last of them: Unicode's
 * rules for a piece don't depend on its neighbours. `startsPiece` says before which UTF-16 units it may be cut.
 */
export function eachPiece(text: string, visit: (piece: string) => void, startsPiece = isSafe): void {
  for (let from = 0; from < text.length;) {
    let end = from + PIECE_CHARS;
    while (end < text.length && !startsPiece(text.charCodeAt(end))) end++;
    visit(text.slice(from, end));
    from = end;
  }
}

/** For pieces of whole words. */
export const isSpace = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);

const isSafe = (unit: number): boolean => SAFE.some(([from, to]) => unit >= from && unit <= to);
