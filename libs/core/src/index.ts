export { LOGIN_CODE_SECONDS, type LoginCodeStore } from "./tenant/login-code.ts";
export {
  decideApproval,
  decideBuiltIn,
  decideMetaTool,
  decideNestedApproval,
  standingFor,
  mayAsk,
  mayAskBuiltIn,
} from "./approval/approval-decision.ts";
export type { ApprovalsAsked, ApprovalStore, NewRule, NewStanding } from "./approval/approval-store.ts";
export {
  APPROVALS_WAITING_MAX,
  APPROVAL_ANSWERS,
  APPROVAL_DECISIONS,
  APPROVAL_ID,
  APPROVAL_RULES_MAX,
  APPROVAL_SETTINGS_DEFAULT,
  APPROVAL_STATUSES,
  APPROVAL_TIMEOUT_MS_MAX,
  APPROVAL_TIMEOUT_MS_MIN,
  APPROVAL_TOOLS_MAX,
  type Approval,
  type ApprovalAnswer,
  type ApprovalDecision,
  type ApprovalRule,
  type ApprovalSettings,
  type ApprovalStatus,
  type Asking,
  ASKING_CHARS_MAX,
  type CallDecision,
  REASON_CHARS_MAX,
  type ExecutionApproval,
  NOT_ALLOWED,
  type PersonsAnswer,
  STANDING_APPROVALS_MAX,
  type StandingApproval,
  TENANT_SETTINGS_DEFAULT,
  type TenantSettings,
  type TenantSettingsChange,
  approvalIdOf,
  deniedFor,
  executionIdOf,
  type StandingUses,
  COMMAND_CHARS_MAX,
  COMMAND_PATTERN_CHARS_MAX,
  COMMAND_RULES_MAX,
  type CommandRule,
  exactRule,
} from "./approval/approval.ts";
export {
  ARGUMENT_PATTERN_CHARS_MAX,
  ARGUMENT_POINTER_CHARS_MAX,
  type ArgumentPattern,
  matchArguments,
  matchesGlob,
} from "./approval/argument-pattern.ts";
export type {
  MetaToolApprovalKey,
  MetaToolApprovalStore,
  MetaToolRun,
  NewMetaToolApproval,
} from "./approval/meta-tool-approval-store.ts";
export {
  CONFIRMED_META_TOOLS,
  type ConfirmedCall,
  type KeptProblem,
  type MetaToolApproval,
  type MetaToolOutcome,
  newApprovalId,
} from "./approval/meta-tool-approval.ts";
export type { Clock } from "./clock.ts";
export type {
  ClaimedDelivery,
  DeliveryOutcome,
  DeliveryRound,
  DeliveryStore,
  WebhookSecretStore,
} from "./delivery/delivery-store.ts";
export {
  CALLBACK_URL_CHARS_MAX,
  DELIVERIES_MAX,
  DELIVERY_HOURS_MAX,
  DELIVERY_STATUSES,
  DELIVERY_TRIES_KEPT,
  type Delivery,
  type DeliveryKey,
  type DeliveryStatus,
  type DeliveryTry,
  type WebhookGenerations,
} from "./delivery/delivery.ts";
export type {
  EndWatch,
  WatchedEnd,
  EventStream,
  FindExecution,
  Signal,
  SignalBus,
  StreamGap,
  ToldSignal,
} from "./event/event-stream.ts";
export {
  AWAITING_EVENT_ID,
  EVENT_ID,
  type ExecutionEvent,
  HOLDER_FIRST_EVENT,
  type LogLevel,
  type TerminalEvent,
  announcingEventId,
  compareEventIds,
  askedEventOf,
  endEventOf,
  isEndEvent,
  outsiderEndEventId,
} from "./event/event.ts";
export {
  type LiveRunNews,
  RUN_EVENTS,
  type RunNews,
  type RunNewsLoss,
  readRunNews,
} from "./event/run-news.ts";
export {
  BY_PLATFORM,
  TENANT_EVENTS,
  type TenantEvent,
  type TenantEventField,
  type TenantNews,
  readTenantNews,
  isForPeople,
  isSetupEvent,
  type SetupEvent,
  seesNews,
} from "./event/tenant-event.ts";
export type { TenantEvents, TenantEventsGap } from "./event/tenant-events.ts";
export { type ContentPart } from "./execution/content-part.ts";
export { contentOfMcp, dataOf, forModel, readContent } from "./execution/content.ts";
export {
  type AskCapability,
  CAPABILITY_CALLS_MAX,
  CAPABILITY_PERMISSIONS,
  type CapabilityAnswer,
  type CapabilityCaller,
  type CapabilityRun,
  type CapabilityWay,
  type CodeCapability,
  type CapabilityFamilies,
  type CapabilityFamily,
  type CapabilityName,
  type CapabilityRequest,
  familiesOf,
  isForCode,
  isCapability,
} from "./execution/capability.ts";
export type {
  DatabaseAnswer,
  DatabaseQuery,
  DatabaseServer,
  Mail,
  MailAnswer,
  MailSender,
  MailServer,
  OutsideDatabases,
  OutsideRefused,
  OutsideServer,
} from "./execution/outside.ts";
export {
  EFFECT_REFUSALS,
  type Effect,
  type EffectAnswer,
  type EffectRefusal,
  type HmacRequest,
} from "./execution/effect.ts";
export type {
  EgressAnswer,
  EgressBroker,
  EgressOpening,
  EgressPart,
  EgressPolicy,
  EgressReading,
  EgressRefusal,
  EgressRefused,
  EgressRequest,
  EgressResponse,
  EgressSession,
  EgressUse,
} from "./execution/egress.ts";
export type {
  Admission,
  ExecutionQueue,
  LimitsAsOf,
  Reservation,
  ReservationRequest,
  QueueConsumer,
  ShardMeasure,
  UsedMs,
} from "./execution/execution-queue.ts";
export { onlyAgentOf, onlySeenBy, seesCallOf } from "./execution/execution-scope.ts";
export type {
  ClaimOfRun,
  ClaimWithEnd,
  ClaimedExecution,
  ExecutionPage,
  ExecutionStore,
  InsertOnce,
  KnownCall,
  LateBill,
  ListedExecutions,
  Replayable,
} from "./execution/execution-store.ts";
export {
  type ByteRange,
  PAYLOAD_PARTS,
  PAYLOAD_RANGE_BYTES_MAX,
  type PayloadBytes,
  type PayloadPart,
} from "./execution/payload.ts";
export {
  type AttemptKey,
  type Callback,
  CLIENT_CHARS_MAX,
  ENDING_LAYERS,
  EXECUTION_SOURCES,
  EXECUTION_STATUSES,
  type Ending,
  type EndingLayer,
  type Execution,
  type ExecutionFacts,
  type ExecutionKey,
  type ExecutionSource,
  type ExecutionStatus,
  type ExecutionSummary,
  type IdempotencyKey,
  type InlineTool,
  type NestedExecution,
  type NewExecution,
  type PastAttempt,
  TERMINAL_STATUSES,
  type TerminalStatus,
  type Timings,
  type Usage,
  attemptName,
  isTerminal,
  statusesBefore,
} from "./execution/execution.ts";
export type { ExecutionFilter } from "./execution/execution-filter.ts";
export {
  type ExecutionStats,
  STATS_BUCKETS_MAX,
  STATS_BUCKET_MS,
  STATS_ERROR_MAX,
  STATS_GROUPS,
  STATS_GROUPS_MAX,
  type StatsBucket,
  type StatsBucketSize,
  type StatsGroup,
  type StatsQuestion,
} from "./execution/execution-stats.ts";
export type { CallContext } from "./execution/call-context.ts";
export { type ExecutionError, OUTCOME_CODES, type OutcomeCode } from "./execution/outcome.ts";
export {
  type DueLog,
  type DueLogRound,
  type FoundPiece,
  type HowPacked,
  LOG_WORDS_MAX,
  LOG_WORD_CHARS_MAX,
  type LogPiece,
  type LogStore,
  type PackedLog,
  type StreamLogs,
} from "./execution/log-store.ts";
export { endedByPlatform } from "./execution/platform-end.ts";
export {
  ERASABLE_PARTS,
  type ErasablePart,
  NOTHING_KEPT,
  RETENTION_DAYS_MAX,
  type Retention,
  keepsNothing,
  retentionOf,
} from "./execution/retention.ts";
export {
  SANDBOX_LAYERS,
  type SandboxLayer,
  type SandboxLayerReport,
  isSandboxLayer,
} from "./execution/sandbox-layer.ts";
export type {
  LogLine,
  Sandbox,
  SandboxHooks,
  SandboxOutcome,
  SandboxRun,
  SandboxUsage,
  SandboxVerdict,
} from "./execution/sandbox.ts";
export { type ExecutionLoads, type QueueFacts, type TenantLoad, loadOf } from "./execution/tenant-load.ts";
export { type EngineFact, engineStandings } from "./execution/engine.ts";
export type { SandboxProcessCounts, WorkerDirectory, WorkerFacts } from "./execution/worker-directory.ts";
export { FAULTS, type FaultCode } from "./fault/catalogue.ts";
export { Fault, type FaultDetail, type Quota, reasonOf } from "./fault/fault.ts";
export {
  EXECUTION_ID,
  SCHEDULE_ID,
  DEVICE_ID,
  STANDING_ID,
  TENANT_ID,
  TOOL_ID,
  createdAtOf,
  executionIdFloor,
  deliveryId,
  newAccessTokenId,
  newApiKeyId,
  newAuditId,
  newCollectionId,
  newDataKeyId,
  newExecutionId,
  newFileId,
  newGoalId,
  newMcpRequestId,
  newScheduleId,
  newDeviceId,
  newPairingCodeId,
  newScrubRuleId,
  newStandingId,
  newTenantId,
  newProcessId,
  newToolId,
  newTraceId,
  webhookId,
} from "./ids.ts";
export { canonicalJson } from "./json/canonical-json.ts";
export { compact } from "./json/compact.ts";
export { contentHash } from "./json/content-hash.ts";
export { multiplesOf } from "./json/decimal.ts";
export { INEXACT_ADVICE, type InexactPlace, eachInexact, isInexact } from "./json/inexact-numbers.ts";
export { JsonParts } from "./json/json-parts.ts";
export { JsonText, LARGE_JSON_CHARS, readJson, stringifyJson, valueOf } from "./json/json-text.ts";
export type { Json, JsonObject } from "./json/json.ts";
export {
  BATCH_SIZE_MAX,
  CALL_DEPTH_MAX,
  CALL_TREE_MAX,
  EXECUTION_ATTEMPTS_MAX,
  EXECUTION_DELAY_MS_MAX,
  EXECUTION_TIMEOUT_MS_DEFAULT,
  EXECUTION_TIMEOUT_MS_MAX,
  timeoutFor,
  IDEMPOTENCY_HOURS,
  PRIORITY_DEFAULT,
  PRIORITY_MAX,
  QUARANTINE_CONVICTIONS_MAX,
  RUN_LIMITS_DEFAULT,
  RUN_LIMITS_MAX,
  RUN_LIMITS_MIN,
  type RunLimits,
  APPROVAL_CODE_LIMITS,
  TENANT_LIMITS_DEFAULT,
  TENANT_LIMITS_MAX,
  TENANT_LIMITS_MIN,
  type TenantLimits,
  withinCeilings,
} from "./limit/limits.ts";
export type { MessageCounts } from "./limit/message-counts.ts";
export type { Rate, RateKey, RateLimiter, Taken } from "./limit/rate-limiter.ts";
export {
  MCP_GRANT_SCOPES,
  MCP_GRANT_TOOLS_MAX,
  MCP_ACCESS_BYTES_MAX,
  MCP_AGENT_IDS_MAX,
  MCP_GRANTS_MAX,
  MCP_REQUEST_ID,
  MCP_REQUEST_STATUSES,
  MCP_REQUESTS_FOR_ONE_MAX,
  MCP_REQUESTS_MAX,
  type McpAccess,
  type McpAccessRequest,
  type McpAccessStore,
  mcpAccessOf,
  type McpAsker,
  type McpGrant,
  type McpGrantScope,
  type McpRequestStatus,
  type McpServerAccess,
  type McpVerdict,
} from "./mcp/mcp-access.ts";
export {
  MCP_REFUSALS,
  type McpAnswer,
  type McpBridge,
  type McpCallHooks,
  BROWSER_PORT,
  type LaunchSize,
  type McpCommand,
  type McpLauncher,
  refusalOfLaunch,
  TooManyProcessesError,
  type McpLook,
  type McpProcess,
  type McpRefusal,
  type McpRegistry,
  type McpTimes,
  type McpToolCall,
} from "./mcp/mcp-bridge.ts";
export type { McpToolRef } from "./mcp/mcp-tool-ref.ts";
export { mcpPin } from "./mcp/mcp-pin.ts";
export { MCP_LEASE_MS, type McpRoutes } from "./mcp/mcp-routes.ts";
export {
  MCP_TOOL_STANDINGS,
  type McpServerTool,
  type McpServerTools,
  type McpToolCounts,
  type McpToolStanding,
  type WaitingOffer,
} from "./mcp/mcp-server-tools.ts";
export type { KnownMcpTool, McpTools, McpToolsCounted } from "./mcp/mcp-tools.ts";
export {
  MCP_BACKOFF_MS_MAX,
  MCP_BACKOFF_MS_MIN,
  MCP_DESCRIPTION_CHARS_MAX,
  MCP_HEALTH_MS,
  MCP_IDLE_MS,
  MCP_MESSAGE_BYTES_MAX,
  MCP_MESSAGE_PARTS_MAX,
  MCP_SERVER_NAME,
  MCP_SERVER_OFF,
  MCP_SERVER_TOOLS_MAX,
  MCP_SERVERS_MAX,
  MCP_STATES,
  MCP_TIMEOUT_MS_DEFAULT,
  MCP_TIMEOUT_MS_MAX,
  MCP_TOOL_NAME_CHARS_MAX,
  MCP_TRANSPORTS,
  MCP_TRIES_MAX,
  configPlaceOf,
  isSameMcpServer,
  mcpBackoffMs,
  type McpOffer,
  type McpServer,
  type McpServerChange,
  type McpServerKey,
  type McpServerMark,
  type McpServerSetup,
  type McpServerStore,
  type McpState,
  type McpTransport,
  type McpValue,
  type PinnedOffer,
  type PinnedRef,
} from "./mcp/mcp-server.ts";
export {
  MCP_CALLS_MAX,
  MCP_SESSION_IDLE_MS,
  MCP_KEY_SESSIONS_MAX,
  MCP_SESSIONS_MAX,
  type McpCall,
  type McpSessionKey,
  type McpSessions,
  type TouchedMcpSession,
} from "./mcp/mcp-sessions.ts";
export {
  BY_DOCUMENT_ID,
  DATA_COMPARED_CHARS_MAX,
  DATA_CONDITIONS_MAX,
  DATA_FIELD_CHARS_MAX,
  DATA_FIELD_PARTS_MAX,
  DATA_IN_MAX,
  DATA_OPERATORS,
  DATA_ORDERED_CHARS,
  type DataComparison,
  type DataCondition,
  type DataField,
  type DataOrder,
  DataQueryError,
  parseDataField,
  parseDataOrder,
  parseDataWhere,
} from "./data/data-query.ts";
export {
  type CollectionsAsked,
  type DataAsked,
  type DataChanged,
  type DataDecision,
  type DataMark,
  dataQuotaExceeded,
  type DataStore,
  type DataWriter,
} from "./data/data-store.ts";
export {
  COLLECTION_NAME,
  DATA_SETTINGS_DEFAULT,
  DATA_SHARED_MAX,
  DATA_SHARED_WITH,
  type DataCollection,
  type DataDocument,
  type DataPlace,
  type DataSettings,
  type DataUsage,
  DOCUMENT_DEPTH_MAX,
  DOCUMENT_ID_BYTES_MAX,
  GOALS_COLLECTION,
  sharedPlace,
  TTL_SECONDS_MAX,
  whyNoDocumentId,
  whyNotKept,
} from "./data/document.ts";
export {
  ANY_FILE,
  contentTypeOf,
  FILE_CHUNK_BYTES,
  FILE_VERSIONS_MAX,
  type FileCondition,
  type FileRecord,
  type FileUsage,
  type FileVersion,
  FOLDER_FILES_MAX,
} from "./file/file.ts";
export {
  FILE_DEPTH_MAX,
  FILE_NAME_BYTES_MAX,
  FILE_PATH_BYTES_MAX,
  foldersAbove,
  isWithin,
  parseFilePath,
  parseFolderPath,
  type ParsedPath,
} from "./file/file-path.ts";
export {
  AGENT_KINDS,
  agentKindOf,
  type AgentKind,
  deniedPaths,
  FILE_AGENTS_MAX,
  FILE_DENY_MAX,
  FILE_SETTINGS_DEFAULT,
  type FileSettings,
  isDenied,
  mayWriteAt,
} from "./file/file-settings.ts";
export type {
  FileBounds,
  FileChunk,
  FileContent,
  FileRefusal,
  FileStore,
  FileWriter,
  FileWritten,
  SearchedFile,
} from "./file/file-store.ts";
export {
  isMemoryPath,
  layersOf,
  memoryPlaces,
  readPlaces,
  ROUTED_FOLDERS,
  routeOf,
  type WorkspaceLayer,
  writePlace,
} from "./file/routed-files.ts";
export {
  MEMORY_CHUNKS_MAX,
  MEMORY_DOCUMENT_BYTES_MAX,
  MEMORY_DOCUMENTS_MAX,
  MEMORY_FORMAT,
  MEMORY_QUERY_CHARS_MAX,
  MEMORY_RESULTS_DEFAULT,
  MEMORY_RESULTS_MAX,
  type DueVectors,
  type MemoryChunk,
  type MemoryChunkRef,
  type MemoryContent,
  type MemoryDocument,
  type MemoryIndex,
  type MemoryVectors,
  type MemoryWeights,
} from "./memory/memory.ts";
export {
  EMBEDDED_TEXTS_MAX,
  EMBEDDING_CALL_MS_MAX,
  EMBEDDING_DIMENSIONS_MAX,
  EMBEDDINGS_KEY_FIELD,
  EMBEDDINGS_SERVICE,
  type Embedded,
  type EmbeddingRequest,
  type Embeddings,
} from "./memory/embeddings.ts";
export { type FilePlace, USER_ID_CHARS_MAX, type Workspace } from "./file/workspace.ts";
export {
  DEVICE_HOLDER_MS,
  DEVICE_DONE_UNKNOWN,
  DEVICE_REFUSALS,
  deviceLost,
  type DeviceAnswer,
  type DeviceHolder,
  type DeviceLines,
  type DeviceMessage,
  type DeviceRefusal,
  UnsentError,
} from "./device/device-lines.ts";
export type { DeviceChange, DevicePage, DeviceStore, NewDevice } from "./device/device-store.ts";
export {
  DEVICE_COMMAND_NAME,
  DEVICE_COMMANDS_BYTES_MAX,
  DEVICE_COMMANDS_MAX,
  DEVICE_DESCRIPTION_CHARS_MAX,
  DEVICE_FRAME_BYTES_MAX,
  DEVICE_NAME_CHARS_MAX,
  DEVICE_OFFLINE_MS,
  DEVICE_PLATFORM_CHARS_MAX,
  DEVICE_TIMEOUT_MS_DEFAULT,
  DEVICE_TIMEOUT_MS_MAX,
  type Device,
  type DeviceSummary,
  type DeviceBinding,
  type DeviceCommand,
  type DeviceKey,
  mayUseDevice,
  PAIRING_CODE_MS,
  PAIRING_CODES_MAX,
  type PairingCode,
} from "./device/device.ts";
export type {
  DueCursor,
  NewSchedule,
  PlannedSchedule,
  ScheduleBounds,
  ScheduleStore,
} from "./schedule/schedule-store.ts";
export type { ScheduleTriggers, Trigger } from "./schedule/schedule-triggers.ts";
export {
  CRON_CHARS_MAX,
  MISSED_RUNS,
  type MissedRuns,
  type PlannedRun,
  SCHEDULE_KEY_GONE,
  SCHEDULES_MAX,
  SCHEDULES_PER_OWNER_MAX,
  SCHEDULE_ARGUMENTS_BYTES_MAX,
  SCHEDULE_EVERY_MS_MAX,
  SCHEDULE_EVERY_MS_MIN,
  SCHEDULE_LATE_MS_MAX,
  SCHEDULE_NEXT_RUNS,
  SCHEDULE_OPEN_RUNS_MAX,
  SCHEDULE_OVERLAPS,
  SCHEDULE_STATUSES,
  SCHEDULE_TOOL_DELETED,
  type Schedule,
  type ScheduleError,
  type ScheduleKey,
  type ScheduleOverlap,
  type ScheduleOwner,
  type SchedulePlan,
  type ScheduleRun,
  type ScheduleStatus,
  type ScheduleTerms,
  TIME_ZONE_CHARS_MAX,
} from "./schedule/schedule.ts";
export { completeArguments } from "./schema/complete-arguments.ts";
export { declareArguments, declareMember, declareTool } from "./schema/declare-schema.ts";
export { type Dialect, readDialect } from "./schema/dialect.ts";
export { exampleArguments } from "./schema/example-arguments.ts";
export { withExclusiveBounds } from "./schema/exclusive-bounds.ts";
export type { InputFault, SchemaChecker, SchemaFindings, SchemaPlace } from "./schema/json-schema.ts";
export { childOf, eachInnerSchema, isObject, pointerOf, stepsOf } from "./schema/schema-parts.ts";
export { type SchemaNode, SchemaReferences, URI_CHARS_MAX } from "./schema/schema-references.ts";
export { ARRAYS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS } from "./schema/vocabulary.ts";
export { configPurpose } from "./secret/config-purpose.ts";
export {
  BASE_URL_FIELD,
  CONFIG_ENTRIES_MAX,
  CONFIG_FIELDS_MAX,
  CONFIG_FIELD_TYPES,
  CONFIG_NAME,
  CONFIG_NAME_CHARS_MAX,
  CONFIG_SERVICES_MAX,
  CONFIG_SERVICE_BYTES_MAX,
  CONFIG_VALUE_BYTES_MAX,
  type ConfigField,
  type ConfigService,
  type ConfigValue,
  DEFAULT_CONFIG_SCHEMA,
  DEFAULT_ENTRY_LABEL,
  ENTRY_LABEL,
  ENTRY_LABEL_CHARS_MAX,
  type EntryOutline,
  FIELD_NAME,
  FIELD_OPTIONS_MAX,
  SECRET_DELIVERIES,
  isConfigured,
  missingFields,
  outlineOf,
} from "./secret/config-service.ts";
export type {
  ConfigStore,
  NeedingTools,
  LeftService,
  NewConfigService,
  ServiceOutline,
  ServiceState,
  ServiceTerms,
  StoredEntry,
  StoredSecret,
  StoredService,
} from "./secret/config-store.ts";
export {
  isMailAddress,
  MAIL_ADDRESS_CHARS_MAX,
  mayReceive,
  type Recipients,
  readRecipients,
} from "./secret/mail-address.ts";
export { KIND_FIELDS, kindFaults, readSender } from "./secret/kind-fields.ts";
export { type ChannelKind, isChannelKind, SERVICE_KINDS, type ServiceKind } from "./secret/service-kind.ts";
export { configValueFault } from "./secret/config-value.ts";
export type {
  DataKey,
  DataKeyPage,
  DataKeyStore,
  InheritedKey,
  Rewrapping,
} from "./secret/data-key-store.ts";
export type { DataKeyPlace, KeyService } from "./secret/key-service.ts";
export {
  PLACEHOLDER,
  PLACEHOLDER_START,
  type PlacedSecret,
  type PlacedServices,
  newPlaceholder,
  placeSecrets,
} from "./secret/placeholder.ts";
export {
  SCRUB_PATTERN_CHARS_MAX,
  SCRUB_RULES_MAX,
  SCRUB_RULE_NAME,
  SCRUB_RULE_NAME_CHARS_MAX,
  type ScrubCount,
  type ScrubRule,
  ruleKind,
  scrubPurpose,
} from "./secret/scrub-rule.ts";
export type {
  PatternChecker,
  ScrubCountStore,
  ScrubRuleStore,
  TenantScrubRules,
} from "./secret/scrub-rules.ts";
export type {
  CoveredDocument,
  Needle,
  ScrubLines,
  ScrubPattern,
  ScrubStream,
  ScrubbedLine,
  Scrubber,
  ScrubberOpening,
  Scrubbers,
  ToldNeedle,
} from "./secret/scrubber.ts";
export { namesSecret } from "./secret/secret-field.ts";
export { secretHosts } from "./secret/secret-hosts.ts";
export {
  NEEDLE_WEIGHT_MAX,
  REDACTED,
  SECRET_CHARS_MIN,
  judgeSecret,
  needleWeight,
} from "./secret/secret-value.ts";
export type { HeldSecret, OpenedEntry, OpenedService, ServiceConfigs } from "./secret/service-configs.ts";
export type { SealedFor, Vault } from "./secret/vault.ts";
export {
  ACCESS_OPERATIONS,
  ACCESS_TOKEN_SECONDS_MAX,
  type AccessOperation,
  type AccessScope,
  type AccessToken,
  mayFollow,
  mayRun,
  SCOPE_EXECUTIONS_MAX,
  SCOPE_TOOLS_MAX,
} from "./tenant/access-token.ts";
export type { AuditLog, AuditPage, AuditStore } from "./tenant/audit-log.ts";
export {
  AUDIT_ACTIONS,
  AUDIT_ID,
  AUDIT_RETENTION_DAYS_MIN,
  type AuditAction,
  type AuditDeed,
  type AuditDetails,
  type AuditEntry,
  type AuditSubject,
  type NewAuditEntry,
  auditActorOf,
  changedFields,
} from "./tenant/audit.ts";
export type { DueErasure, ErasureRound, ErasureStore } from "./tenant/erasure-store.ts";
export {
  type AgentPolicy,
  type Asker,
  POLICY_BYTES_MAX,
  POLICY_ENTRIES_MAX,
  POLICY_ENTRY_CHARS_MAX,
  POLICY_NAMES_MAX,
  POLICY_NAME_CHARS_MAX,
  type Policy,
  type PolicyDocument,
  type PolicyEntry,
  type PolicyList,
  type PolicyStore,
  type ProviderPolicy,
  SUBAGENT_DEPTH_MAX,
  SUBAGENT_LEAF_DEPTH,
  type SubagentPolicy,
} from "./tenant/policy.ts";
export {
  type ApiKey,
  type Principal,
  ROLES,
  type Role,
  TENANT_ROLES,
  type Tenant,
  type TenantPrincipal,
  type TenantRole,
} from "./tenant/principal.ts";
export {
  DELETION_KINDS,
  DELETION_LEFT_MAX,
  type DeletionKind,
  type DeletionProgress,
  type TenantDeletionStore,
  type TenantRemnants,
} from "./tenant/tenant-deletion.ts";
export {
  EXPORT_KINDS,
  type ExportKind,
  type ExportPage,
  type StreamedFile,
  type TenantExportStore,
} from "./tenant/tenant-export.ts";
export type { ApiKeyStore, FoundKey, TenantChange, TenantStore } from "./tenant/tenant-store.ts";
export {
  USAGE_DAYS_MAX,
  USAGE_GROUPS,
  type UsageGroup,
  type UsageMark,
  type UsagePage,
  type UsageQuestion,
  type UsageRow,
  type UsageStore,
  type UsageSum,
} from "./tenant/usage-store.ts";
export {
  ALLOWED_HOSTS_MAX,
  ALLOWED_HOST_CHARS_MAX,
  allowsHost,
  listedHost,
  portOf,
  readAllowedHosts,
} from "./tool/allowed-hosts.ts";
export {
  type Capabilities,
  GROWTH_KINDS,
  NO_CAPABILITIES,
  type Growth,
  capabilitiesOf,
  grownCapabilities,
} from "./tool/capabilities.ts";
export type { DryRunRefusal, DryRunStore, NewDryRun } from "./tool/dry-run-store.ts";
export {
  MODEL_ANSWER_BYTES_MAX,
  MODEL_CALL_MS_MAX,
  MODEL_KEY_FIELD,
  MODEL_SERVICE,
  MODEL_TOKENS_MAX,
  type ModelAnswer,
  type ModelEndpoint,
  type ModelFailure,
  type ModelMessage,
  type ModelRequest,
} from "./model/model-endpoint.ts";
export {
  RECORDED_ANSWERS_MAX,
  RECORDED_HEADERS_MAX,
  RecordedTurns,
  type RecordedAnswers,
  type RecordedCommand,
  type RecordedCall,
  type RecordedFetch,
} from "./tool/recorded-answers.ts";
export {
  AUTOMATIC_DRY_RUNS_MAX,
  DRY_RUNS_MAX,
  DRY_RUN_EFFECTS,
  DRY_RUN_EFFECTS_MAX,
  DRY_RUN_LIMITS_MAX,
  DRY_RUN_MORE,
  DRY_RUN_RESULT_CHARS_MAX,
  DRY_RUN_TARGET_CHARS_MAX,
  DRY_RUN_TIMEOUT_MS,
  type DryRun,
  type DryRunEffect,
  type DryRunSeen,
  EVIDENCE_ARGUMENTS_CHARS_MAX,
  EVIDENCE_EFFECTS_MAX,
  EVIDENCE_RESULTS_CHARS_MAX,
} from "./tool/dry-run.ts";
export {
  type ActingCall,
  META_TOOL_NAMES,
  PASSING_META_TOOLS,
  READING_META_TOOLS,
  asksPerson,
  isActingMetaTool,
} from "./tool/meta-tools.ts";
export {
  REQUIRED_SERVICES_MAX,
  type RequiredApiKey,
  type RequiredConfigService,
  requirementsOf,
  servicesOf,
} from "./tool/required-services.ts";
export {
  SEARCH_WORDS_MAX,
  type SearchWord,
  TERMS_RULE,
  accentedSearchWords,
  indexTerms,
  isUnspaced,
  searchWords,
  termsOf,
  wordsOf,
} from "./tool/search-words.ts";
export { archivePathFault, type ArchiveFile, type ToolArchive } from "./tool/tool-archive.ts";
export {
  CATEGORIES_COUNTED_MAX,
  type CalledTool,
  type CataloguePage,
  type CatalogueQuery,
  type DefinedTool,
  type DefinedTools,
  type FoundTool,
  type PageMark,
  TOOL_SORTS,
  type ToolCatalogue,
  type ToolSort,
  type ToolStats,
  type ToolSummary,
  definitionMark,
} from "./tool/tool-catalogue.ts";
export {
  DANGEROUS_PERMISSIONS,
  PERMISSIONS,
  type Permission,
  type RunnableTool,
  TOOL_LANGUAGES,
  type ToolDefinition,
  type ToolLanguage,
  definitionOf,
  toRunnable,
} from "./tool/tool-definition.ts";
export {
  TOOL_COMMAND_SECONDS_DEFAULT,
  TOOL_COMMAND_SECONDS_MAX,
  TOOL_VARIABLES_CHARS_MAX,
  TOOL_VARIABLES_MAX,
  TOOL_VARIABLE_NAME_CHARS_MAX,
  TOOL_WORKING_DIRECTORY_CHARS_MAX,
  toolVariablePurpose,
  type ToolCommand,
} from "./tool/tool-command.ts";
export {
  BUILT_IN_TOOL_NAMES,
  type BrowserToolName,
  type BuiltInToolName,
  type CanvasToolName,
  type DataToolName,
  FILE_TOOL_NAMES,
  type FileToolName,
  type MemoryToolName,
  type ShellToolName,
  type OutsideToolName,
  type ScheduleToolName,
  type NodeToolName,
  type GatewayToolName,
  type ProvidedAnswer,
  type ProvidedCall,
  type ProvidedTool,
  type MediaToolName,
  type SkillToolName,
  type ToolProvider,
  type WebToolName,
  isBuiltInToolName,
  permissionsOfCall,
} from "./tool/tool-provider.ts";
export {
  ENDPOINT_FIELDS,
  IMAGE_SERVICE,
  type ImageDefault,
  isSpeechProvider,
  SPEECH_PROGRAM,
  SPEECH_PROVIDERS,
  SPEECH_SERVICE,
  type SpeechDefault,
  type SpeechProvider,
} from "./tool/pictures-and-speech.ts";
export {
  isSearchProvider,
  SEARCH_FIELDS,
  SEARCH_PROVIDERS,
  SEARCH_SERVICE,
  type SearchDefault,
  type SearchProvider,
} from "./tool/web-search.ts";
export {
  AGENT_ID_CHARS_MAX,
  type ToolScope,
  agentOf,
  lookupKey,
  lookupTags,
  nameTag,
  scopeOf,
  scopeOfAgent,
} from "./tool/tool-scope.ts";
export type { ServiceNeeds, ToolServices } from "./tool/tool-services.ts";
export type {
  DeletedTool,
  FollowingChange,
  FoundRecord,
  JudgedChange,
  JudgedDeletion,
  ListedTool,
  NameRecord,
  NewTool,
  StoredTools,
  ToolChange,
  ToolStore,
  ToolVersion,
  VersionDecision,
  VersionSummary,
} from "./tool/tool-store.ts";
export { TOOL_HINTS, type ToolHints } from "./tool/tool-hints.ts";
export {
  type Creator,
  RETRYABLE_CODES,
  RETRY_ATTEMPTS_MAX,
  RETRY_BACKOFF_MS_DEFAULT,
  RETRY_BACKOFF_MS_MAX,
  RETRY_FACTOR_DEFAULT,
  RETRY_FACTOR_MAX,
  RETRY_JITTER_DEFAULT,
  RETRY_ON_DEFAULT,
  type RetryPolicy,
  TOOL_DISPATCH_MAX,
  TOOL_NAME,
  TOOL_NAME_LENGTH_MAX,
  TOOL_ALIAS,
  TOOL_TITLE_CHARS_MAX,
  hintsOf,
  namesOf,
  shownName,
  toldDescription,
  TOOL_NEXT,
  TOOL_STATUSES,
  type Tool,
  type ToolDispatch,
  type ToolStatus,
} from "./tool/tool.ts";
export type { StripFault, StripOutcome, TypeStripper } from "./tool/type-stripper.ts";
export {
  type NewReview,
  type Proposer,
  VERSION_STATES,
  type VersionReview,
  type VersionState,
  type Waits,
  judgeNewTool,
  judgeVersion,
} from "./tool/version-review.ts";
export {
  SHELL_ENGINES,
  SHELL_SETTINGS_DEFAULT,
  type ShellEngineName,
  type ShellSettings,
} from "./shell/shell-settings.ts";
export {
  PROCESS_BEAT_MS_MAX,
  PROCESS_KEPT_MS,
  PROCESS_WORD_CHARS_MAX,
  PROCESS_WORDS_MAX,
  PROCESSES_KNOWN_MAX,
  PROCESSES_MAX,
  type ProcessBoard,
  type ProcessEnd,
  type ProcessFacts,
  type ProcessKey,
  type ProcessNews,
  type ProcessWord,
  type ShownProcess,
  type ToldWord,
} from "./shell/process-board.ts";
