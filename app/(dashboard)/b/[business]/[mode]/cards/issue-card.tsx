"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Select } from "#components/ui/select.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { dollarsText } from "./amounts.ts";
import { Unanswered } from "./unanswered.tsx";

type Issue = typeof import("#app/api/v1/virtual-cards/route.ts").POST;

interface Body {
  cardholder_id: number;
  brand: "VISA" | "MASTERCARD";
  nickname?: string;
}

/** The fee for issuing a card in US dollars, with the exchange rate. `unknown` while no rate is valid. */
export type IssueFee = { dollars: number; rate: number } | "unknown";

interface IssueCardProps {
  /** The path of the cards. */
  path: string;
  /** Approved cardholders. */
  holders: readonly { id: number; name: string; email: string }[];
  hasMore: boolean;
  fee: IssueFee;
}

/** The sheet that issues a card to an approved cardholder. */
export function IssueCard(props: IssueCardProps) {
  return (
    <Sheet
      title="Issue a card"
      description="A virtual card in US dollars, for one cardholder."
      trigger="Issue card"
      triggerVariant="primary"
    >
      {props.holders.length === 0 ? <NobodyApproved path={props.path} /> : <IssueForm {...props} />}
    </Sheet>
  );
}

const NobodyApproved = ({ path }: { path: string }) => (
  <Notice tone="warning" title="No cardholder is approved yet">
    The card's issuer checks each person's identity, in seconds or days. <TextLink href={`${path}/holders`}>See your cardholders</TextLink>
  </Notice>
);

function IssueForm({ path, holders, hasMore, fee }: IssueCardProps) {
  const router = useRouter();
  const { act, isWorking, problem, lost } = useAction({
    name: "cards/issue",
    send: (caller, body: Body, idempotencyKey) => call<Issue>(caller, "POST", "/api/v1/virtual-cards", { body, idempotencyKey }),
    onDone: ({ data }) => router.push(`${path}/${data.id}`),
  });
  const send = (typed: (field: string) => string) => {
    const nickname = typed("nickname").trim();
    const brand = typed("brand") === "MASTERCARD" ? "MASTERCARD" : "VISA";
    act({ cardholder_id: Number(typed("cardholder_id")), brand, ...(nickname && { nickname }) });
  };
  if (lost) return <Unanswered what="this card" isWorking={isWorking} problem={problem} onSend={() => act(lost)} />;
  return (
    <ActionForm isWorking={isWorking} problem={problem} fields={["cardholder_id", "brand", "nickname"]} onSend={send} className="grow">
      {(errors) => (
        <>
          <Field
            label="Cardholder"
            name="cardholder_id"
            error={errors.cardholder_id}
            hint={hasMore ? "These are your newest. For another one, open the person's page and issue the card there." : undefined}
          >
            {(wiring) => (
              <Select {...wiring}>
                {holders.map(({ id, name, email }) => (
                  <option key={id} value={id}>
                    {name} ({email})
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Brand" name="brand" error={errors.brand}>
            {(wiring) => (
              <Select {...wiring}>
                <option value="VISA">Visa</option>
                <option value="MASTERCARD">Mastercard</option>
              </Select>
            )}
          </Field>
          <Field label="Nickname" name="nickname" optional error={errors.nickname} hint="What the card is for, as you call it: Ads.">
            {(wiring) => <Input {...wiring} maxLength={50} autoComplete="off" />}
          </Field>
          <FeeLine fee={fee} />
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            <Button type="submit" variant="primary" pending={isWorking}>
              Issue card
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}

function FeeLine({ fee }: { fee: IssueFee }) {
  if (fee === "unknown") {
    return (
      <Notice tone="warning">
        There is no valid exchange rate just now, and no card can be issued without one. Try again in a few minutes.
      </Notice>
    );
  }
  const { dollars, rate } = fee;
  return (
    <p className="text-muted">
      {dollars === 0
        ? "Issuing a card is free."
        : `Issuing a card costs ${dollarsText(dollars)}, from your wallet at ${rate.toFixed(2)} Naira for a dollar.`}
    </p>
  );
}
