import { createHash } from "node:crypto";
import { newReference } from "#lib/ids.ts";
import { formatMoney, money, toMinorUnits, toPlainDigits } from "#lib/money.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { findAccount, type SandboxAccount } from "./accounts.ts";
import { SANDBOX_BANK_NAME } from "./nuban.ts";
import { takeTransfer } from "./transfers.ts";

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:26rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.25rem;margin:.25rem 0 1rem}p{margin:.5rem 0}label{display:block;margin:1rem 0 .25rem;font-weight:600}
input,button{box-sizing:border-box;width:100%;min-height:3rem;padding:.5rem .75rem;font:inherit;border:1px solid #777;border-radius:.5rem}
button{margin-top:1rem;font-weight:700;color:#fff;background:#31418f;border-color:#31418f}.note{padding:.75rem;border:1px solid #777;border-radius:.5rem}a{color:inherit}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function page(status: number, title: string, content: string): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head><body><main><p>${SANDBOX_BANK_NAME}</p>${content}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}

/** Serves the sandbox bank's own page, where a payer can make a transfer to an account. */
export async function showCheckout(reference: string, payPage: string): Promise<Response> {
  const account = await findAccount(reference);
  if (!account) return unknownAccount();
  return page(
    200,
    SANDBOX_BANK_NAME,
    `<h1>Transfer to ${escapeHtml(account.accountName)}</h1><p>Account <strong>${account.accountNumber}</strong>. ${stateOf(account)}</p>
<form method="post"><label for="amount">Amount in Naira</label>
<input id="amount" name="amount" inputmode="decimal" required value="${toPlainDigits(money(account.kobo, "NGN"))}">
<label for="sender">Sender</label><input id="sender" name="sender" maxlength="100" value="Test Payer">
<button type="submit">Send transfer</button></form><p><a href="${payPage}">Back to the payment page</a></p>`,
  );
}

const unknownAccount = () => page(404, "Not found", "<h1>There is no such account</h1><p>Check the address.</p>");

function stateOf({ kobo, isPaid, closesAt }: SandboxAccount): string {
  if (isPaid) return "It has been paid; what comes now goes back.";
  if (closesAt <= new Date()) return "It is closed; what comes now goes back.";
  return `It takes exactly ${formatMoney(money(kobo, "NGN"))}, once.`;
}

const printable = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .slice(0, 100);

const MAX_FORM_BYTES = 4 * 1024;
const MAX_KOBO = 10_000_000_000n;

/** Makes the transfer of the submitted form, and redirects to the payment page. */
export async function payAtCheckout(reference: string, request: Request, payPage: string): Promise<Response> {
  const account = await findAccount(reference);
  if (!account) return unknownAccount();
  const bytes = await readAtMost(request, MAX_FORM_BYTES);
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const kobo = toMinorUnits(Number(String(form.get("amount")).replaceAll(/[,₦\s]/g, "")));
  if (!kobo || kobo > MAX_KOBO)
    return page(
      422,
      "Check the amount",
      '<h1>That is not an amount</h1><p>Send more than zero Naira, at most 100,000,000.00, with at most two decimals.</p><p><a href="">Try again</a></p>',
    );
  await takeTransfer({
    session: newReference(),
    accountNumber: account.accountNumber,
    kobo: String(kobo),
    from: printable(String(form.get("sender") ?? "")) || "Test Payer",
    madeAt: null,
    faults: { copies: 1, delayMs: 0 },
  });
  return new Response(null, { status: 303, headers: { Location: payPage } });
}
