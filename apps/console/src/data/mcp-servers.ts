import type { CreateMcpServerBody, McpServerTool, UpdateMcpServerBody } from "@bulkhead/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api.ts";

export const useMcpServers = () =>
  useQuery({
    queryKey: ["mcp", "servers"],
    queryFn: async ({ signal }) => (await api.mcpServers.list({}, { signal })).servers,
  });

export const useMcpServer = (name: string) =>
  useQuery({
    queryKey: ["mcp", "server", name],
    queryFn: ({ signal }) => api.mcpServers.get(name, {}, { signal }),
  });

/** What a server has offered, and how each tool stands. */
export const useMcpTools = (name: string) =>
  useQuery({
    queryKey: ["mcp", "tools", name],
    queryFn: async ({ signal }) => (await api.mcpServers.tools(name, {}, { signal })).tools,
  });

/** Changes something of a server's; its tools are the tenant's, and so are looked at again, too. */
export function useMcpChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: async () => {
      await Promise.all(
        ["mcp", "tools", "policy"].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
    },
  });
}

export const useCreateMcpServer = () =>
  useMcpChange((body: CreateMcpServerBody) => api.mcpServers.create(body));

export const useUpdateMcpServer = (name: string) =>
  useMcpChange((body: UpdateMcpServerBody) => api.mcpServers.update(name, body));

export const useDeleteMcpServer = () => useMcpChange((name: string) => api.mcpServers.delete(name));

export const useSwitchMcpServer = (name: string) =>
  useMcpChange((isOn: boolean) => (isOn ? api.mcpServers.enable(name) : api.mcpServers.disable(name)));

export const useRefreshMcpServer = (name: string) =>
  useMcpChange((_nothing: void) => api.mcpServers.refresh(name));

export const useTestMcpServer = (name: string) => useMcpChange((_nothing: void) => api.mcpServers.test(name));

/** Approves the version of a tool that was seen, or takes the tool away. */
export const useDecideMcpTool = (server: string) =>
  useMcpChange(({ tool, isApproved }: { tool: McpServerTool; isApproved: boolean }) => {
    const version = tool.waiting?.version;
    return isApproved
      ? api.mcpServers.approveTool(server, tool.tool, version === undefined ? {} : { version })
      : api.mcpServers.blockTool(server, tool.tool);
  });
