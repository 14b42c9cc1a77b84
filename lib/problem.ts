/** Every error that the API can give, and its HTTP status. */
export const ERROR_STATUS = {
  MALFORMED_JSON: 400,
  MISSING_CREDENTIALS: 401,
  INVALID_CREDENTIALS: 401,
  KEY_REVOKED: 401,
  INSUFFICIENT_BALANCE: 402,
  SERVICE_NOT_ENABLED: 403,
  PERMISSION_DENIED: 403,
  IP_NOT_ALLOWED: 403,
  MERCHANT_SUSPENDED: 403,
  RESOURCE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_IN_PROGRESS: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_ERROR: 502,
  PROVIDER_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Whether what was asked has happened: not_executed may be sent again; unknown must be asked about first. */
export type Outcome = "not_executed" | "unknown" | "executed";

export interface FieldProblem {
  param: string;
  message: string;
}

interface ProblemDetails {
  outcome?: Outcome;
  errors?: FieldProblem[];
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal that the caller should see: a stable code, and a message that says what to do. */
export class Problem extends Error {
  override name = "Problem";
  readonly code: ErrorCode;
  readonly outcome: Outcome;
  readonly errors: FieldProblem[];
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, details: ProblemDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.outcome = details.outcome ?? (code === "INTERNAL_ERROR" ? "unknown" : "not_executed");
    this.errors = details.errors ?? [];
    this.headers = details.headers ?? {};
  }
}

/** A `VALIDATION_ERROR` about one field. */
export function invalid(param: string, message: string): Problem {
  return new Problem("VALIDATION_ERROR", message, { errors: [{ param, message }] });
}

export function notFound(what: string): Problem {
  return new Problem("RESOURCE_NOT_FOUND", `No ${what} was found here for these credentials. Check its id and the mode of your key.`);
}
