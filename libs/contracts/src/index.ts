export {
  BeginSession,
  CreateAccessToken,
  CreatedAccessToken,
  CreatedLoginCode,
  CreateLoginCode,
  FEATURES,
  Me,
} from "./access.ts";
export {
  AllowOnce,
  Approval,
  ApprovalPage,
  ApprovalQuery,
  AwaitingApproval,
  Deny,
} from "./approval-calls.ts";
export {
  AllowAlways,
  StandingPage,
  StandingQuery,
  TenantSettings,
  TenantSettingsChange,
  UpdatedTenantSettings,
} from "./approvals.ts";
export { AssistTool, DraftAnswer, ModelDraft } from "./assist.ts";
export { AuditEntries, AuditEntry, AuditQuery } from "./audit.ts";
export { CallContext } from "./call-context.ts";
export {
  AcceptedBatch,
  BatchCall,
  ExecuteBatch,
  ExecuteTool,
  IdempotencyKeyHeader,
  ReplayFilter,
  ReplayCount,
  ReplayedBatch,
  timeBeyondDelay,
} from "./calls.ts";
export {
  DEFINITION_FORMATS,
  DefinitionList,
  MetaToolDefinitionsQuery,
  PendingToolQuery,
  StatsQuery,
  ToolDefinitionsQuery,
  ToolList,
  ToolQuery,
  ToolStats,
} from "./catalogue.ts";
export { ConfigEntries, ConfigEntry, CreateConfigEntry, UpdateConfigEntry } from "./config-entries.ts";
export {
  ConfigService,
  ConfigServicePage,
  ConfigServiceQuery,
  CreateConfigService,
  UpdateConfigService,
} from "./config-services.ts";
export { Delivery, DeliveryList, WebhookSecret } from "./deliveries.ts";
export { BODY_BYTES_MAX, BODY_DEPTH_MAX, BODY_PARTS_MAX, Problem, success } from "./envelope.ts";
export { FollowQuery, ResumeHeaders, TenantEvent, TenantEventsQuery, resumePoint } from "./events.ts";
export { ApproveVersion, RejectVersion, TryVersion, VersionEvidence } from "./evidence.ts";
export { AskerHeaders } from "./call-context.ts";
export { type ExecutionFilters, ExecutionPage, ExecutionQuery } from "./execution-lists.ts";
export { ExecutionStats, ExecutionStatsQuery } from "./execution-stats.ts";
export { AcceptedExecution, AttemptList, Execution, ToolResult } from "./executions.ts";
export { idOrName, text, wholeNumber } from "./fields.ts";
export { type CheckSchema, type Difference, type ExampleEnd, matchExample } from "./match-example.ts";
export { SystemLoad, TenantLoad } from "./load.ts";
export { PayloadQuery } from "./payload-ranges.ts";
export {
  ChangedTool,
  CallToolCall,
  CreateToolCall,
  DeleteCustomToolCall,
  DeletionAnswer,
  DescribeToolsCall,
  DescribedTools,
  ListCustomToolsCall,
  ListedTools,
  RunCodeCall,
  SearchToolsCall,
  SearchedTools,
  ToggleCustomToolCall,
  UpdateToolCall,
} from "./meta-tools.ts";
export {
  AnswerMcpRequest,
  CreateMcpAccessRequest,
  McpAccessPage,
  McpAccessQuery,
  McpAccessRequest,
  McpGrant,
  McpGrantPut,
  McpGrantQuery,
  McpGrants,
  PutMcpGrant,
} from "./mcp-access.ts";
export { ApproveMcpTool, McpServerTool, McpServerTools } from "./mcp-server-tools.ts";
export {
  CreateMcpServer,
  McpServer,
  McpServerQuery,
  McpServers,
  McpServerTest,
  UpdateMcpServer,
} from "./mcp-servers.ts";
export {
  ExplainedPolicy,
  ExplainPolicy,
  PolicyDocument,
  PolicyIfMatch,
  PutPolicy,
  AgentList,
  AgentQuery,
  ExplainTool,
  ExplainedTool,
} from "./policy.ts";
export { pathOf } from "./path-of.ts";
export { readInput } from "./read-input.ts";
export { asConfigSchema, asRequiredServices } from "./required-services.ts";
export {
  CreatedPairingCode,
  CreatePairingCode,
  Device,
  DeviceCommands,
  DevicePage,
  DeviceQuery,
  DeviceSummary,
  PairDevice,
  PairedDevice,
  UpdateDevice,
} from "./devices.ts";
export { CreateSchedule, Schedule, SchedulePage, ScheduleQuery, UpdateSchedule } from "./schedules.ts";
export { CreateScrubRule, ScrubRule, ScrubRules } from "./scrub-rules.ts";
export { System } from "./system.ts";
export {
  ApiKeyList,
  CreateApiKey,
  CreateTenant,
  CreatedApiKey,
  DeleteTenantQuery,
  DeletingTenant,
  RotateApiKey,
  Tenant,
  TenantPage,
  TenantQuery,
  UpdateTenant,
  UpdatedTenant,
} from "./tenants.ts";
export { BuiltInToolList } from "./built-in-tools.ts";
export { Template, TemplateList } from "./templates.ts";
export { recordedOf, ToolExample, tryOf } from "./tool-examples.ts";
export {
  EXAMPLES_MAX,
  EXAMPLE_CHARS_MAX,
  ExportAnswer,
  ExportQuery,
  ImportAnswer,
  ImportQuery,
  PACKAGE_NAME_CHARS_MAX,
  HASHES_PAGE_MAX,
  HashesQuery,
  IMPORT_TOOLS_MAX,
  PACKAGE_TOOLS_MAX,
  ToolHashes,
  README_CHARS_MAX,
  ToolManifest,
  ToolPackages,
} from "./tool-packages.ts";
export {
  CreateTool,
  Deleted,
  DeletedTool,
  PutTool,
  PutToolAnswer,
  PutToolParams,
  TestTool,
  Tool,
  UpdateTool,
} from "./tools.ts";
export {
  CollectionListQuery,
  CollectionParams,
  DataCollectionPage,
  DataDocument,
  DataDocumentPage,
  DataQuery,
  DataScopeQuery,
  DeleteDocumentHeaders,
  DocumentParams,
  PutDocument,
  PutDocumentHeaders,
} from "./data.ts";
export {
  DeletedFiles,
  DeleteFileHeaders,
  DeleteFileQuery,
  File,
  FileListQuery,
  FilePage,
  FileParams,
  FileQuery,
  FileVersionList,
  FileVersionQuery,
  FoundInFiles,
  GetFileHeaders,
  MovedFiles,
  MoveFile,
  PutFile,
  PutFileHeaders,
  GlobFiles,
  GlobbedFiles,
  SearchFiles,
  WorkspaceQuery,
} from "./files.ts";
export { MemoryFound, MemoryQuery } from "./memory.ts";
export { Usage, UsageQuery, usageGroupsOf } from "./usage.ts";
export {
  DiffQuery,
  IfMatchHeader,
  IfNoneMatchHeader,
  PutIfMatchHeader,
  PutIfNoneMatchHeader,
  Version,
  VersionDiff,
  VersionNumber,
  VersionPage,
  VersionQuery,
} from "./versions.ts";
export { oneMore, pageOf } from "./shown/page.ts";
export { shownAs } from "./shown/shown-as.ts";
