export { beginSession } from "./begin-session.ts";
export { EndedSession, EndedSessions, OwnSessionObject, SessionObject, SessionParams } from "./contract.ts";
export { endOtherSessions, endOwnSession, endSessionsOf } from "./end-sessions.ts";
export { findSession } from "./find-session.ts";
export { listOwnSessions } from "./list-sessions.ts";
export { presentSession } from "./present.ts";
