const SRGB = /^color\(srgb ([\d.e+-]+) ([\d.e+-]+) ([\d.e+-]+)(?: \/ ([\d.e+-]+))?\)$/;

/** A colour as browsers give it once it is mixed in sRGB, as hexadecimal with its alpha; null for anything else. */
export function readColour(computed: string): string | null {
  const [, red, green, blue, alpha = "1"] = SRGB.exec(computed) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  return `#${[red, green, blue, alpha].map(asByte).join("")}`;
}

function asByte(share: string): string {
  const byte = Math.round(Math.min(1, Math.max(0, Number(share))) * 255);
  return byte.toString(16).padStart(2, "0");
}
