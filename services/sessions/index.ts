export { beginSession } from "./begin-session.ts";
export { EndedSession, EndedSessions, SessionParams } from "./contract.ts";
export { endOtherSessions, endOwnSession, endSessionOfCookie, endSessionsOf, signOut } from "./end-sessions.ts";
export { findSession } from "./find-session.ts";
export { listOwnSessions } from "./list-sessions.ts";
export { noteBusiness } from "./note-business.ts";
export { purgeOldSessions } from "./purge-sessions.ts";
export type { Session } from "./session.ts";
