"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm, type FormWork, ProblemNotice } from "#components/ui/action-form.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { formatMoney, money, toMajorNumber } from "#lib/money.ts";
import { CancelOrder } from "./order-acts.tsx";

type Confirm = typeof import("#app/api/dashboard/bulk-orders/[id]/confirm/route.ts").POST;
type Resume = typeof import("#app/api/dashboard/bulk-orders/[id]/resume/route.ts").POST;

/** A row that the reader decides about. Money is in kobo, as text: a form keeps it over a reload. */
export interface ChoiceRow {
  row: number;
  /** Whom and what it is for. */
  text: string;
  /** The row or purchase that it repeats, or the reason why it stopped the file. */
  why: string;
  amount: string;
}

interface BuyFormProps {
  id: string;
  isPaused: boolean;
  /** Rows that are bought whatever is ticked, and what they cost now. */
  ready: { count: number; total: string };
  duplicates: readonly ChoiceRow[];
  /** The row at which a paused file stopped: it may be left out. */
  stoppedAt: ChoiceRow | undefined;
  available: string;
}

interface Terms {
  expected_total: number;
  duplicate_rows: number[];
  skip_rows: number[];
}

/** Chooses duplicates, shows the total, and buys: the server buys for the total that is shown, or nothing. */
export function BuyForm({ id, isPaused, ready, duplicates, stoppedAt, available }: BuyFormProps) {
  const router = useRouter();
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [isSkipping, setSkipping] = useState(false);
  const act = isPaused ? "resume" : "confirm";
  const {
    act: buy,
    isWorking,
    problem,
    lost,
  } = useAction({
    name: `bulk-orders/${id}/${act}`,
    send: (caller, body: Terms, idempotencyKey) =>
      call<Confirm | Resume>(caller, "POST", `/api/dashboard/bulk-orders/{id}/${act}`, { params: { id }, body, idempotencyKey }),
    onDone: () => router.refresh(),
  });
  if (lost) return <LostOrder {...{ isWorking, problem }} onSend={() => buy(lost)} />;
  const chosen = duplicates.filter(({ row }) => ticked.has(row));
  const skipped = isSkipping && stoppedAt ? [stoppedAt] : [];
  const sum = (rows: readonly ChoiceRow[]) => rows.reduce((total, { amount }) => total + BigInt(amount), 0n);
  const total = money(BigInt(ready.total) + sum(chosen) - sum(skipped), "NGN");
  const count = ready.count + chosen.length - skipped.length;
  const missing = total.minor - BigInt(available);
  const toggle = (row: number) => setTicked((before) => (before.has(row) ? without(before, row) : new Set([...before, row])));
  return (
    <ActionForm
      {...{ isWorking, problem }}
      label="Buy"
      fields={[]}
      className="max-w-[45rem]"
      onSend={() =>
        buy({
          expected_total: toMajorNumber(total),
          duplicate_rows: chosen.map(({ row }) => row),
          skip_rows: skipped.map(({ row }) => row),
        })
      }
    >
      {() => (
        <>
          {duplicates.length > 0 && (
            <fieldset className="rounded-panel border border-line bg-surface px-4 py-3">
              <legend className="px-1 font-medium">Tick the duplicates that you mean</legend>
              <p className="text-fact text-muted">Duplicates that are not ticked are left out.</p>
              {duplicates.map(({ row, text, why, amount }) => (
                <Checkbox
                  key={row}
                  name={`duplicate-${row}`}
                  label={`Line ${row}: ${text}, ${formatMoney(money(BigInt(amount), "NGN"))}`}
                  hint={why}
                  checked={ticked.has(row)}
                  onChange={() => toggle(row)}
                />
              ))}
            </fieldset>
          )}
          {stoppedAt && (
            <Checkbox
              name="skip"
              label={`Leave out line ${stoppedAt.row}: ${stoppedAt.text}`}
              hint={stoppedAt.why}
              checked={isSkipping}
              onChange={({ target }) => setSkipping(target.checked)}
            />
          )}
          <dl className="flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-4 text-fact">
            <Line label="You pay" minor={total.minor} />
            <Line label="Available" minor={BigInt(available)} />
            {missing <= 0n && <Line label="Available after" minor={-missing} />}
          </dl>
          {missing > 0n && (
            <Notice tone="warning">{`Your wallet lacks ${formatMoney(money(missing, "NGN"))} for this. Add money first.`}</Notice>
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" disabled={count === 0 || missing > 0n} pending={isWorking}>
              {`${isPaused ? "Go on and buy" : "Buy"} ${count} ${count === 1 ? "top-up" : "top-ups"} for ${formatMoney(total)}`}
            </Button>
            <CancelOrder id={id} isPaused={isPaused} />
          </div>
        </>
      )}
    </ActionForm>
  );
}

interface LostOrderProps extends FormWork {
  onSend: () => void;
}

/** Replaces the form if its request got no answer. It can only send the same request again. */
const LostOrder = ({ isWorking, problem, onSend }: LostOrderProps) => (
  <div className="flex max-w-[45rem] flex-col items-start gap-3">
    <Notice tone="warning" title="You sent this, and the answer was lost">
      Press the button to find out what became of it: it is never done twice.
    </Notice>
    {problem && <ProblemNotice problem={problem} />}
    <Button variant="primary" pending={isWorking} onClick={onSend}>
      Find out
    </Button>
  </div>
);

function Line({ label, minor }: { label: string; minor: bigint }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="font-medium">
        <Amount minor={minor} currency="NGN" />
      </dd>
    </div>
  );
}

const without = (rows: ReadonlySet<number>, row: number) => new Set([...rows].filter((each) => each !== row));
