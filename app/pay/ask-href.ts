import { guessNetwork, toNigerianMobile } from "#lib/phone.ts";
import type { PayerView } from "#services/checkout/index.ts";

type Contacts = Pick<PayerView["business"], "supportEmail" | "supportPhone">;

/** What a payer writes to the merchant. */
interface Letter {
  text: string;
  /** For a mail. */
  subject: string;
}

export const telHref = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, "")}`;

/** Returns where a payer writes to the merchant: WhatsApp on a mobile number, else a mail, else a call. Null without a contact. */
export function askHrefOf({ supportEmail, supportPhone }: Contacts, { text, subject }: Letter): string | null {
  const mobile = supportPhone === null ? undefined : mobileOf(supportPhone);
  const written = encodeURIComponent(text);
  if (mobile) return `https://wa.me/${mobile}?text=${written}`;
  if (supportEmail) return `mailto:${supportEmail}?subject=${encodeURIComponent(subject)}&body=${written}`;
  return supportPhone && isDialled(supportPhone) ? telHref(supportPhone) : null;
}

/** Returns a number that may have WhatsApp, in digits. 0700 and 0800 are numbers of businesses, which no network assigned to a phone. */
function mobileOf(phone: string): string | undefined {
  const mobile = toNigerianMobile(phone);
  return mobile && guessNetwork(mobile) ? mobile.slice(1) : undefined;
}

const isDialled = (phone: string) => phone.replaceAll(/\D/g, "").length >= 5;
