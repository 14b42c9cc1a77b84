import { keyedHash } from "./secrets.ts";

/** The two secrets that Oja shares with its sandbox, one for each direction, as with a real provider. */
export const sandboxRequestSecret = () => keyedHash("sandbox-requests", "v1");
export const sandboxNoticeSecret = () => keyedHash("sandbox-notices", "v1");
