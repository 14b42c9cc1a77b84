import { keyedHash } from "./secrets.ts";

/** The two secrets that Oja and its sandbox share, as it would share them with a real provider: one for each direction. */
export const sandboxRequestSecret = () => keyedHash("sandbox-requests", "v1");
export const sandboxNoticeSecret = () => keyedHash("sandbox-notices", "v1");
