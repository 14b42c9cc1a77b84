import { AddressRefused } from "#lib/guarded-request.ts";
import { SECOND_MS } from "#lib/time.ts";

/** The limit of one attempt: name, connection, headers and body. */
export const DEADLINE_MS = 15 * SECOND_MS;

/** Returns the cause of an attempt without an answer, in words for the merchant. */
export function reasonOf(error: unknown): string {
  const root = error instanceof AggregateError ? error.errors[0] : error;
  if (root instanceof AddressRefused) return `Not called: ${root.message}`;
  if (!(root instanceof Error)) return "The connection failed.";
  if (root.name === "TimeoutError") return `There was no whole answer within ${DEADLINE_MS / SECOND_MS} s.`;
  const { code = "" } = root as NodeJS.ErrnoException;
  if (isNoHttp(root, code)) return "It answered with something that is no HTTP.";
  if (CLOSED.has(code) && hasBegun(root)) return "The connection was closed in the middle of the answer.";
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (/^(?:EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return "The TLS handshake failed: check that this port speaks https.";
  // A merchant cannot understand the codes of the library, so they are left out.
  return code === "" || code.startsWith("UND_ERR") ? "The connection failed." : `The connection failed (${code}).`;
}

/** Returns the cause of an answer that ended early, after its headers. */
export function reasonOfBreak(error: unknown): string {
  const { code = "" } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException;
  if (error instanceof Error && isNoHttp(error, code)) return "Its answer broke the rules of HTTP behind its headers.";
  return CLOSED.has(code) || code.startsWith("UND_ERR") ? "The connection was closed in the middle of the answer." : reasonOf(error);
}

const CLOSED = new Set(["ECONNRESET", "UND_ERR_SOCKET", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]);

/** The parser gives its code to some of its errors only. */
function isNoHttp(error: Error, code: string): boolean {
  return error.name === "HTTPParserError" || code.startsWith("HPE_");
}

/** Returns whether any byte of an answer arrived. The library's error has their number. */
function hasBegun(error: Error): boolean {
  const { socket } = error as { socket?: { bytesRead?: number } };
  return (socket?.bytesRead ?? 0) > 0;
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was reset before there was an answer.",
  EPIPE: "The connection was closed while the event was sent.",
  EHOSTUNREACH: "There is no way to this address.",
  ENETUNREACH: "There is no way to this address.",
  ETIMEDOUT: "No connection came about in time.",
  UND_ERR_SOCKET: "The connection was closed before there was an answer.",
  UND_ERR_CONNECT_TIMEOUT: "No connection came about in time.",
  UND_ERR_HEADERS_OVERFLOW: "The headers of its answer are too large.",
  CERT_HAS_EXPIRED: "Its certificate has expired.",
  CERT_NOT_YET_VALID: "Its certificate is not valid yet.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "Its certificate is signed by itself.",
  SELF_SIGNED_CERT_IN_CHAIN: "Its certificate is signed by an authority that is not public.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "Its certificate cannot be verified: intermediate certificates are missing.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "Its certificate cannot be verified: intermediate certificates are missing.",
  ERR_TLS_CERT_ALTNAME_INVALID: "Its certificate is for another name.",
  ERR_SSL_WRONG_VERSION_NUMBER: "The TLS handshake failed: this port does not speak https.",
};
