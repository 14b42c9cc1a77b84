import { payer } from "#app/pay/payer.ts";
import { ACTIVITY_KINDS, recordActivity } from "#services/checkout/index.ts";
import { BARE_REFUSALS, payerRoute } from "../../payer-route.ts";
import { backToPage, readForm, redirectToPage } from "../../read-form.ts";
import { PAGE_REFUSALS } from "../../refusals.tsx";

const isPerson = (request: Request) => (request.headers.get("accept") ?? "").includes("text/html");
const refusalsFor = (request: Request) => (isPerson(request) ? PAGE_REFUSALS : BARE_REFUSALS);

/** Returns a whole number of a form, or undefined. */
const numberOf = (form: URLSearchParams, name: string) => {
  const [digits] = /^\d{1,15}$/.exec(form.get(name) ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
};
/** A link has at most a few transfers. */
const MAX_SEEN = 99;

/** Records a payer's action for the merchant's timeline. Answers 409 with the highest number if a newer message superseded this one. A browser without script sends the forms "I've sent the money" and "No, it did not" here too. */
export const POST = payerRoute(
  {
    unknown: (request) => refusalsFor(request).unknown(request),
    tooMany: (request, waitSeconds) => refusalsFor(request).tooMany(request, waitSeconds),
    failed: (request) => refusalsFor(request).failed(request),
  },
  async (request, reference) => {
    const form = await readForm(request);
    const kind = ACTIVITY_KINDS.find((each) => each === form.get("kind"));
    const said = { transfersSeen: Math.min(numberOf(form, "seen") ?? 0, MAX_SEEN), number: numberOf(form, "number") };
    const recorded = kind && (await recordActivity(payer, reference, kind, said));
    if (!recorded) return undefined;
    if (isPerson(request)) return backToPage(request, reference);
    return recorded.supersededBy === null
      ? new Response(null, { status: 204 })
      : Response.json({ number: recorded.supersededBy }, { status: 409 });
  },
);

export const GET = redirectToPage;
