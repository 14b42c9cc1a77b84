import { readNoticeOf } from "#app/api/providers/read-notice.ts";
import { guarded } from "#app/guarded.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { systemContext } from "#services/context.ts";
import { aggregators } from "#services/providers/index.ts";
import { takeHint } from "#services/vtu/index.ts";

const MAX_BYTES = 64 * 1024;

type Params = { params: Promise<{ provider: string }> };

/** An aggregator tells us that something is new about a purchase. Acknowledged (200) once that is stored, refused (401) when it is not the aggregator's word. */
export const POST = guarded<Params>(async (request, { params }) => {
  const { provider } = await params;
  const aggregator = aggregators.named(provider);
  if (!aggregator) return new Response(null, { status: 404 });
  const bytes = await readAtMost(request, MAX_BYTES);
  if (!bytes) return new Response(null, { status: 413 });
  const body = new TextDecoder().decode(bytes);
  const notice = await readNoticeOf(request, provider, () => aggregator.readNotice(request.headers, body));
  if (!notice) return new Response(null, { status: 401 });
  await takeHint(systemContext(provider), provider, notice);
  return new Response(null, { status: 200 });
});
