import { publicRoute } from "#app/public-route.ts";
import { sandboxRoute } from "#app/sandbox/sandbox-route.ts";
import { settings } from "#lib/env.ts";
import { payAtCheckout, showCheckout } from "#sandbox/bank/checkout-page.ts";

type Params = { params: Promise<{ reference: string }> };

const payPageOf = (reference: string) => `${settings().BASE_URL}/pay/${encodeURIComponent(reference)}`;

export const GET = publicRoute<Params>(
  sandboxRoute(async (_request, { params }) => {
    const { reference } = await params;
    return showCheckout(reference, payPageOf(reference));
  }),
);

export const POST = publicRoute<Params>(
  sandboxRoute(async (request, { params }) => {
    const { reference } = await params;
    return payAtCheckout(reference, request, payPageOf(reference));
  }),
);
