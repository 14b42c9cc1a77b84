"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Select } from "#components/ui/select.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { typedDollars } from "../amounts.ts";

type Simulate = typeof import("#app/api/v1/test/virtual-cards/[id]/transactions/route.ts").POST;
type Kind = "AUTHORIZATION" | "CLEARING" | "REVERSAL" | "REFUND";

interface Body {
  type: Kind;
  amount: number;
  merchant_name: string;
  related_transaction_id?: string;
}

/** Spend that a clearing, a release or a refund may follow. */
export interface SpendToFollow {
  id: string;
  text: string;
}

const KINDS: { value: Kind; label: string }[] = [
  { value: "AUTHORIZATION", label: "Authorisation: the shop reserves money" },
  { value: "CLEARING", label: "Clearing: the shop takes money" },
  { value: "REVERSAL", label: "Release: the shop gives up what it reserved" },
  { value: "REFUND", label: "Refund: the shop gives money back" },
];

interface SimulateSpendProps {
  cardId: string;
  toFollow: readonly SpendToFollow[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** In test mode: charges a card as a shop would. */
export function SimulateSpend({ cardId, toFollow, open, onOpenChange }: SimulateSpendProps) {
  return (
    <Sheet title="Simulate spend" description="Test mode: the built-in shop charges this card." open={open} onOpenChange={onOpenChange}>
      <SimulateForm cardId={cardId} toFollow={toFollow} onDone={() => onOpenChange(false)} />
    </Sheet>
  );
}

function SimulateForm({ cardId, toFollow, onDone }: Pick<SimulateSpendProps, "cardId" | "toFollow"> & { onDone: () => void }) {
  const router = useRouter();
  const toast = useToast();
  const [kind, setKind] = useState<Kind>("AUTHORIZATION");
  const [unreadable, setUnreadable] = useState(false);
  const { act, isWorking, problem } = useAction({
    name: `cards/${cardId}/simulate`,
    send: (caller, body: Body, idempotencyKey) =>
      call<Simulate>(caller, "POST", "/api/v1/test/virtual-cards/{id}/transactions", { params: { id: cardId }, body, idempotencyKey }),
    onDone: ({ data }) => {
      router.refresh();
      onDone();
      toast({ title: data.type === "DECLINE" ? "The charge was declined" : "The shop has charged the card" });
    },
  });
  const send = (typed: (field: string) => string) => {
    const amount = typedDollars(typed("amount"));
    setUnreadable(!amount);
    const related = typed("related_transaction_id");
    if (!amount) return;
    act({
      ...{ type: kind, amount: Number(amount.minor) / 100, merchant_name: typed("merchant_name") },
      ...(related && { related_transaction_id: related }),
    });
  };
  return (
    <ActionForm
      isWorking={isWorking}
      problem={problem}
      fields={["type", "amount", "merchant_name", "related_transaction_id"]}
      onSend={send}
      className="grow"
    >
      {(errors) => (
        <>
          <Field label="What happens" name="type" error={errors.type}>
            {(wiring) => (
              <Select
                {...wiring}
                value={kind}
                onChange={({ target }) => setKind(KINDS.find(({ value }) => value === target.value)?.value ?? kind)}
              >
                {KINDS.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Amount in dollars" name="amount" error={unreadable ? "Enter dollars and cents, like 50 or 12.50." : errors.amount}>
            {(wiring) => <Input {...wiring} inputMode="decimal" maxLength={20} autoComplete="off" />}
          </Field>
          <Field label="Shop" name="merchant_name" error={errors.merchant_name}>
            {(wiring) => <Input {...wiring} defaultValue="Ikeja Supermarket" maxLength={100} autoComplete="off" />}
          </Field>
          {kind !== "AUTHORIZATION" && <FollowField toFollow={toFollow} error={errors.related_transaction_id} />}
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            <Button type="submit" variant="primary" pending={isWorking}>
              Simulate spend
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}

const FollowField = ({ toFollow, error }: { toFollow: readonly SpendToFollow[]; error: string | undefined }) => (
  <Field label="What it follows" name="related_transaction_id" optional error={error}>
    {(wiring) => (
      <Select {...wiring} defaultValue={toFollow[0]?.id}>
        <option value="">Nothing</option>
        {toFollow.map(({ id, text }) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
