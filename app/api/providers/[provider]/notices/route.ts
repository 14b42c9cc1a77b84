import { readNoticeOf } from "#app/api/providers/read-notice.ts";
import { guarded } from "#app/guarded.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { takeNotice } from "#services/checkout/index.ts";
import { systemContext } from "#services/context.ts";
import { banks } from "#services/providers/index.ts";

const MAX_BYTES = 64 * 1024;

type Params = { params: Promise<{ provider: string }> };

/** A bank tells us of a transfer. Acknowledged (200) once it is stored, never before; refused (401) when it is not the bank's word. */
export const POST = guarded<Params>(async (request, { params }) => {
  const { provider } = await params;
  const bank = banks.named(provider);
  if (!bank) return new Response(null, { status: 404 });
  const bytes = await readAtMost(request, MAX_BYTES);
  if (!bytes) return new Response(null, { status: 413 });
  const body = new TextDecoder().decode(bytes);
  const notice = await readNoticeOf(request, provider, () => bank.readNotice(request.headers, body));
  if (!notice) return new Response(null, { status: 401 });
  await takeNotice(systemContext(provider), provider, notice);
  return new Response(null, { status: 200 });
});
