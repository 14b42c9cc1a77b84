"use client";

import { useEffect, useState } from "react";
import { FindOut, Outcome, ProvenSheet, Sums } from "#app/(dashboard)/_money-out/proven-sheet.tsx";
import { FactorFirst, lacksFactor, type PayoutOwner, PROOF_FIELDS } from "#app/(dashboard)/_money-out/use-payout-proof.tsx";
import { NairaInput } from "#components/links/naira-input.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Select } from "#components/ui/select.tsx";
import { formatMoney, type Money, money, toMajorNumber, toPlainDigits } from "#lib/money.ts";
import { nairaTyped } from "#lib/naira-typed.ts";
import { type PayoutQuote, usePayoutQuote } from "./use-payout-quote.ts";
import { type PayoutAnswer, type PayoutBody, type SendAction, useSendMoney } from "./use-send-money.ts";

export interface AccountChoice {
  id: string;
  /** Bank and the end of the number. */
  to: string;
  accountName: string;
}

interface SendMoneyProps {
  owner: PayoutOwner;
  /** The accounts that can be paid to. */
  accounts: readonly AccountChoice[];
  /** Accounts that cannot be used yet. */
  hasWaiting: boolean;
  available: Money;
  payable: Money;
  /** Naira that came too short a time ago. */
  fresh: Money;
  /** For how long money of links waits: "24 hours". */
  delay: string;
  /** Naira of one payout. */
  max: number;
  path: string;
  /** States of payouts that this page knows, by id. */
  outcomes: Readonly<Record<string, "processing" | "paid" | "failed" | "reversed">>;
}

/** The button and the sheet that send money of the wallet to a bank account. */
export function SendMoney(props: SendMoneyProps) {
  const action = useSendMoney(props.owner);
  return (
    <ProvenSheet label="Send to bank" variant="primary" title="Send to bank" action={action}>
      {(key) => <Content key={key} {...props} action={action} />}
    </ProvenSheet>
  );
}

function Content(props: SendMoneyProps & { action: SendAction }) {
  const { action, owner, accounts, hasWaiting, path, outcomes } = props;
  if (action.answer) return <Sent answer={action.answer} path={path} outcomes={outcomes} />;
  if (action.unanswered) {
    const { amount, bank_account_id } = action.unanswered;
    const to = accounts.find(({ id }) => id === bank_account_id)?.to ?? "your bank";
    const title = `You sent ${nairaText(amount)} to ${to} before, and the answer was lost`;
    return <FindOut action={action} body={action.unanswered} title={title} />;
  }
  if (lacksFactor(owner)) return <FactorFirst securityHref={owner.securityHref} />;
  if (accounts.length === 0) return <NoAccount path={path} hasWaiting={hasWaiting} />;
  return <Form {...props} />;
}

function NoAccount({ path, hasWaiting }: { path: string; hasWaiting: boolean }) {
  return (
    <>
      <Notice tone="info" title={hasWaiting ? "Your bank account cannot be used yet" : "Add a bank account first"}>
        {hasWaiting
          ? "The page of bank accounts says from when it can be."
          : "Money goes only to bank accounts that an owner or an admin has added for the business."}
      </Notice>
      <OverlayActions>
        <OverlayClose>Later</OverlayClose>
        <ButtonLink variant="primary" href={`${path}/accounts`}>
          {hasWaiting ? "See bank accounts" : "Add a bank account"}
        </ButtonLink>
      </OverlayActions>
    </>
  );
}

const kobo = (major: number): bigint => BigInt(Math.round(major * 100));
const nairaText = (major: number): string => formatMoney(money(kobo(major), "NGN"));
const CHANGED = "The fee has changed, and nothing was sent. Look at the new one, then press the button again.";

function Form({ action, accounts, available, payable, fresh, delay, max }: SendMoneyProps & { action: SendAction }) {
  const [text, setText] = useState("");
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? "");
  const typed = nairaTyped(text);
  const amount = typed && isWithin(typed, max) ? toPlainDigits(typed) : undefined;
  const { quote, problem: quoteProblem, isFresh, readAgain } = usePayoutQuote(amount);
  const { isWorking, isPriceChanged, problem } = action;
  useEffect(() => {
    if (isPriceChanged && problem) readAgain();
  }, [isPriceChanged, problem, readAgain]);
  const isOutside = text.trim() !== "" && amount === undefined;
  const lack = quote && kobo(quote.total) > payable.minor;
  const send = (value: (field: string) => string) => {
    if (!quote || !isFresh || lack || !typed) return;
    const narration = value("narration").trim();
    const body: PayoutBody = {
      ...{ kind: quote.needs_second_person ? "ask" : "send", amount: toMajorNumber(typed), bank_account_id: accountId },
      ...(narration !== "" && { narration }),
      expected_total: quote.total,
    };
    void action.send(body, value);
  };
  const account = accounts.find(({ id }) => id === accountId);
  return (
    <ActionForm
      isWorking={isWorking}
      problem={isPriceChanged && problem ? { ...problem, message: CHANGED, errors: {} } : problem}
      fields={["amount", "bank_account_id", "narration", ...PROOF_FIELDS]}
      onSend={send}
      className="grow"
    >
      {(errors) => (
        <>
          <Field
            label="Amount"
            name="amount"
            error={errors.amount}
            hint={isOutside ? `From ${nairaText(MIN)} to ${nairaText(max)}.` : <RoomHint {...{ payable, fresh, delay, available }} />}
          >
            {(wiring) => <NairaInput {...wiring} min={MIN} max={max} value={text} onChange={({ target }) => setText(target.value)} />}
          </Field>
          <Field label="To" name="bank_account_id" error={errors.bank_account_id} hint={account?.accountName}>
            {(wiring) => (
              <Select {...wiring} value={accountId} onChange={({ target }) => setAccountId(target.value)}>
                {accounts.map(({ id, to }) => (
                  <option key={id} value={id}>
                    {to}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Narration" name="narration" optional error={errors.narration} hint="Your bank shows it beside the money.">
            {(wiring) => <Input {...wiring} maxLength={50} autoComplete="off" />}
          </Field>
          {amount && !quote && !quoteProblem && <p className="text-muted">Reading the fee…</p>}
          {quoteProblem && (
            <Notice tone="warning">
              {quoteProblem}{" "}
              <button type="button" onClick={readAgain} className="font-medium underline underline-offset-3">
                Read it again
              </button>
            </Notice>
          )}
          {quote && <Summary quote={quote} />}
          {lack && <Notice tone="warning">That is more than can be sent now.</Notice>}
          {quote?.needs_second_person && !lack && (
            <Notice tone="info">Your business wants two people for so much. A second owner or admin decides before anything leaves.</Notice>
          )}
          {action.fields(errors)}
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            <Button type="submit" variant="primary" pending={isWorking} disabled={(!quote || !isFresh || lack) && !isWorking}>
              {labelOf(quote)}
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}

/** Naira. */
const MIN = 100;
const isWithin = ({ minor }: Money, max: number): boolean => minor >= BigInt(MIN) * 100n && minor <= BigInt(max) * 100n;

function labelOf(quote: PayoutQuote | undefined): string {
  if (!quote) return "Send money";
  return quote.needs_second_person ? `Ask for ${nairaText(quote.amount)}` : `Send ${nairaText(quote.amount)}`;
}

function RoomHint({ payable, fresh, delay, available }: Pick<SendMoneyProps, "payable" | "fresh" | "delay" | "available">) {
  if (fresh.minor === 0n) return `${formatMoney(payable)} can be sent now.`;
  return `${formatMoney(payable)} of ${formatMoney(available)} can be sent now. Payments of the last ${delay} wait, because banks may take them back.`;
}

function Summary({ quote }: { quote: PayoutQuote }) {
  const lines: [string, string][] = [
    ["Arrives", nairaText(quote.amount)],
    ["Fee", nairaText(quote.fee)],
    ["Leaves your wallet", nairaText(quote.total)],
    ...(quote.available_after >= 0 ? [["Stays in your wallet", nairaText(quote.available_after)] as [string, string]] : []),
  ];
  return <Sums lines={lines} note="It usually arrives within minutes." />;
}

interface SentProps {
  answer: PayoutAnswer;
  path: string;
  outcomes: SendMoneyProps["outcomes"];
}

/** The outcome. While it is processing, the page behind the sheet refreshes, and `outcomes` brings the end. */
function Sent({ answer, path, outcomes }: SentProps) {
  const href = answer.kind === "sent" ? `${path}/payouts/${answer.payout.id}` : `${path}/payouts`;
  return (
    <Outcome more={<ButtonLink href={href}>{answer.kind === "sent" ? "View payout" : "View payouts"}</ButtonLink>}>
      {answer.kind === "sent" ? <Says payout={answer.payout} outcomes={outcomes} /> : <Asked />}
    </Outcome>
  );
}

const Asked = () => (
  <Notice tone="success" title="A second person decides now">
    Another owner or admin sees it on Home and on the page of payouts. Nothing has left your wallet.
  </Notice>
);

function Says({ payout, outcomes }: { payout: Extract<PayoutAnswer, { kind: "sent" }>["payout"]; outcomes: SendMoneyProps["outcomes"] }) {
  const { id, status, amount, total, failure_reason, bank_account } = payout;
  const now = outcomes[id] ?? status;
  const to = `${bank_account.bank_name} ••${bank_account.account_number.slice(-4)}`;
  if (now === "processing") {
    return (
      <Notice tone="warning" title="The bank has not said yet whether it arrived. Do not send it again: this page will tell you.">
        {nairaText(total)} of your wallet is set aside until it does.
      </Notice>
    );
  }
  if (now === "paid") {
    return (
      <Notice tone="success" title={`${nairaText(amount)} is sent to ${to}`}>
        {nairaText(total)} has left your wallet.
      </Notice>
    );
  }
  return (
    <Notice tone="danger" title={`${nairaText(amount)} did not reach ${to}`}>
      {failure_reason} {nairaText(total)} is back in your wallet.
    </Notice>
  );
}
