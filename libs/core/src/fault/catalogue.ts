interface FaultKind {
  /** The HTTP status under which an outsider meets it. */
  status: number;
  /** One short sentence, the same for every occurrence. */
  title: string;
  /** Whether the same request may succeed later without a change. */
  retryable: boolean;
}

/** Every fault a caller can meet. A code is permanent: never renamed, never used for something else. */
export const FAULTS = {
  "request.invalid": { status: 400, title: "The request is not valid.", retryable: false },
  "request.malformed_json": { status: 400, title: "The body is not valid JSON.", retryable: false },
  "request.too_large": { status: 413, title: "The body is too large.", retryable: false },
  "request.expectation_failed": { status: 417, title: "The expectation can't be met.", retryable: false },
  "request.transfer_coding_unknown": {
    status: 501,
    title: "The transfer coding is not known here.",
    retryable: false,
  },
  "request.headers_too_large": { status: 431, title: "The headers are too large.", retryable: false },
  "request.timed_out": { status: 408, title: "The request did not arrive in time.", retryable: true },
  "request.unsupported_media_type": { status: 415, title: "The body must be JSON.", retryable: false },
  "route.not_found": { status: 404, title: "There is no such route.", retryable: false },
  "route.method_not_allowed": {
    status: 405,
    title: "The route does not take this method.",
    retryable: false,
  },
  "auth.required": { status: 401, title: "An API key is needed.", retryable: false },
  "auth.invalid_key": { status: 401, title: "The API key is not valid.", retryable: false },
  "auth.forbidden": { status: 403, title: "The key's role does not allow this.", retryable: false },
  "access_token.out_of_scope": {
    status: 403,
    title: "The access token does not allow this.",
    retryable: false,
  },
  "session.forgery": { status: 403, title: "The session's own page did not send this.", retryable: false },
  "tenant.required": { status: 403, title: "This route needs a tenant's key.", retryable: false },
  "tenant.not_found": { status: 404, title: "There is no such tenant.", retryable: false },
  "tenant.slug_taken": { status: 409, title: "Another tenant has this slug.", retryable: false },
  "tenant.deleting": { status: 409, title: "The tenant is being deleted.", retryable: false },
  "tenant.rate_limited": { status: 429, title: "The tenant sends too many requests.", retryable: true },
  "tenant.backlog_full": { status: 429, title: "Too many executions wait.", retryable: true },
  "session.rate_limited": { status: 429, title: "The session calls tools too often.", retryable: true },
  "api_key.not_found": { status: 404, title: "There is no such API key.", retryable: false },
  "tool.not_found": { status: 404, title: "There is no such tool.", retryable: false },
  "tool.name_taken": { status: 409, title: "Another tool has this name.", retryable: false },
  "tool.not_active": { status: 400, title: "The tool is not active.", retryable: false },
  "tool.not_pending": { status: 400, title: "The tool does not wait for approval.", retryable: false },
  "tool.transition_refused": {
    status: 409,
    title: "The tool's status does not allow this.",
    retryable: false,
  },
  "tool.version_not_found": { status: 404, title: "The tool has no such version.", retryable: false },
  "tool.version_not_approved": {
    status: 409,
    title: "Nobody has approved this version of the tool.",
    retryable: false,
  },
  "tool.precondition_failed": {
    status: 412,
    title: "The tool is not in the state that If-Match names.",
    retryable: false,
  },
  "tool.changed": { status: 409, title: "The tool was changed meanwhile.", retryable: true },
  "tool.code_invalid": {
    status: 400,
    title: "The code does not compile or breaks a rule.",
    retryable: false,
  },
  "tool.schema_invalid": {
    status: 400,
    title: "A schema of the tool is not a usable JSON Schema.",
    retryable: false,
  },
  "tool.arguments_invalid": {
    status: 400,
    title: "The arguments do not match the tool's schema.",
    retryable: false,
  },
  "execution.arguments_inexact": {
    status: 400,
    title: "A number of the arguments would be rounded.",
    retryable: false,
  },
  "tool.approval_required": { status: 403, title: "A person must confirm this call.", retryable: false },
  "tool.blocked": { status: 403, title: "The tenant's policy blocks this call.", retryable: false },
  "approval.not_found": { status: 404, title: "There is no such approval.", retryable: false },
  "approval.already_answered": { status: 409, title: "The call does not wait any more.", retryable: false },
  "approval.too_many": { status: 429, title: "Too many calls wait for a person.", retryable: true },
  "approval.too_many_standing": {
    status: 409,
    title: "The tenant has too many standing approvals.",
    retryable: false,
  },
  "evidence.too_many": {
    status: 409,
    title: "The version has been tried out often enough.",
    retryable: false,
  },
  "evidence.busy": { status: 429, title: "Too many versions are being tried out.", retryable: true },
  "tool.made_by_user": { status: 403, title: "A person made the tool.", retryable: false },
  "reads.busy": { status: 429, title: "Too many large reads are under way.", retryable: true },
  "exports.busy": { status: 429, title: "Too many exports are under way.", retryable: true },
  "usage.busy": { status: 429, title: "Too many questions about usage are under way.", retryable: true },
  "usage.too_much": {
    status: 422,
    title: "The question is about more executions than can be added up in time.",
    retryable: false,
  },
  "archive.invalid": { status: 400, title: "The archive can't be read.", retryable: false },
  "import.refused": { status: 400, title: "Not every tool of the import can be created.", retryable: false },
  "execution.not_found": { status: 404, title: "There is no such execution.", retryable: false },
  "execution.already_ended": { status: 409, title: "The execution has already ended.", retryable: false },
  "execution.not_ended": { status: 409, title: "The execution has not ended yet.", retryable: false },
  "execution.arguments_erased": {
    status: 409,
    title: "The execution's arguments are not kept any more.",
    retryable: false,
  },
  "execution.wait_ended": { status: 503, title: "The wait for the result was cut short.", retryable: false },
  "execution.deadline_unreachable": {
    status: 429,
    title: "The result can't be there in time.",
    retryable: true,
  },
  "execution.not_replayable": {
    status: 409,
    title: "The execution can't be repeated.",
    retryable: false,
  },
  "idempotency.conflict": {
    status: 409,
    title: "The Idempotency-Key was used for another request.",
    retryable: false,
  },
  "idempotency.execution_deleted": {
    status: 409,
    title: "The Idempotency-Key stands for an execution that was deleted.",
    retryable: false,
  },
  "schedule.not_found": { status: 404, title: "There is no such schedule.", retryable: false },
  "schedule.name_taken": { status: 409, title: "Another schedule has this name.", retryable: false },
  "events.too_many_streams": {
    status: 429,
    title: "Too many event streams of the tenant are open.",
    retryable: true,
  },
  "delivery.not_found": { status: 404, title: "There is no such delivery.", retryable: false },
  "delivery.too_many": { status: 409, title: "The end was redelivered too often.", retryable: false },
  "vault.unreadable": { status: 500, title: "A sealed secret can't be opened.", retryable: false },
  "config_service.not_found": { status: 404, title: "There is no such service.", retryable: false },
  "config_service.name_taken": { status: 409, title: "Another service has this name.", retryable: false },
  "config_service.too_many": { status: 409, title: "The tenant has too many services.", retryable: false },
  "config_service.changed": { status: 409, title: "The service was changed meanwhile.", retryable: true },
  "config_service.precondition_failed": {
    status: 412,
    title: "The service is not in the state that If-Match names.",
    retryable: false,
  },
  "config_service.in_use": {
    status: 409,
    title: "The service's entries don't allow this.",
    retryable: false,
  },
  "config_entry.not_found": { status: 404, title: "The service has no such entry.", retryable: false },
  "config_entry.label_taken": {
    status: 409,
    title: "Another entry of the service has this label.",
    retryable: false,
  },
  "config_entry.too_many": { status: 409, title: "The service can't have another entry.", retryable: false },
  "scrub_rule.not_found": { status: 404, title: "There is no such scrub rule.", retryable: false },
  "scrub_rule.name_taken": { status: 409, title: "Another scrub rule has this name.", retryable: false },
  "scrub_rule.too_many": { status: 409, title: "The tenant has too many scrub rules.", retryable: false },
  "schedule.too_many": { status: 409, title: "The tenant has too many schedules.", retryable: false },
  "schedule.changed": { status: 409, title: "The schedule was changed meanwhile.", retryable: true },
  "service.unavailable": { status: 503, title: "A part of the service is not available.", retryable: true },
  "service.internal": { status: 500, title: "Something went wrong on our side.", retryable: true },
} as const satisfies Record<`${string}.${string}`, FaultKind>;

export type FaultCode = keyof typeof FAULTS;
