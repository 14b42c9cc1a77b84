"use client";

import { useState } from "react";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Select } from "#components/ui/select.tsx";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { type Missed, type ResendProgress, useMissed, useResend } from "./use-resend.ts";

const AGES = [
  { value: "hour", label: "The last hour", ms: HOUR_MS },
  { value: "day", label: "The last 24 hours", ms: DAY_MS },
  { value: "week", label: "The last 7 days", ms: 7 * DAY_MS },
  // A minute less than the limit of 30 days, because the server reads its clock a little later than the click.
  { value: "month", label: "The last 30 days", ms: 30 * DAY_MS - 60_000 },
] as const;

interface ResendSinceProps {
  id: string;
  /** Deliveries that wait to be sent. */
  pending: number;
  /** Those of them that have failed before. */
  retrying: number;
  /** The time of the oldest event that the endpoint may have missed, as ISO text. */
  missedSince: string | undefined;
}

/** A form that resends all events since a time that an endpoint did not get. */
export function ResendSince({ id, pending, retrying, missedSince }: ResendSinceProps) {
  const [age, setAge] = useState<string>(missedSince ? "missed" : "day");
  const { act, forget, isWorking, problem, answer, lost, progress } = useResend(id);
  const since = (): string => {
    const chosen = AGES.find(({ value }) => value === age);
    return chosen ? new Date(Date.now() - chosen.ms).toISOString() : (missedSince ?? new Date().toISOString());
  };
  const { missed, isCounting } = useMissed(id, age, since, `${answer} ${pending === 0} ${retrying}`);
  return (
    <ActionForm label="Send again" problem={problem} isWorking={isWorking} fields={["since"]} onSend={() => act(lost?.since ?? since())}>
      {(errors) => (
        <>
          {lost && !isWorking && (
            <Notice tone="warning" title="Sending again was interrupted">
              What was sent before that is on its way, and is not sent twice. Go on to send the rest.
            </Notice>
          )}
          <div className="flex flex-wrap items-end gap-3">
            {!lost && (
              <div className="w-56 max-w-full">
                <Field label="Events of" name="since" error={errors.since}>
                  {(wiring) => (
                    <Select {...wiring} value={age} onChange={({ currentTarget }) => setAge(currentTarget.value)}>
                      {missedSince && <option value="missed">Since it first missed one</option>}
                      {AGES.map(({ value, label }) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
              </div>
            )}
            <Button type="submit" disabled={!lost && !isWorking && (isCounting || isNothing(missed))} pending={isWorking}>
              {lost ? "Go on" : sendLabel(missed, isCounting)}
            </Button>
            {lost && !isWorking && <Button onClick={forget}>Choose another time</Button>}
          </div>
          <p className="max-w-[72ch] text-fact text-muted">
            Sends what failed or was never sent, oldest first{hasSteps(missed) && ", in steps of 10,000"}. What was delivered is not sent
            again.
          </p>
          <p role="status" className="font-medium empty:hidden">
            {isWorking ? workingText(progress) : lost ? "" : restingText({ missed, pending, answer })}
          </p>
        </>
      )}
    </ActionForm>
  );
}

const inWords = (count: number, isExact: boolean): string => `${count.toLocaleString("en")}${isExact ? "" : " or more"}`;

/** One request resends at most this many events, and a count stops at this many. */
const STEP = 10_000;

const hasSteps = (count: Missed | undefined): boolean => count !== undefined && count.missed >= STEP && !count.isExact;

/** While the count is unknown, there may be something to send, so the button stays enabled. */
const isNothing = (count: Missed | undefined): boolean => count?.missed === 0 && count.isExact;

/** Says how many events a click sends again, where that is known and not 0. */
function sendLabel(count: Missed | undefined, isCounting: boolean): string {
  if (isCounting || isNothing(count)) return "Send again";
  if (!count || count.missed === 0) return "Send all again";
  return `Send ${inWords(count.missed, count.isExact)} ${count.missed === 1 && count.isExact ? "event" : "events"} again`;
}

function workingText(progress: ResendProgress | undefined): string {
  if (!progress) return "";
  const { sent, left, isExact } = progress;
  return `${sent.toLocaleString("en")} are on their way, ${isExact ? `${left.toLocaleString("en")} are left` : "more may be left"}.`;
}

/** Returns how many deliveries wait, and why a click would send none or more than counted. `answer`: how many the last click sent. */
function restingText({
  missed: count,
  pending,
  answer,
}: {
  missed: Missed | undefined;
  pending: number;
  answer: number | undefined;
}): string {
  const waiting =
    pending > 0 ? `${pending === 1 ? "1 delivery waits" : `${pending.toLocaleString("en")} deliveries wait`} for the next try. ` : "";
  if (!count) return waiting;
  const { missed, isExact } = count;
  if (missed === 0 && !isExact) return `${waiting}None of the oldest events was missed. Sending all again looks at the newer ones too.`;
  if (missed > 0) return waiting;
  return answer !== undefined && pending === 0 ? "Everything is sent." : `${waiting}There is nothing to send again.`;
}
