import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { useMe } from "./session.ts";

/** What a key is called, by its id: an owner may see them all, anybody else their own. Else its id. */
export function useKeyName(): (id: string) => string {
  const { tenant, key } = useMe();
  const { data: names } = useQuery({
    queryKey: ["keys", "names", tenant?.id],
    enabled: tenant !== null && key.role === "owner",
    queryFn: async ({ signal }) => {
      const all = new Map<string, string>();
      if (tenant !== null)
        for await (const { id, name } of api.apiKeys.list(tenant.id, { signal })) all.set(id, name);
      return all;
    },
  });
  return (id) => (id === key.id ? `${key.name} (you)` : (names?.get(id) ?? id));
}
