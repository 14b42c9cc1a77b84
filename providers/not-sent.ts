/** The connection was refused, or the name of the host was not found. */
const NO_CONNECTION = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

/** Returns whether the provider got no request. After any other error it may have got one. */
export const wasNotSent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && NO_CONNECTION.includes(String(error.code));
