import { settings } from "#lib/env.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import type { Aggregator } from "#providers/aggregator.ts";
import type { Bank } from "#providers/bank.ts";
import type { Issuer } from "#providers/issuer.ts";
import { monnifyBank } from "#providers/monnify/bank.ts";
import { monnifyPayoutBank } from "#providers/monnify/payout-bank.ts";
import type { PayoutBank } from "#providers/payout-bank.ts";
import { paystackBank } from "#providers/paystack/bank.ts";
import { paystackPayoutBank } from "#providers/paystack/payout-bank.ts";
import { sandboxAggregator } from "#providers/sandbox/aggregator.ts";
import { sandboxAsyncIssuer } from "#providers/sandbox/async-issuer.ts";
import { type SandboxBank, sandboxBank } from "#providers/sandbox/bank.ts";
import { type SandboxIssuer, sandboxIssuer } from "#providers/sandbox/issuer.ts";
import { sandboxPayoutBank } from "#providers/sandbox/payout-bank.ts";
import { sandboxPlainBank } from "#providers/sandbox/plain-bank.ts";
import { sandboxPlainPayoutBank } from "#providers/sandbox/plain-payout-bank.ts";
import { vtpassAggregator } from "#providers/sandbox/vtpass-aggregator.ts";
import { squadBank } from "#providers/squad/bank.ts";
import { squadPayoutBank } from "#providers/squad/payout-bank.ts";

// All adapters, by the provider's name in rows. A live one needs one line here and one folder in providers/.

const signed = () => ({ url: settings().SANDBOX_URL, requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() });

/** The test banks and issuers, at which the API plays payers and shops. */
export const SANDBOX_BANKS: Record<string, () => SandboxBank> = {
  sandbox: () => sandboxBank(signed()),
  "sandbox-plain": () => sandboxPlainBank(signed()),
};
export const SANDBOX_ISSUERS: Record<string, () => SandboxIssuer> = {
  sandbox: () => sandboxIssuer(signed()),
  "sandbox-async": () => sandboxAsyncIssuer(signed()),
};

function monnifyKeys() {
  const { OJA_MONNIFY_BASE_URL: url, OJA_MONNIFY_API_KEY: apiKey, OJA_MONNIFY_SECRET_KEY: secretKey } = settings();
  return apiKey === undefined || secretKey === undefined ? undefined : { url, apiKey, secretKey };
}

/** A provider whose settings are empty is not made, and so not offered. */
export const BANKS: Record<string, () => Bank | undefined> = {
  ...SANDBOX_BANKS,
  paystack: () => {
    const { OJA_PAYSTACK_BASE_URL: url, OJA_PAYSTACK_SECRET_KEY: secretKey, BASE_URL } = settings();
    return secretKey === undefined ? undefined : paystackBank({ url, secretKey, domain: "live", payerHost: new URL(BASE_URL).hostname });
  },
  squad: () => {
    const { OJA_SQUAD_BASE_URL: url, OJA_SQUAD_SECRET_KEY: secretKey } = settings();
    return secretKey === undefined ? undefined : squadBank({ url, secretKey });
  },
  monnify: () => {
    const keys = monnifyKeys();
    const { OJA_MONNIFY_CONTRACT_CODE: contractCode, OJA_MONNIFY_SOURCE_ACCOUNT: sourceAccount } = settings();
    return keys && contractCode !== undefined ? monnifyBank({ ...keys, contractCode, sourceAccount }) : undefined;
  },
};
/** The payouts of banks, by the name of the bank. */
export const PAYOUT_BANKS: Record<string, () => PayoutBank | undefined> = {
  paystack: () => {
    const { OJA_PAYSTACK_BASE_URL: url, OJA_PAYSTACK_SECRET_KEY: secretKey } = settings();
    return secretKey === undefined ? undefined : paystackPayoutBank({ url, secretKey, domain: "live" });
  },
  squad: () => {
    const { OJA_SQUAD_BASE_URL: url, OJA_SQUAD_SECRET_KEY: secretKey, OJA_SQUAD_MERCHANT_ID: merchantId } = settings();
    return secretKey === undefined || merchantId === undefined ? undefined : squadPayoutBank({ url, secretKey, merchantId });
  },
  monnify: () => {
    const keys = monnifyKeys();
    const { OJA_MONNIFY_SOURCE_ACCOUNT: sourceAccount } = settings();
    return keys && sourceAccount !== undefined ? monnifyPayoutBank({ ...keys, sourceAccount }) : undefined;
  },
  sandbox: () => sandboxPayoutBank(signed()),
  "sandbox-plain": () => sandboxPlainPayoutBank(signed()),
};
export const ISSUERS: Record<string, () => Issuer> = { ...SANDBOX_ISSUERS };
export const AGGREGATORS: Record<string, () => Aggregator> = {
  sandbox: () => sandboxAggregator(signed()),
  "sandbox-vtpass": () => vtpassAggregator(signed()),
};
