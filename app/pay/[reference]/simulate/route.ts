import { payer } from "#app/pay/payer.ts";
import { PAYER_SIMULATIONS, simulateAsPayer } from "#services/checkout/index.ts";
import { payerRoute } from "../../payer-route.ts";
import { backToPage, readForm, redirectToPage } from "../../read-form.ts";
import { PAGE_REFUSALS } from "../../refusals.tsx";

/** Carries out a button of test mode. In live mode it answers as for an unknown link. */
export const POST = payerRoute(PAGE_REFUSALS, async (request, reference) => {
  // Only the page's own buttons count. Another site must not send the form through a visitor's browser.
  if ((request.headers.get("sec-fetch-site") ?? "same-origin") !== "same-origin") return undefined;
  const named = (await readForm(request)).get("what");
  const what = PAYER_SIMULATIONS.find((each) => each === named);
  if (!what || !(await simulateAsPayer(payer, reference, what))) return undefined;
  return backToPage(request, reference);
});

export const GET = redirectToPage;
