import { clientAddressOf } from "#app/_http/client-address-of.ts";
import { log } from "#lib/log.ts";
import { alertOperators } from "#services/alerts/index.ts";
import { modeOf } from "#services/providers/index.ts";

/**
 * Returns the notice that `read` parses, or undefined for a refused one, and logs the reason. `read` returns undefined for a notice that it
 * cannot attribute to the provider, and throws for a signed one of unknown form. The latter also alerts operators: the provider sends the
 * notice again until the adapter can read it.
 */
export async function readNoticeOf<T>(request: Request, provider: string, read: () => T | undefined): Promise<T | undefined> {
  try {
    const notice = read();
    if (notice === undefined)
      log().warn({ provider, address: clientAddressOf(request) }, "a notice without a valid signature of its provider was refused");
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
