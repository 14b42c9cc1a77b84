import { payer } from "#app/pay/payer.ts";
import { findPayerView, recordActivity } from "#services/checkout/index.ts";
import { BARE_REFUSALS, payerRoute } from "../../payer-route.ts";
import { applySimulation } from "../../simulated.ts";
import { versionOf } from "../../to-view.ts";

/** The status that the payer's page polls: under 300 bytes, never cached. */
export const GET = payerRoute(BARE_REFUSALS, answerStatus);

/** The first poll of a page that is open in a browser. It also records "opened" in the merchant's timeline. */
export const POST = payerRoute(BARE_REFUSALS, async (request, reference) => {
  const answer = await answerStatus(request, reference);
  if (answer) await recordActivity(payer, reference, "opened");
  return answer;
});

async function answerStatus(request: Request, reference: string): Promise<Response | undefined> {
  const found = await findPayerView(payer, reference);
  if (!found) return undefined;
  const simulate = new URL(request.url).searchParams.get("simulate");
  const now = new Date();
  const headers = { "Cache-Control": "no-store" };
  if (simulate === "no-answer" && found.mode === "test") return new Response(null, { status: 503, headers });
  return Response.json(
    { state: found.link.status, version: versionOf(applySimulation(found, simulate), now), now: now.getTime() },
    { headers },
  );
}
