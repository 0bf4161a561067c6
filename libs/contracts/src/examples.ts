/** Bodies as people would send them; the reference shows them, and each keeps its contract. */

const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string", minLength: 1, description: "The city's name." } },
  required: ["city"],
  additionalProperties: false,
};

const CODE = [
  'const key = utils.getApiKey("weatherapi");',
  "const query = new URLSearchParams({ key, q: args.city });",
  "const answer = await fetch(`https://api.weatherapi.com/v1/current.json?${query}`);",
  "return (await answer.json()).current;",
].join("\n");

export const CREATE_TOOL_EXAMPLE = {
  name: "fetch_weather",
  description: "Tells the current weather of a city.",
  parameters: PARAMETERS,
  code: CODE,
  category: "weather",
  permissions: ["network"],
  allowedHosts: ["api.weatherapi.com"],
  limits: { wallMs: 10_000, networkRequests: 2 },
  idempotent: true,
  retry: { attempts: 3, backoffMs: 500, on: ["tool.threw", "tool.wall_limit"] },
  requiredConfigServices: [{ name: "weatherapi", displayName: "WeatherAPI" }],
};

const { name: _inThePath, ...PUT } = CREATE_TOOL_EXAMPLE;
export const PUT_TOOL_EXAMPLE = { ...PUT, alias: "getWeather", annotations: { readOnlyHint: true } };

/** As a model writes it: the schema is a text. */
export const CREATE_TOOL_CALL_EXAMPLE = {
  name: "word_count",
  description: "Counts the words of a text.",
  parameters: JSON.stringify({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  }),
  code: "return { words: (args.text.match(/\\S+/g) ?? []).length };",
  category: "text",
  context: { conversationId: "conversation-7" },
};

export const CALL_TOOL_EXAMPLE = {
  name: "fetch_weather",
  arguments: { city: "Bern" },
  context: { conversationId: "conversation-7" },
};

export const EXECUTE_TOOL_EXAMPLE = {
  arguments: { city: "Bern" },
  mode: "sync",
  timeoutMs: 20_000,
  context: { conversationId: "conversation-7", userId: "user-42" },
};

export const BATCH_EXAMPLE = {
  executions: [
    { tool: "fetch_weather", arguments: { city: "Bern" } },
    { tool: "fetch_weather", arguments: { city: "Oslo" }, priority: 9, delayMs: 5_000 },
  ],
};

export const MCP_SERVER_EXAMPLE = {
  name: "github",
  transport: "streamable-http",
  url: "https://api.githubcopilot.com/mcp/",
  headers: { authorization: { config: "github.authorization" } },
  agentIds: ["triage"],
};

export const CONFIG_SERVICE_EXAMPLE = {
  name: "weatherapi",
  displayName: "WeatherAPI",
  docsUrl: "https://www.weatherapi.com/docs/",
  configSchema: [
    { name: "api_key", type: "secret", required: true },
    { name: "base_url", type: "url", default: "https://api.weatherapi.com" },
  ],
  allowedHosts: ["api.weatherapi.com"],
};

export const CONFIG_ENTRY_EXAMPLE = {
  label: "production",
  data: { api_key: "b1946ac92492d2347c6235b4d2611184", base_url: "https://api.weatherapi.com" },
  isDefault: true,
};

export const SCHEDULE_EXAMPLE = {
  name: "weather at seven",
  tool: "fetch_weather",
  arguments: { city: "Bern" },
  cron: "0 7 * * 1-5",
  timeZone: "Europe/Zurich",
  missedRuns: "once",
};

export const API_KEY_EXAMPLE = { name: "support bot", role: "agent", agentId: "support" };

export const POLICY_EXAMPLE = {
  profile: "full",
  deny: ["group:runtime"],
  byProvider: { small_model: { allow: ["group:web", "?weather*"] } },
  agents: { support: { allow: ["?search_orders", "?refund_order"], alsoAllow: ["message"] } },
  groups: { money: ["?refund_order", "?pay_*"] },
  subagents: { deny: ["group:money"], leafDeny: ["sessions_spawn"] },
  forbid: ["gateway"],
};
