import { payer } from "#app/pay/payer.ts";
import { ACTIVITY_KINDS, recordActivity } from "#services/checkout/index.ts";
import { BARE_REFUSALS, payerRoute } from "../../payer-route.ts";
import { backToPage, readForm, redirectToPage } from "../../read-form.ts";
import { PAGE_REFUSALS } from "../../refusals.tsx";

const isPerson = (request: Request) => (request.headers.get("accept") ?? "").includes("text/html");
const refusalsFor = (request: Request) => (isPerson(request) ? PAGE_REFUSALS : BARE_REFUSALS);

const transfersSeen = (form: URLSearchParams) => Number(/^\d{1,2}$/.exec(form.get("seen") ?? "")?.[0] ?? 0);

/** Records a payer's action for the merchant's timeline. A browser without script sends the form "I've sent the money" here too. */
export const POST = payerRoute(
  {
    unknown: (request) => refusalsFor(request).unknown(request),
    tooMany: (request, waitSeconds) => refusalsFor(request).tooMany(request, waitSeconds),
    failed: (request) => refusalsFor(request).failed(request),
  },
  async (request, reference) => {
    const form = await readForm(request);
    const kind = ACTIVITY_KINDS.find((each) => each === form.get("kind"));
    if (!kind || !(await recordActivity(payer, reference, kind, transfersSeen(form)))) return undefined;
    return isPerson(request) ? backToPage(request, reference) : new Response(null, { status: 204 });
  },
);

export const GET = redirectToPage;
