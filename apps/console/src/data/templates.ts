import type { CreateToolBody } from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

/** Tools to begin with, as the server has them. */
export const useTemplates = () =>
  useQuery({
    queryKey: ["templates"],
    queryFn: async ({ signal }) => (await api.templates.list({ signal })).templates,
  });

/** Makes a tool of what somebody wrote, or of a template; gives the tool. */
export function useCreateTool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: { template: string } | { body: CreateToolBody }) =>
      await api.tools.create("body" in wanted ? wanted.body : await bodyOf(wanted.template)),
    onSuccess: () => client.invalidateQueries({ queryKey: ["tools"] }),
  });
}

async function bodyOf(name: string): Promise<CreateToolBody> {
  const { tool } = await api.templates.get(name);
  if (tool === undefined)
    throw new Error(
      `The code of ${name} imports packages, which are bundled first: bulkhead new ${name}, then bulkhead push.`,
    );
  return tool as unknown as CreateToolBody;
}
