/** The address as a link may have it: of http or https alone; null for any other, such as `javascript:`. */
export function webLink(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) ? url.href : null;
}
