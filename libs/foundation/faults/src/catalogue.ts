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
  "request.unsupported_media_type": { status: 415, title: "The body must be JSON.", retryable: false },
  "route.not_found": { status: 404, title: "There is no such route.", retryable: false },
  "auth.required": { status: 401, title: "An API key is needed.", retryable: false },
  "auth.invalid_key": { status: 401, title: "The API key is not valid.", retryable: false },
  "auth.forbidden": { status: 403, title: "The key's role does not allow this.", retryable: false },
  "tenant.required": { status: 403, title: "This route needs a tenant's key.", retryable: false },
  "tenant.not_found": { status: 404, title: "There is no such tenant.", retryable: false },
  "tenant.slug_taken": { status: 409, title: "Another tenant has this slug.", retryable: false },
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
  "tool.changed": { status: 409, title: "The tool was changed meanwhile.", retryable: true },
  "tool.code_invalid": {
    status: 400,
    title: "The code does not compile or breaks a rule.",
    retryable: false,
  },
  "tool.schema_invalid": {
    status: 400,
    title: "The parameters are not a usable JSON Schema.",
    retryable: false,
  },
  "tool.arguments_invalid": {
    status: 400,
    title: "The arguments do not match the tool's schema.",
    retryable: false,
  },
  "tool.approval_required": { status: 403, title: "A person must confirm this call.", retryable: false },
  "execution.not_found": { status: 404, title: "There is no such execution.", retryable: false },
  "execution.already_ended": { status: 409, title: "The execution has already ended.", retryable: false },
  "execution.wait_ended": { status: 503, title: "The wait for the result was cut short.", retryable: false },
  "request.idempotency_unsupported": {
    status: 400,
    title: "This version can't honour an Idempotency-Key.",
    retryable: false,
  },
  "service.unavailable": { status: 503, title: "A part of the service is not available.", retryable: true },
  "service.internal": { status: 500, title: "Something went wrong on our side.", retryable: true },
} as const satisfies Record<`${string}.${string}`, FaultKind>;

export type FaultCode = keyof typeof FAULTS;
