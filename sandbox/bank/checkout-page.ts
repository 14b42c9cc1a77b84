import { escapeHtml } from "#lib/escape-html.ts";
import { newReference } from "#lib/ids.ts";
import { formatMoney, money, toMinorUnits, toPlainDigits } from "#lib/money.ts";
import { plainPage } from "#lib/plain-page.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { findAccount, type SandboxAccount } from "./accounts.ts";
import { SANDBOX_BANK_NAME } from "./nuban.ts";
import { takeTransfer } from "./transfers.ts";

const page = (status: number, title: string, content: string): Response =>
  plainPage({ title, content: `<p class="muted">${SANDBOX_BANK_NAME}</p>${content}`, status, hasForm: true });

/** Serves the sandbox bank's own page, where a payer can make a transfer to an account. */
export async function showCheckout(reference: string, payPage: string): Promise<Response> {
  const account = await findAccount("sandbox", reference);
  if (!account) return unknownAccount();
  return page(
    200,
    SANDBOX_BANK_NAME,
    `<h1>Transfer to ${escapeHtml(account.accountName)}</h1><p>Account <strong>${account.accountNumber}</strong>. ${stateOf(account)}</p>
<form method="post"><label for="amount">Amount in Naira</label>
<input id="amount" name="amount" inputmode="decimal" required value="${toPlainDigits(money(account.kobo, "NGN"))}">
<label for="sender">Sender</label><input id="sender" name="sender" maxlength="100" value="Test Payer">
<button type="submit">Send transfer</button></form><a class="act" href="${payPage}">Back to the payment page</a>`,
  );
}

const unknownAccount = () =>
  page(
    404,
    "Not found",
    '<h1>There is no such account</h1><p>Check the address.</p><div class="acts"><a class="act main" href="/">Go to the start</a></div>',
  );

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
  const account = await findAccount("sandbox", reference);
  if (!account) return unknownAccount();
  const bytes = await readAtMost(request, MAX_FORM_BYTES);
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const kobo = toMinorUnits(Number(String(form.get("amount")).replaceAll(/[,₦\s]/g, "")));
  if (!kobo || kobo > MAX_KOBO)
    return page(
      422,
      "Check the amount",
      '<h1>That is not an amount</h1><p>Send more than zero Naira, at most 100,000,000.00, with at most two decimals.</p><div class="acts"><a class="act main" href="">Try again</a></div>',
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
