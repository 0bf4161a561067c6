import type {
  ConfigServiceSummary,
  CreateConfigEntryBody,
  CreateConfigServiceBody,
  UpdateConfigEntryBody,
  UpdateConfigServiceBody,
} from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 100;

/** All services of the tenant, of which there are some hundreds at most, by name. */
export const useServices = () =>
  useQuery({
    queryKey: ["services", "list"],
    queryFn: async ({ signal }) => {
      const services: ConfigServiceSummary[] = [];
      for await (const service of api.configServices.list({ limit: PAGE_SIZE }, { signal }))
        services.push(service);
      return services;
    },
  });

/** One service with its entries and the tools that need it; of secrets only that they are set. */
export const useService = (name: string) =>
  useQuery({
    queryKey: ["services", "one", name],
    queryFn: ({ signal }) => api.configServices.get(name, { signal }),
  });

/** What a change makes old: all of the services, and what tools tell of them. */
const CHANGED: readonly (readonly string[])[] = [["services"], ["tools"]];

const useServiceChange = <Input, Answer>(
  change: (input: Input) => PromiseLike<Answer>,
  changed = CHANGED,
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => await change(input),
    // Tools tell which of their services are not configured.
    onSettled: () => Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey }))),
    // A secret that was sent is kept nowhere behind its form.
    gcTime: 0,
  });
};

export const useCreateService = () =>
  useServiceChange((body: CreateConfigServiceBody) => api.configServices.create(body));

export const useUpdateService = (name: string) =>
  useServiceChange((body: UpdateConfigServiceBody) => api.configServices.update(name, body));

/** Neither its own page, which may still show, nor the list as it was asks for it again. */
export function useDeleteService(name: string) {
  const client = useQueryClient();
  return useServiceChange(async () => {
    await api.configServices.delete(name);
    client.setQueryData<ConfigServiceSummary[]>(["services", "list"], (known) =>
      known?.filter((service) => service.name !== name),
    );
  }, [["services", "list"], ["tools"]]);
}

/** Makes an entry, or changes the one that has this label. */
export const useSaveEntry = (name: string, label: string | undefined) =>
  useServiceChange((body: CreateConfigEntryBody & UpdateConfigEntryBody) =>
    label === undefined ? api.configEntries.create(name, body) : api.configEntries.update(name, label, body),
  );

export const useMakeDefault = (name: string) =>
  useServiceChange((label: string) => api.configEntries.update(name, label, { isDefault: true }));

export const useDeleteEntry = (name: string) =>
  useServiceChange((label: string) => api.configEntries.delete(name, label));
