import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

/** Tools to begin with, as the server has them. */
export const useTemplates = () =>
  useQuery({
    queryKey: ["templates"],
    queryFn: async ({ signal }) => (await api.templates.list({ signal })).templates,
  });

/** A template with what creates it. */
export const useTemplate = (name: string | undefined) =>
  useQuery({
    queryKey: ["templates", "one", name],
    enabled: name !== undefined,
    queryFn: ({ signal }) => api.templates.get(name as string, { signal }),
  });
