import { guarded } from "#app/guarded.ts";
import { log } from "#lib/log.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { takeNotice } from "#services/checkout/index.ts";
import { bankNamed } from "#services/providers/index.ts";

const MOST_BYTES = 64 * 1024;

type Params = { params: Promise<{ provider: string }> };

/** A bank tells us of a transfer. Acknowledged (200) once it is stored, never before; refused (401) when it is not the bank's word. */
export const POST = guarded<Params>(async (request, { params }) => {
  const { provider } = await params;
  const bank = bankNamed(provider);
  if (!bank) return new Response(null, { status: 404 });
  const bytes = await readAtMost(request, MOST_BYTES);
  if (!bytes) return new Response(null, { status: 413 });
  const body = new TextDecoder().decode(bytes);
  const notice = readNotice(() => bank.readNotice(request.headers, body), provider);
  if (!notice) return new Response(null, { status: 401 });
  await takeNotice(provider, notice);
  return new Response(null, { status: 200 });
});

// Signed, but not in the form we know: refused, so that the bank sends it again once we understand it, and logged so that we learn of it.
function readNotice<T>(read: () => T, provider: string): T | undefined {
  try {
    return read();
  } catch (error) {
    log().error({ provider, err: error }, "a signed notice could not be read");
    return undefined;
  }
}
