/** How each type is read as a whole. */
const READ: Readonly<Record<string, readonly [command: string, ...rest: string[]]>> = {
  string: ["GET"],
  hash: ["HGETALL"],
  zset: ["ZRANGE", "0", "-1"],
  set: ["SMEMBERS"],
  list: ["LRANGE", "0", "-1"],
  stream: ["XRANGE", "-", "+"],
};

/** The keys of a Redis that have this text in their name, or anywhere in their value. */
export async function redisKeysWith(
  ask: (command: string, ...args: string[]) => Promise<unknown>,
  text: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const key of (await ask("KEYS", "*")) as string[]) {
    const [command, ...rest] = READ[String(await ask("TYPE", key))] ?? [];
    // A key that has gone meanwhile has no type.
    const held = command === undefined ? null : await ask(command, key, ...rest);
    if (`${key} ${JSON.stringify(held)}`.includes(text)) found.push(key);
  }
  return found.toSorted();
}
