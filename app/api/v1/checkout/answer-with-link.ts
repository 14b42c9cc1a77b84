import { settings } from "#lib/env.ts";
import { type PaymentLink, presentPaymentLink } from "#services/checkout/index.ts";

/** Returns the body of a checkout answer: the link's fields at the top level, beside `success`. */
export const answerWithLink = (link: PaymentLink) => ({ success: true as const, ...presentPaymentLink(link, settings().BASE_URL) });
