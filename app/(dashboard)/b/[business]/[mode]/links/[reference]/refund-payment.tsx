"use client";

import { useEffect, useRef, useState } from "react";
import { type AnswerOf, type Caller, call } from "#app/_client/call.ts";
import type { FactorProof } from "#app/_client/factor-proof.tsx";
import { FactorFirst, lacksFactor, type PayoutOwner, PROOF_FIELDS } from "#app/(dashboard)/_money-out/use-payout-proof.tsx";
import { useProvenAction } from "#app/(dashboard)/_money-out/use-proven-action.ts";
import { NairaInput } from "#components/links/naira-input.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
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
  const [isOpen, setOpen] = useState(false);
  const [count, setCount] = useState(0);
  const open = (next: boolean) => {
    if (next && !action.isWorking && !action.unanswered) action.reset();
    if (next) setCount((last) => last + 1);
    setOpen(next);
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => open(true)}>
        Refund
      </Button>
      <Sheet title="Refund this payment" open={isOpen} onOpenChange={open}>
        <Content key={count} {...props} action={action} />
      </Sheet>
    </>
  );
}

function Content(props: RefundPaymentProps & { action: RefundAction }) {
  const { action, owner, left } = props;
  if (action.answer) return <Done answer={action.answer} outcomes={props.outcomes} />;
  if (action.unanswered) return <Unanswered action={action} body={action.unanswered} />;
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
  const lines = [
    ["Leaves your wallet", formatMoney(amount)],
    ["Stays in your wallet", formatMoney(money(available.minor - amount.minor, "NGN"))],
  ];
  return (
    <div className="rounded-control border border-line px-4 py-3">
      <dl className="flex flex-col gap-1.5">
        {lines.map(([label, value]) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-fact text-muted wrap-anywhere">{where}</p>
    </div>
  );
}

/** Replaces the form while the last request has no answer. It can only send the same request again. */
function Unanswered({ action, body }: { action: RefundAction; body: Body }) {
  return (
    <ActionForm
      isWorking={action.isWorking}
      problem={action.problem}
      fields={PROOF_FIELDS}
      onSend={(typed) => void action.send(body, typed)}
      className="grow"
    >
      {(errors) => (
        <>
          <Notice tone="warning" title={`You refunded ${sumOf(body.amount)} before, and the answer was lost`}>
            Press the button to find out what became of it: it is never done twice.
          </Notice>
          {action.fields(errors)}
          <OverlayActions>
            <OverlayClose>Later</OverlayClose>
            <Button type="submit" variant="primary" pending={action.isWorking}>
              Find out
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}

/** The outcome. While it is processing, the page behind the sheet refreshes, and `outcomes` brings the end. */
function Done({ answer, outcomes }: { answer: Answered; outcomes: RefundPaymentProps["outcomes"] }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <>
      <div ref={notice} tabIndex={-1} className="outline-none">
        <Says answer={answer} status={outcomes[answer.id] ?? answer.status} />
      </div>
      <OverlayActions>
        <OverlayClose variant="primary">Done</OverlayClose>
      </OverlayActions>
    </>
  );
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
