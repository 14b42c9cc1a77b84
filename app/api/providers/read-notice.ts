import { clientOf } from "#app/_http/client-of.ts";
import { log } from "#lib/log.ts";
import { alertOperators } from "#services/alerts/index.ts";
import { modeOf } from "#services/providers/index.ts";

/**
 * Returns what `read` makes of a notice, or undefined for one that is refused. Both reasons are logged: that the provider did not sign it,
 * and that it did, but not in the form that we know. Of the latter operators are told; it is sent again, until we understand it.
 */
export async function readNoticeOf<T>(request: Request, provider: string, read: () => T | undefined): Promise<T | undefined> {
  try {
    const notice = read();
    if (notice === undefined) log().warn({ provider, address: clientOf(request) }, "a notice that is not its provider's word was refused");
    return notice;
  } catch (error) {
    log().error({ provider, err: error }, "a signed notice could not be read");
    await alertOperators(modeOf(provider), {
      type: "notice.unreadable",
      resourceId: provider,
      message: `${provider} signed a notice that its adapter cannot read. It was refused, so that it is sent again; the log says why.`,
    });
    return undefined;
  }
}
