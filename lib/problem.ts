/** Every error code of the API with its HTTP status. */
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
  CARD_FROZEN: 409,
  CARD_TERMINATED: 409,
  CARD_NOT_ACTIVE: 409,
  REQUEST_IN_PROGRESS: 409,
  PRICE_CHANGED: 409,
  DUPLICATE_PURCHASE: 409,
  VERSION_CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  CARDHOLDER_KYC_NOT_APPROVED: 422,
  INSUFFICIENT_CARD_BALANCE: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  PRODUCT_UNAVAILABLE: 422,
  LIMIT_EXCEEDED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_ERROR: 502,
  PROVIDER_UNAVAILABLE: 503,
} as const;

/** The meaning of each error and what to do, for the page at `doc_url`. */
export const ERROR_HELP: Record<ErrorCode, string> = {
  MALFORMED_JSON: "The body is not JSON in UTF-8. Correct it and send it again.",
  MISSING_CREDENTIALS: "X-Api-Key or X-Api-Secret is missing: send both. In the dashboard, the session has ended: sign in again.",
  INVALID_CREDENTIALS: "The two keys are not one pair of one mode. Check where they came from.",
  KEY_REVOKED: "The pair was revoked, or it was rolled and its overlap is over. Use the new pair.",
  INSUFFICIENT_BALANCE: "The wallet does not cover this. Add money, then send the request again; the same Idempotency-Key may be used.",
  SERVICE_NOT_ENABLED: "The area is not enabled for your account.",
  PERMISSION_DENIED:
    "The key lacks a permission, or the role of the member does. Use another key, change its permissions, or ask somebody whose role it is.",
  IP_NOT_ALLOWED: "The key is limited to certain addresses, and yours is not one of them.",
  MERCHANT_SUSPENDED: "The account is suspended: it can be read, and nothing can be changed. Write to support.",
  RESOURCE_NOT_FOUND: "There is nothing by that name for this key. Test keys see test data only, live keys live data only.",
  METHOD_NOT_ALLOWED: "The path has other methods; the Allow header names them.",
  CARD_FROZEN: "The card is frozen. Unfreeze it first.",
  CARD_TERMINATED: "The card is terminated, for good. Issue another one.",
  CARD_NOT_ACTIVE:
    "The card is not issued yet (wait until its status is ACTIVE), was never issued, or is about to be terminated. The message says which.",
  REQUEST_IN_PROGRESS:
    "The first request with this Idempotency-Key is still running, or the opposite change of a card is. Send the same request again after Retry-After.",
  PRICE_CHANGED:
    "The price is another than you expected, or beyond the limit that you sent. The message has the present one: if it suits you, send the request again with another limit.",
  DUPLICATE_PURCHASE:
    "The same was bought for the same recipient less than 30 seconds ago. If it is meant, send allow_duplicate: true, or an Idempotency-Key.",
  VERSION_CONFLICT:
    "Somebody else has changed it since you read it, and your change would undo theirs. The message says who and what. Read it again, then send your change with its new version.",
  PAYLOAD_TOO_LARGE:
    "The body, the query, the path or the headers are larger than any request needs: a body has at most 64 KB and 510 values, a file of bulk orders 256 KB and 500 rows. The message says what is too large.",
  UNSUPPORTED_MEDIA_TYPE: "Send Content-Type: application/json.",
  VALIDATION_ERROR: "One or more fields are wrong. error.errors lists each of them with what to send. Nothing is ever rounded to fit.",
  CARDHOLDER_KYC_NOT_APPROVED: "The cardholder's identity is not approved (yet). Read the cardholder until kyc_status is APPROVED.",
  INSUFFICIENT_CARD_BALANCE: "The card does not have that much. Open authorizations lower what can be taken off it.",
  IDEMPOTENCY_KEY_REUSED: "The key belongs to a request with another body. Use a new key for a new request.",
  PRODUCT_UNAVAILABLE: "It is not sold, or not any more. Choose from the present list.",
  LIMIT_EXCEEDED:
    "The amount is above a limit: of one payout or of a day, set by the operator of this service or by the business itself, or above the sum for which the business wants two people. The message says which. Send less, or wait until the day in Lagos is over.",
  RATE_LIMITED: "Too many requests. Wait for Retry-After; RateLimit says what is left.",
  INTERNAL_ERROR:
    "Something failed on our side, and it is not known how far it came. Ask for the status, or send the same request with the same Idempotency-Key.",
  PROVIDER_ERROR:
    "The provider refused or did not answer. With outcome unknown, send the same request again with the same Idempotency-Key: it finishes what was begun.",
  PROVIDER_UNAVAILABLE: "No provider can serve this now. In live mode, ask the operator of this service to connect one.",
};

export type ErrorCode = keyof typeof ERROR_STATUS;
export const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** Whether the request was executed. After `not_executed` it may be sent again; after `unknown` its outcome must be read first. */
export type Execution = "not_executed" | "unknown" | "executed";

export interface FieldProblem {
  param: string;
  message: string;
}

interface ProblemDetails {
  outcome?: Execution;
  errors?: FieldProblem[];
  headers?: Record<string, string>;
  cause?: unknown;
  isFinal?: boolean;
}

/** A refusal that the caller gets to see: a stable code, and a message that says what to do. */
export class Problem extends Error {
  override name = "Problem";
  readonly code: ErrorCode;
  readonly outcome: Execution;
  readonly errors: FieldProblem[];
  readonly headers: Record<string, string>;
  /** No earlier attempt with the same Idempotency-Key has executed anything, and none can. */
  readonly isFinal: boolean;

  constructor(code: ErrorCode, message: string, details: ProblemDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.outcome = details.outcome ?? (code === "INTERNAL_ERROR" ? "unknown" : "not_executed");
    this.errors = details.errors ?? [];
    this.headers = details.headers ?? {};
    this.isFinal = details.isFinal ?? false;
  }

  /**
   * Returns the same refusal with the outcome `unknown`, for a request of which an earlier attempt may have been executed. Without another
   * message it keeps its own and its fields.
   */
  asUnknown(message?: string): Problem {
    const errors = message === undefined ? this.errors : [];
    return new Problem(this.code, message ?? this.message, { outcome: "unknown", errors, headers: this.headers, cause: this });
  }
}

/** Returns a `VALIDATION_ERROR` about one field. */
export function invalid(param: string, message: string): Problem {
  return new Problem("VALIDATION_ERROR", message, { errors: [{ param, message }] });
}

/** A list of thousands of fields would be many times as long as the request. */
const MAX_FIELD_PROBLEMS = 100;

/** Returns a `VALIDATION_ERROR` that names every bad field once, with all of its problems. */
export function invalidFields(problems: FieldProblem[]): Problem {
  const byField = Map.groupBy(problems, ({ param }) => param);
  const all = [...byField].map(([param, list]) => ({ param, message: list.map(({ message }) => message).join(" ") }));
  const errors = all.slice(0, MAX_FIELD_PROBLEMS);
  const [first] = errors;
  const listed = all.length > errors.length ? `the first ${errors.length} are in errors` : "see errors";
  // A field name with other characters would make the sentence hard to read.
  const isNamed = all.length === 1 && /^[\w.-]+$/.test(first?.param ?? "");
  const message = isNamed
    ? `${first?.param}: ${first?.message}`
    : `Correct ${all.length === 1 ? "one field" : `${all.length} fields`}; ${listed}.`;
  return new Problem("VALIDATION_ERROR", message, { errors });
}

/** Returns a `RESOURCE_NOT_FOUND` for a kind of resource, such as "card". */
export function notFound(resource: string): Problem {
  return new Problem("RESOURCE_NOT_FOUND", `No ${resource} was found here for these credentials. Check its id and the mode of your key.`);
}
