"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { FactorFirst, lacksFactor, type PayoutOwner, PROOF_FIELDS, usePayoutProof } from "#app/(dashboard)/_money-out/use-payout-proof.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { formatMoney, type Money } from "#lib/money.ts";

type Confirm = typeof import("#app/api/dashboard/refunds/[id]/confirm/route.ts").POST;
type Cancel = typeof import("#app/api/dashboard/refunds/[id]/cancel/route.ts").POST;

interface DecideRefundProps {
  id: string;
  amount: Money;
  /** The account that the customer has named, where an owner decides and the reader is one: bank, end of the number, name. */
  account: { to: string; name: string; why: string } | undefined;
  owner: PayoutOwner;
}

/** The buttons of a refund that was not ordered yet. */
export function DecideRefund(props: DecideRefundProps) {
  const { account, amount, owner } = props;
  return (
    <>
      <Flow frame={Dialog} title="Stop this refund?" trigger="Stop refund">
        {(flow) => <CancelForm {...props} flow={flow} />}
      </Flow>
      {account && (
        <Flow frame={Dialog} title={`Send ${formatMoney(amount)} to ${account.to}?`} trigger="Agree" triggerVariant="primary">
          {(flow) =>
            lacksFactor(owner) ? <FactorFirst securityHref={owner.securityHref} /> : <ConfirmForm {...props} {...account} flow={flow} />
          }
        </Flow>
      )}
    </>
  );
}

type FormProps = DecideRefundProps & { flow: FlowControls };

function ConfirmForm({ id, amount, name, why, owner, flow }: FormProps & { name: string; why: string }) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const { prove, fields } = usePayoutProof(owner, "pay_out");
  const confirm = (typed: (field: string) => string) =>
    send({ id }, async ({ idempotencyKey }) => {
      const body = await prove(typed);
      const sent = { params: { id }, body, idempotencyKey };
      await call<Confirm>({ merchantId: owner.merchantId }, "POST", "/api/dashboard/refunds/{id}/confirm", sent);
      flow.close();
      toast({ title: "The refund is on its way" });
    });
  return (
    <SecurityForm {...work} label={`Send ${formatMoney(amount)}`} fields={PROOF_FIELDS} onSend={confirm}>
      {(errors) => (
        <>
          <p className="text-muted wrap-anywhere">
            The account is in the name of {name}. {why} Ask the customer in another way before you agree: money that goes to the wrong
            person does not come back.
          </p>
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}

function CancelForm({ id, amount, owner, flow }: FormProps) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const cancel = () =>
    send({ id }, async ({ idempotencyKey }) => {
      await call<Cancel>({ merchantId: owner.merchantId }, "POST", "/api/dashboard/refunds/{id}/cancel", {
        ...{ params: { id }, idempotencyKey },
      });
      flow.close();
      toast({ title: "Refund stopped" });
    });
  return (
    <SecurityForm {...work} label="Stop refund" isDangerous fields={[]} onSend={cancel}>
      {() => (
        <p className="text-muted">{formatMoney(amount)} is free in your wallet again, and the link in the customer's mail stops working.</p>
      )}
    </SecurityForm>
  );
}
