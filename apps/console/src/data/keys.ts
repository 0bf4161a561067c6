import type { CreateApiKeyBody } from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";
import { useMe } from "./session.ts";

/** The tenant's id; keys are made for tenants, so the platform's administrator has none here. */
function useTenantId(): string {
  const { tenant } = useMe();
  return tenant?.id ?? "";
}

/** All keys of the tenant; none of their secrets. Whoever may not see them need not ask. */
export function useKeys(isAsked = true) {
  const tenantId = useTenantId();
  return useQuery({
    queryKey: ["keys", tenantId],
    enabled: isAsked,
    // No event tells of a key's use: whoever comes back sees it.
    staleTime: 0,
    queryFn: async ({ signal }) => (await api.apiKeys.list(tenantId, { signal })).apiKeys,
  });
}

const useKeyChange = <Input, Answer>(change: (tenantId: string, input: Input) => PromiseLike<Answer>) => {
  const tenantId = useTenantId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => await change(tenantId, input),
    onSettled: () => client.invalidateQueries({ queryKey: ["keys"] }),
    // A secret that was shown once is kept nowhere behind it.
    gcTime: 0,
  });
};

export const useCreateKey = () =>
  useKeyChange((tenantId, body: CreateApiKeyBody) => api.apiKeys.create(tenantId, body));

export const useRotateKey = () =>
  useKeyChange((tenantId, { id, overlapSeconds }: { id: string; overlapSeconds: number }) =>
    api.apiKeys.rotate(tenantId, id, { overlapSeconds }),
  );

export const useDeleteKey = () => useKeyChange((tenantId, id: string) => api.apiKeys.delete(tenantId, id));
