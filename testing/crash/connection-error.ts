/** Codes of a connection that ended, of a server that starts, stops or is a standby, and of a statement that its end cancelled. */
const CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ANSWER_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "57P03",
  "57P01",
  "25006",
  "53100",
]);

/** Returns whether an actor's own connection to the database failed, so that it goes on with the next round. */
export const isConnectionError = (error: unknown): boolean => error instanceof Error && "code" in error && CODES.has(String(error.code));
