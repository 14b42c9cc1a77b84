import { readNoticeOf } from "#app/api/providers/read-notice.ts";
import { guarded } from "#app/guarded.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { takeHint } from "#services/cards/index.ts";
import { systemContext } from "#services/context.ts";
import { issuers } from "#services/providers/index.ts";

const MAX_BYTES = 64 * 1024;

type Params = { params: Promise<{ provider: string }> };

/** A card issuer tells us that something is new. Acknowledged (200) once that is stored, refused (401) when it is not the issuer's word. */
export const POST = guarded<Params>(async (request, { params }) => {
  const { provider } = await params;
  const issuer = issuers.named(provider);
  if (!issuer) return new Response(null, { status: 404 });
  const bytes = await readAtMost(request, MAX_BYTES);
  if (!bytes) return new Response(null, { status: 413 });
  const body = new TextDecoder().decode(bytes);
  const notice = await readNoticeOf(request, provider, () => issuer.readNotice(request.headers, body));
  if (!notice) return new Response(null, { status: 401 });
  await takeHint(systemContext(provider), provider, notice);
  return new Response(null, { status: 200 });
});
