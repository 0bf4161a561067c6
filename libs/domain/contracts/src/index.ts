export * from "./envelope.ts";
export * from "./executions.ts";
export * from "./system.ts";
export * from "./tenants.ts";
export * from "./tools.ts";
