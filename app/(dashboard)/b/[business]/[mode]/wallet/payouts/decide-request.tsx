"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { FactorFirst, lacksFactor, type PayoutOwner, PROOF_FIELDS, usePayoutProof } from "#app/(dashboard)/_money-out/use-payout-proof.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { formatMoney, type Money } from "#lib/money.ts";

type Approve = typeof import("#app/api/dashboard/payout-requests/[id]/approve/route.ts").POST;
type Decline = typeof import("#app/api/dashboard/payout-requests/[id]/decline/route.ts").POST;

interface DecideRequestProps {
  id: string;
  to: string;
  accountName: string;
  amount: Money;
  owner: PayoutOwner;
  /** Whether the reader asked for it. */
  isOwn: boolean;
  /** The path of the wallet. */
  path: string;
}

/** The buttons of a payout that waits for a second person. Who asked for it can only withdraw it. */
export function DecideRequest(props: DecideRequestProps) {
  const { isOwn, amount, to } = props;
  const sum = formatMoney(amount);
  return (
    <>
      <Flow frame={Dialog} title={isOwn ? "Withdraw this payout?" : "Decline this payout?"} trigger={isOwn ? "Withdraw" : "Decline"}>
        {(flow) => <DeclineForm {...props} flow={flow} />}
      </Flow>
      {!isOwn && (
        <Flow frame={Dialog} title={`Send ${sum} to ${to}?`} trigger="Agree" triggerVariant="primary">
          {(flow) =>
            lacksFactor(props.owner) ? <FactorFirst securityHref={props.owner.securityHref} /> : <ApproveForm {...props} flow={flow} />
          }
        </Flow>
      )}
    </>
  );
}

type FormProps = DecideRequestProps & { flow: FlowControls };

function ApproveForm({ id, to, accountName, amount, owner, path, flow }: FormProps) {
  const router = useRouter();
  const { work, send } = useSending(flow);
  const { prove, fields } = usePayoutProof(owner, "pay_out");
  const approve = (typed: (field: string) => string) =>
    send({ id }, async ({ idempotencyKey }) => {
      const body = await prove(typed);
      const { data } = await call<Approve>({ merchantId: owner.merchantId }, "POST", "/api/dashboard/payout-requests/{id}/approve", {
        ...{ params: { id }, body, idempotencyKey },
      });
      flow.close();
      router.push(`${path}/payouts/${data.id}`);
    });
  return (
    <SecurityForm {...work} label={`Send ${formatMoney(amount)}`} fields={PROOF_FIELDS} onSend={approve}>
      {(errors) => (
        <>
          <p className="text-muted">
            It leaves your wallet at once, with the fee, for {accountName} at {to}. You are the second person who decides.
          </p>
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}

function DeclineForm({ id, isOwn, owner, flow }: FormProps) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const decline = () =>
    send({ id }, async ({ idempotencyKey }) => {
      await call<Decline>({ merchantId: owner.merchantId }, "POST", "/api/dashboard/payout-requests/{id}/decline", {
        ...{ params: { id }, idempotencyKey },
      });
      flow.close();
      toast({ title: isOwn ? "Payout withdrawn" : "Payout declined" });
    });
  return (
    <SecurityForm {...work} label={isOwn ? "Withdraw payout" : "Decline payout"} isDangerous fields={[]} onSend={decline}>
      {() => <p className="text-muted">No money was set aside for it, and none leaves. It can be asked for again.</p>}
    </SecurityForm>
  );
}
