/** Characters of an address (RFC 5321, 4.5.3.1: 64 before the @, and a path of 254 in all). */
export const MAIL_ADDRESS_CHARS_MAX = 254;
const LOCAL_CHARS_MAX = 64;

// A part before the @ as `dot-atom` of RFC 5322, in ASCII: no quotes, comments, spaces, groups and lists.
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether a text is exactly one address of mail, as it is written most often; nothing that a header could be cut at is. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || at > LOCAL_CHARS_MAX || text.length > MAIL_ADDRESS_CHARS_MAX) return false;
  return LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
}

/** Who may be written to. */
export interface Recipients {
  everybody: boolean;
  /** In lower case, as domains are. */
  addresses: readonly string[];
  domains: readonly string[];
  /** Why the list is none; null where it is one. */
  fault: string | null;
}

/** Reads an allow-list: addresses, `@domain`, `*`, separated by commas or lines. */
export function readRecipients(text: string): Recipients {
  const entries = text.split(/[,\n]/).map((entry) => entry.trim().toLowerCase());
  const said = entries.filter((entry) => entry !== "");
  const domains = said.filter((entry) => entry.startsWith("@")).map((entry) => entry.slice(1));
  const addresses = said.filter((entry) => entry !== "*" && !entry.startsWith("@"));
  const isRead =
    said.length > 0 && domains.every((domain) => DOMAIN.test(domain)) && addresses.every(isPlain);
  return {
    everybody: said.includes("*"),
    addresses,
    domains,
    fault: isRead ? null : "must list addresses, @domains or *, separated by commas",
  };
}

/** A star within an address would look as if it stood for any. */
const isPlain = (entry: string): boolean => isMailAddress(entry) && !entry.includes("*");

/** Whether the list has an address; a domain stands for its own addresses, not for those of names below it. */
export function mayReceive({ everybody, addresses, domains }: Recipients, address: string): boolean {
  const asked = address.toLowerCase();
  return everybody || addresses.includes(asked) || domains.includes(asked.slice(asked.lastIndexOf("@") + 1));
}
