import { guarded } from "#app/guarded.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { type SystemContext, systemContext } from "#services/context.ts";
import { readNoticeOf } from "./read-notice.ts";

const MAX_BYTES = 64 * 1024;

type Params = { params: Promise<{ provider: string }> };

interface Notifying<Notice> {
  readNotice(headers: Headers, body: string): Notice | undefined;
}

/**
 * Returns the route of one kind of provider's notices. Answers 200 once `take` has returned, 401 for a notice that cannot be attributed to
 * the provider or cannot be read, 404 for an unknown provider, and 413 for more than 64 KB.
 */
export const noticeRoute = <Notice>(
  providers: { named(name: string): Notifying<Notice> | undefined },
  take: (ctx: SystemContext, provider: string, notice: Notice) => Promise<void>,
) =>
  guarded<Params>(async (request, { params }) => {
    const { provider: name } = await params;
    const provider = providers.named(name);
    if (!provider) return new Response(null, { status: 404 });
    const bytes = await readAtMost(request, MAX_BYTES);
    if (!bytes) return new Response(null, { status: 413 });
    const body = new TextDecoder().decode(bytes);
    const notice = await readNoticeOf(request, name, () => provider.readNotice(request.headers, body));
    if (notice === undefined) return new Response(null, { status: 401 });
    await take(systemContext(name), name, notice);
    return new Response(null, { status: 200 });
  });
