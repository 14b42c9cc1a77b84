import { guarded } from "#app/guarded.ts";
import { findPayerView } from "#services/checkout/index.ts";
import { versionOf } from "../../to-view.ts";

type Params = { params: Promise<{ reference: string }> };

/** What the payer's page polls: under 300 bytes, never cached. */
export const GET = guarded<Params>(async (_request, { params }) => {
  const { reference } = await params;
  const found = await findPayerView(reference);
  const headers = { "Cache-Control": "no-store" };
  if (!found) return Response.json({ state: "unknown" }, { status: 404, headers });
  const { link } = found;
  return Response.json({ state: link.status, version: versionOf(found), now: Date.now(), expires: link.expiresAt.getTime() }, { headers });
});
