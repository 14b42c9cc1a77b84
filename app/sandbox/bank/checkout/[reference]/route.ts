import { settings } from "#lib/env.ts";
import { payAtCheckout, showCheckout } from "#sandbox/checkout-page.ts";

type Params = { params: Promise<{ reference: string }> };

const payPageOf = (reference: string) => `${settings().BASE_URL}/pay/${encodeURIComponent(reference)}`;

export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { reference } = await params;
  return showCheckout(reference, payPageOf(reference));
}

export async function POST(request: Request, { params }: Params): Promise<Response> {
  const { reference } = await params;
  return payAtCheckout(reference, await request.formData(), payPageOf(reference));
}
