"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Remove = typeof import("#app/api/dashboard/bank-accounts/[id]/remove/route.ts").POST;

interface RemoveAccountProps {
  id: string;
  to: string;
  merchantId: string;
}

/** The button and the question that remove a bank account. */
export function RemoveAccount(props: RemoveAccountProps) {
  return (
    <Flow frame={Dialog} title={`Remove ${props.to}?`} trigger="Remove">
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ id, merchantId, flow }: RemoveAccountProps & { flow: FlowControls }) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const remove = () =>
    send({ id }, async ({ idempotencyKey }) => {
      await call<Remove>({ merchantId }, "POST", "/api/dashboard/bank-accounts/{id}/remove", { params: { id }, idempotencyKey });
      flow.close();
      toast({ title: "Bank account removed" });
    });
  return (
    <SecurityForm {...work} label="Remove bank account" isDangerous fields={[]} onSend={remove}>
      {() => (
        <p className="text-muted">
          Nothing is sent to it any more, also no automatic payout. A payout that is under way goes on. To use the account again, add it
          again.
        </p>
      )}
    </SecurityForm>
  );
}
