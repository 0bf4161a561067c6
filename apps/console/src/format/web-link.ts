/**
 * The address as a link may have it: of http or https alone, and without a user's name, which would look like the host; null for
 * any other, such as `javascript:`.
 */
export function webLink(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  return url.username === "" && url.password === "" ? url.href : null;
}
