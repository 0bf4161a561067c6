const SRGB = /^color\(srgb ([\d.e+-]+) ([\d.e+-]+) ([\d.e+-]+)(?: \/ ([\d.e+-]+))?\)$/;

/** A colour as browsers give it once it is mixed in sRGB, as hexadecimal with its alpha; null for anything else. */
export function readColour(computed: string): string | null {
  const [, red, green, blue, alpha = "1"] = SRGB.exec(computed) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  return `#${[red, green, blue, alpha].map(asByte).join("")}`;
}

/** The colour with another alpha, from 0 to 1. */
export const withAlpha = (colour: string, alpha: number): string => `${colour.slice(0, 7)}${asByte(alpha)}`;

function asByte(share: string | number): string {
  const byte = Math.round(Math.min(1, Math.max(0, Number(share))) * 255);
  return byte.toString(16).padStart(2, "0");
}
