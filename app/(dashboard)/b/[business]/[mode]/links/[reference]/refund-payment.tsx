"use client";

import { useState } from "react";
import { type AnswerOf, type Caller, call } from "#app/_client/call.ts";
import type { FactorProof } from "#app/_client/factor-proof.tsx";
import { FindOut, Outcome, ProvenSheet, Sums } from "#app/(dashboard)/_money-out/proven-sheet.tsx";
import { FactorFirst, lacksFactor, type PayoutOwner, PROOF_FIELDS } from "#app/(dashboard)/_money-out/use-payout-proof.tsx";
import { useProvenAction } from "#app/(dashboard)/_money-out/use-proven-action.ts";
import { NairaInput } from "#components/links/naira-input.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { formatMoney, type Money, money, toMajorNumber, toPlainDigits } from "#lib/money.ts";
import { nairaTyped } from "#lib/naira-typed.ts";

type Post = typeof import("#app/api/dashboard/refunds/route.ts").POST;
type Answered = AnswerOf<Post>;

interface Body {
  reference: string;
  amount: number;
  reason?: string;
}

interface RefundPaymentProps {
  owner: PayoutOwner;
  reference: string;
  /** Naira of the payment that can still be refunded. */
  left: Money;
  available: Money;
  /** Where the money goes, as a sentence. */
  where: string;
  /** States of refunds that this page knows, by id. */
  outcomes: Readonly<Record<string, Answered["status"]>>;
}

const post = (caller: Caller, body: Body, proof: Partial<FactorProof>, idempotencyKey: string): Promise<Answered> =>
  call<Post>(caller, "POST", "/api/dashboard/refunds", { body: { ...body, ...proof }, idempotencyKey });

const useRefund = (owner: PayoutOwner, reference: string) => useProvenAction({ owner, name: `links/${reference}/refund`, post });
type RefundAction = ReturnType<typeof useRefund>;

/** The button and the sheet that refund a payment. */
export function RefundPayment(props: RefundPaymentProps) {
  const action = useRefund(props.owner, props.reference);
  return (
    <ProvenSheet label="Refund" title="Refund this payment" action={action}>
      {(key) => <Content key={key} {...props} action={action} />}
    </ProvenSheet>
  );
}

function Content(props: RefundPaymentProps & { action: RefundAction }) {
  const { action, owner, left } = props;
  if (action.answer) {
    // While it is processing, the page behind the sheet refreshes, and `outcomes` brings the end.
    const { id, status } = action.answer;
    return (
      <Outcome>
        <Says answer={action.answer} status={props.outcomes[id] ?? status} />
      </Outcome>
    );
  }
  if (action.unanswered) {
    const title = `You refunded ${sumOf(action.unanswered.amount)} before, and the answer was lost`;
    return <FindOut action={action} body={action.unanswered} title={title} />;
  }
  if (lacksFactor(owner)) return <FactorFirst securityHref={owner.securityHref} />;
  return left.minor > 0n ? <Form {...props} /> : <NothingLeft />;
}

function NothingLeft() {
  return (
    <>
      <Notice tone="info" title="Nothing of this payment is left to refund">
        The page behind shows where it went.
      </Notice>
      <OverlayActions>
        <OverlayClose>Close</OverlayClose>
      </OverlayActions>
    </>
  );
}

const sumOf = (major: number): string => formatMoney(money(BigInt(Math.round(major * 100)), "NGN"));

function Form({ action, reference, left, available, where }: RefundPaymentProps & { action: RefundAction }) {
  const [text, setText] = useState(toPlainDigits(left));
  const typed = nairaTyped(text);
  const amount = typed && typed.minor > 0n && typed.minor <= left.minor ? typed : undefined;
  const lack = amount && amount.minor > available.minor;
  const send = (value: (field: string) => string) => {
    if (!amount || lack) return;
    const reason = value("reason").trim();
    void action.send({ reference, amount: toMajorNumber(amount), ...(reason !== "" && { reason }) }, value);
  };
  return (
    <ActionForm
      isWorking={action.isWorking}
      problem={action.problem}
      fields={["amount", "reason", ...PROOF_FIELDS]}
      onSend={send}
      className="grow"
    >
      {(errors) => (
        <>
          <Field
            label="Amount"
            name="amount"
            error={errors.amount}
            hint={`At most ${formatMoney(left)}, which is what is left of the payment.`}
          >
            {(wiring) => (
              <NairaInput {...wiring} min={1} max={toMajorNumber(left)} value={text} onChange={({ target }) => setText(target.value)} />
            )}
          </Field>
          <Field label="Reason" name="reason" optional error={errors.reason} hint="For your team. The customer does not see it.">
            {(wiring) => <Input {...wiring} maxLength={200} autoComplete="off" />}
          </Field>
          {amount && !lack && <Summary amount={amount} available={available} where={where} />}
          {lack && <Notice tone="warning">Your wallet has {formatMoney(available)} available. Add money first, or refund less.</Notice>}
          {action.fields(errors)}
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            <Button type="submit" variant="primary" pending={action.isWorking} disabled={(!amount || lack) && !action.isWorking}>
              {amount ? `Refund ${formatMoney(amount)}` : "Refund"}
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}

function Summary({ amount, available, where }: { amount: Money; available: Money; where: string }) {
  const lines: [string, string][] = [
    ["Leaves your wallet", formatMoney(amount)],
    ["Stays in your wallet", formatMoney(money(available.minor - amount.minor, "NGN"))],
  ];
  return <Sums lines={lines} note={where} />;
}

function Says({ answer: { amount, failure_reason }, status }: { answer: Answered; status: Answered["status"] }) {
  const sum = sumOf(amount);
  switch (status) {
    case "needs_account":
      return (
        <Notice tone="info" title="We asked the customer for an account">
          A mail with a link is on its way, which works for 72 hours. {sum} of your wallet is set aside until then.
        </Notice>
      );
    case "processing":
      return (
        <Notice tone="warning" title="The bank has not said yet whether it arrived. Do not refund it again: this page will tell you.">
          {sum} of your wallet is set aside until it does.
        </Notice>
      );
    case "paid":
      return (
        <Notice tone="success" title={`${sum} is refunded`}>
          It has left your wallet.
        </Notice>
      );
    default:
      return (
        <Notice tone="danger" title={`${sum} was not refunded`}>
          {failure_reason} It is back in your wallet.
        </Notice>
      );
  }
}
