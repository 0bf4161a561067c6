import type { UpdatedTenantSettings, UpdateTenantSettingsBody } from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";
import { lookAgainAtMe } from "./session.ts";

const KEY = ["settings"];

export const useSettings = () =>
  useQuery({ queryKey: KEY, queryFn: ({ signal }) => api.settings.get({ signal }), staleTime: 0 });

export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateTenantSettingsBody) => api.settings.update(change),
    onSuccess: async ({ warnings: _remarks, ...saved }: UpdatedTenantSettings) => {
      client.setQueryData(KEY, saved);
      // What a role may do depends on some of them.
      await lookAgainAtMe();
    },
  });
}
