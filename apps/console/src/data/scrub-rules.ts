import type { CreateScrubRuleBody } from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

/** The tenant's rules for what is covered, and how often something was, of which no event tells. */
export const useScrubRules = () =>
  useQuery({
    queryKey: ["scrub"],
    queryFn: async ({ signal }) => await api.scrubRules.list({ signal }),
    staleTime: 0,
  });

export function useCreateScrubRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateScrubRuleBody) => api.scrubRules.create(body),
    onSettled: () => client.invalidateQueries({ queryKey: ["scrub"] }),
    // A value that was sent is kept nowhere behind its form.
    gcTime: 0,
  });
}

export function useDeleteScrubRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.scrubRules.delete(id),
    onSettled: () => client.invalidateQueries({ queryKey: ["scrub"] }),
  });
}
