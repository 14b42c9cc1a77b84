import { log } from "#lib/log.ts";

/** A notice that is signed, but not in the form we know, is refused, so that it is sent again once we understand it, and logged so that we learn of it. */
export function readNoticeOf<T>(provider: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    log().error({ provider, err: error }, "a signed notice could not be read");
    return undefined;
  }
}
