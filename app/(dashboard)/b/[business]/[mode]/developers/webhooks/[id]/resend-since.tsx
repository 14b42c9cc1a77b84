"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";

type Resend = typeof import("#app/api/v1/webhook-endpoints/[id]/resend/route.ts").POST;

const AGES = [
  { value: "hour", label: "The last hour", ms: HOUR_MS },
  { value: "day", label: "The last 24 hours", ms: DAY_MS },
  { value: "week", label: "The last 7 days", ms: 7 * DAY_MS },
  // A minute short of 30 days: the answer is a little later than the click.
  { value: "month", label: "The last 30 days", ms: 30 * DAY_MS - 60_000 },
] as const;

interface ResendSinceProps {
  id: string;
  /** Deliveries that wait to be sent. */
  pending: number;
  /** Since when the endpoint has failed, as ISO text. */
  failedSince: string | undefined;
}

/** Sends an endpoint everything since a time that it did not get. */
export function ResendSince({ id, pending, failedSince }: ResendSinceProps) {
  const router = useRouter();
  const { act, isWorking, problem, answer } = useAction({
    name: `endpoints/${id}/resend`,
    send: (caller, body: { since: string }, idempotencyKey) =>
      call<Resend>(caller, "POST", "/api/v1/webhook-endpoints/{id}/resend", { params: { id }, body, idempotencyKey }),
    onDone: () => router.refresh(),
  });
  const send = (chosen: string) => {
    const age = AGES.find(({ value }) => value === chosen);
    act({ since: age ? new Date(Date.now() - age.ms).toISOString() : (failedSince ?? "") });
  };
  return (
    <ActionForm label="Send again" problem={problem} isWorking={isWorking} fields={["since"]} onSend={(typed) => send(typed("since"))}>
      {(errors) => (
        <>
          <div className="flex flex-wrap items-end gap-3">
            <div className="w-56 max-w-full">
              <Field label="Events of" name="since" error={errors.since}>
                {(wiring) => (
                  <Select {...wiring} defaultValue={failedSince ? "failing" : "day"}>
                    {failedSince && <option value="failing">Since it began to fail</option>}
                    {AGES.map(({ value, label }) => (
                      <option key={value} value={value}>
                        {label}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
            </div>
            <Button type="submit" pending={isWorking}>
              Send all again
            </Button>
          </div>
          <p className="max-w-[72ch] text-fact text-muted">
            Sends what failed or was never sent, oldest first, at most 10,000 at a time. What was delivered is not sent again.
          </p>
          <p role="status" className="font-medium empty:hidden">
            {pending > 0 && `${pending.toLocaleString("en")} to be sent.`}
            {pending === 0 && answer && "Everything is sent. Look at the deliveries for what failed again."}
          </p>
        </>
      )}
    </ActionForm>
  );
}
