import { useKeys } from "./keys.ts";
import { useIsOwner, useMe } from "./session.ts";

/** What a key is called, by its id: an owner may see them all, anybody else their own. Else its id. */
export function useKeyName(): (id: string) => string {
  const { key } = useMe();
  const { data: keys = [] } = useKeys(useIsOwner());
  return (id) => (id === key.id ? `${key.name} (you)` : (keys.find((one) => one.id === id)?.name ?? id));
}
