import { promises as dns } from "node:dns";

/**
 * Finds a name's addresses, as text. `trusted` is set for names that an operator listed, never for a tool's own.
 * Rejects when there are none.
 */
export type Lookup = (name: string, options: { trusted: boolean }) => Promise<string[]>;

/**
 * Looks up names that a tool chose at the name servers directly. The system's own look-up blocks one of a handful of
 * threads that the whole process shares, so a tool with a slow name server of its own could stop everyone's; it would also
 * add search domains. An operator's names may stand in a hosts file, which only the system's look-up reads.
 */
export function buildLookup(msMax: number): Lookup {
  const resolver = new dns.Resolver({ timeout: Math.ceil(msMax / 2), tries: 2 });
  return (name, { trusted }) => (trusted ? askSystem(name) : askServers(resolver, name));
}

async function askSystem(name: string): Promise<string[]> {
  const found = await dns.lookup(name, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}

async function askServers(resolver: dns.Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failure = answers.find((answer) => answer.status === "rejected");
  // It is usual for one family to have no records; if both have none the host does not exist.
  if (addresses.length === 0) throw new Error(`no addresses for ${name}`, { cause: failure?.reason });
  return addresses;
}
