import { createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { currentMe } from "./data/session.ts";
import { Failed, Loading } from "./design/page-states.tsx";
import { readSystemSearch } from "./screens/system/system-search.ts";
import { readApprovalSearch } from "./screens/approvals/approval-search.ts";
import { readBenchSearch, readNewToolSearch } from "./screens/builder/builder-search.ts";
import { readCompareSearch, readExecutionPageSearch } from "./screens/execution/execution-tabs.ts";
import { readExecutionSearch } from "./screens/executions/execution-search.ts";
import { readToolPageSearch } from "./screens/tool/tool-tabs.ts";
import { readBuiltInSearch } from "./screens/tools/built-in/built-in-search.ts";
import { readToolSearch } from "./screens/tools/tool-search.ts";
import { readUsageSearch } from "./screens/usage/usage-search.ts";
import { readDataSearch } from "./screens/data/data-search.ts";
import { readDeviceSearch } from "./screens/devices/device-search.ts";
import { readFilesSearch } from "./screens/files/files-search.ts";
import { readAgentSearch } from "./screens/agents/definition.ts";
import { readMcpServerSearch, readMcpServersSearch } from "./screens/mcp-servers/mcp-search.ts";
import { readAuditSearch } from "./screens/audit/audit-search.ts";
import { readKeySearch } from "./screens/keys/key-search.ts";
import { readPolicySearch } from "./screens/policy/policy-search.ts";
import { homeOf } from "./shell/places.ts";
import { readScheduleSearch } from "./screens/schedules/schedule-search.ts";
import { readSecretSearch, readServiceSearch } from "./screens/secrets/secret-search.ts";
import { root } from "./shell/root-route.tsx";

// Each screen is loaded when somebody goes there, or is about to; what its address may hold is known before.
const under = { getParentRoute: () => root };

const home = createRoute({
  ...under,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: homeOf(currentMe()), replace: true });
  },
});

const tools = createRoute({
  ...under,
  path: "/tools",
  validateSearch: readToolSearch,
  component: lazyRouteComponent(() => import("./screens/tools/tools.tsx"), "Tools"),
});

const tool = createRoute({
  ...under,
  path: "/tools/$toolId",
  validateSearch: readToolPageSearch,
  component: lazyRouteComponent(() => import("./screens/tool/tool.tsx"), "Tool"),
});

const builtInTools = createRoute({
  ...under,
  path: "/tools/built-in",
  validateSearch: readBuiltInSearch,
  component: lazyRouteComponent(() => import("./screens/tools/built-in/built-in-tools.tsx"), "BuiltInTools"),
});

const newTool = createRoute({
  ...under,
  path: "/tools/new",
  validateSearch: readNewToolSearch,
  component: lazyRouteComponent(() => import("./screens/builder/builder.tsx"), "NewTool"),
});

const editTool = createRoute({
  ...under,
  path: "/tools/$toolId/edit",
  validateSearch: readBenchSearch,
  component: lazyRouteComponent(() => import("./screens/builder/builder.tsx"), "EditTool"),
});

const keys = createRoute({
  ...under,
  path: "/keys",
  validateSearch: readKeySearch,
  component: lazyRouteComponent(() => import("./screens/keys/keys.tsx"), "Keys"),
});

const audit = createRoute({
  ...under,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import("./screens/audit/audit.tsx"), "Audit"),
});

const system = createRoute({
  ...under,
  path: "/system",
  validateSearch: readSystemSearch,
  component: lazyRouteComponent(() => import("./screens/system/system.tsx"), "System"),
});

const settings = createRoute({
  ...under,
  path: "/settings",
  component: lazyRouteComponent(() => import("./screens/settings/settings.tsx"), "Settings"),
});

const executions = createRoute({
  ...under,
  path: "/executions",
  validateSearch: readExecutionSearch,
  component: lazyRouteComponent(() => import("./screens/executions/executions.tsx"), "Executions"),
});

const execution = createRoute({
  ...under,
  path: "/executions/$executionId",
  validateSearch: readExecutionPageSearch,
  component: lazyRouteComponent(() => import("./screens/execution/execution.tsx"), "Execution"),
});

const compare = createRoute({
  ...under,
  path: "/executions/compare",
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => import("./screens/execution/compare.tsx"), "Compare"),
});

const approvals = createRoute({
  ...under,
  path: "/approvals",
  validateSearch: readApprovalSearch,
  component: lazyRouteComponent(() => import("./screens/approvals/approvals.tsx"), "Approvals"),
});

const approval = createRoute({
  getParentRoute: () => approvals,
  path: "$approvalId",
  component: lazyRouteComponent(() => import("./screens/approvals/approval.tsx"), "OneApproval"),
});

const devices = createRoute({
  ...under,
  path: "/devices",
  validateSearch: readDeviceSearch,
  component: lazyRouteComponent(() => import("./screens/devices/devices.tsx"), "Devices"),
});

const schedules = createRoute({
  ...under,
  path: "/schedules",
  validateSearch: readScheduleSearch,
  component: lazyRouteComponent(() => import("./screens/schedules/schedules.tsx"), "Schedules"),
});

const secrets = createRoute({
  ...under,
  path: "/secrets",
  validateSearch: readSecretSearch,
  // Where a tool misses a service, its link leads to that service's form.
  beforeLoad: ({ search: { missing } }) => {
    if (missing !== undefined)
      throw redirect({
        to: "/secrets/$service",
        params: { service: missing },
        search: { fill: true },
        replace: true,
      });
  },
  component: lazyRouteComponent(() => import("./screens/secrets/secrets.tsx"), "Secrets"),
});

const service = createRoute({
  ...under,
  path: "/secrets/$service",
  validateSearch: readServiceSearch,
  component: lazyRouteComponent(() => import("./screens/secrets/service.tsx"), "Service"),
});

const usage = createRoute({
  ...under,
  path: "/usage",
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import("./screens/usage/usage.tsx"), "Usage"),
});

const policy = createRoute({
  ...under,
  path: "/policy",
  validateSearch: readPolicySearch,
  component: lazyRouteComponent(() => import("./screens/policy/policy.tsx"), "Policy"),
});

const agents = createRoute({
  ...under,
  path: "/agents",
  component: lazyRouteComponent(() => import("./screens/agents/agents.tsx"), "Agents"),
});

const agent = createRoute({
  ...under,
  path: "/agents/one",
  validateSearch: readAgentSearch,
  component: lazyRouteComponent(() => import("./screens/agents/agent.tsx"), "Agent"),
});

const mcpServers = createRoute({
  ...under,
  path: "/mcp-servers",
  validateSearch: readMcpServersSearch,
  component: lazyRouteComponent(() => import("./screens/mcp-servers/mcp-servers.tsx"), "McpServers"),
});

const mcpServer = createRoute({
  ...under,
  path: "/mcp-servers/$name",
  validateSearch: readMcpServerSearch,
  component: lazyRouteComponent(() => import("./screens/mcp-servers/mcp-server.tsx"), "McpServer"),
});

const files = createRoute({
  ...under,
  path: "/files",
  validateSearch: readFilesSearch,
  component: lazyRouteComponent(() => import("./screens/files/files.tsx"), "Files"),
});

const data = createRoute({
  ...under,
  path: "/data",
  validateSearch: readDataSearch,
  component: lazyRouteComponent(() => import("./screens/data/data.tsx"), "Data"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    tools,
    tool,
    newTool,
    builtInTools,
    editTool,
    approvals.addChildren([approval]),
    executions,
    execution,
    compare,
    keys,
    usage,
    audit,
    settings,
    system,
    schedules,
    devices,
    secrets,
    service,
    policy,
    agents,
    agent,
    mcpServers,
    mcpServer,
    files,
    data,
  ]),
  basepath: "/console",
  scrollRestoration: true,
  defaultPreload: "intent",
  defaultPendingComponent: () => <Loading what="the page" />,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} onRetry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
