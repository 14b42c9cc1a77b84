"use client";

import { useEffect, useState } from "react";
import { call, Refused } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { wordsOfField } from "#app/_client/words-of-refusals.ts";
import { FactorFirst, lacksFactor, type PayoutOwner, PROOF_FIELDS, usePayoutProof } from "#app/(dashboard)/_money-out/use-payout-proof.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Select } from "#components/ui/select.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Add = typeof import("#app/api/dashboard/bank-accounts/route.ts").POST;
type Name = typeof import("#app/api/dashboard/bank-accounts/name/route.ts").POST;

interface AddAccountProps {
  owner: PayoutOwner;
  banks: readonly { code: string; name: string }[];
  /** Why the banks cannot be listed now. */
  problem: string | undefined;
}

/** The button and the sheet that add a bank account. */
export function AddAccount(props: AddAccountProps) {
  return (
    <Flow frame={Sheet} title="Add a bank account" trigger="Add bank account" triggerVariant="primary">
      {(flow) => <Content {...props} flow={flow} />}
    </Flow>
  );
}

function Content({ owner, banks, problem, flow }: AddAccountProps & { flow: FlowControls }) {
  if (lacksFactor(owner)) return <FactorFirst securityHref={owner.securityHref} />;
  if (problem !== undefined) {
    return (
      <>
        <Notice tone="warning">{problem}</Notice>
        <OverlayActions>
          <OverlayClose>Close</OverlayClose>
        </OverlayActions>
      </>
    );
  }
  return <Form owner={owner} banks={banks} flow={flow} />;
}

interface Asked {
  bank: string;
  number: string;
  name?: string;
  isBusiness?: boolean;
  errors?: Record<string, string>;
}

const NUMBER = /^\d{10}$/;
const NO_ANSWER = "The bank could not be asked. Check your connection, then type the number again.";

/** Asks the bank whose account a number is, once bank and number are there. */
function useOwnerOf(merchantId: string, bank: string, typed: string) {
  const number = typed.replaceAll(/[\s-]/g, "");
  const isWhole = bank !== "" && NUMBER.test(number);
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    if (!isWhole) return;
    let isLate = false;
    const ask = async (): Promise<Omit<Asked, "bank" | "number">> => {
      try {
        const body = { bank_code: bank, account_number: number };
        const { data } = await call<Name>({ merchantId }, "POST", "/api/dashboard/bank-accounts/name", { body });
        return { name: data.account_name, isBusiness: data.is_business };
      } catch (error) {
        return { errors: errorsOf(error) };
      }
    };
    const timer = setTimeout(async () => {
      const got = await ask();
      if (!isLate) setAsked({ ...got, bank, number });
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [merchantId, bank, number, isWhole]);
  const current = isWhole && asked?.bank === bank && asked.number === number ? asked : undefined;
  return { number, owner: current, isAsking: isWhole && !current };
}

const PAUSE_MS = 250;

function errorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof Refused)) return { account_number: NO_ANSWER };
  if (error.errors.length === 0) return { account_number: error.message };
  return Object.fromEntries(error.errors.map((problem) => [problem.param, wordsOfField(problem)]));
}

function Form({ owner, banks, flow }: Omit<AddAccountProps, "problem"> & { flow: FlowControls }) {
  const toast = useToast();
  const [bank, setBank] = useState("");
  const [text, setText] = useState("");
  const { number, owner: named, isAsking } = useOwnerOf(owner.merchantId, bank, text);
  const { work, send } = useSending(flow);
  const { prove, fields } = usePayoutProof(owner, "manage_payouts");
  const [isTooShort, setTooShort] = useState(false);
  const add = (typed: (field: string) => string) => {
    setTooShort(!NUMBER.test(number));
    if (named?.name === undefined) return;
    const body = { bank_code: bank, account_number: number, account_name: named.name };
    send(body, async ({ idempotencyKey }) => {
      const proof = await prove(typed);
      const { data } = await call<Add>({ merchantId: owner.merchantId }, "POST", "/api/dashboard/bank-accounts", {
        ...{ body: { ...body, ...proof }, idempotencyKey },
      });
      flow.close();
      toast({ title: data.status === "active" ? "Bank account added" : "Bank account added: it waits before it can be used" });
    });
  };
  return (
    <SecurityForm
      {...work}
      label={named?.name === undefined ? "Check account" : "Add bank account"}
      pendingLabel="Adding…"
      fields={["bank_code", "account_number", ...PROOF_FIELDS]}
      onSend={add}
    >
      {(errors) => (
        <>
          <Field label="Bank" name="bank_code" error={errors.bank_code ?? named?.errors?.bank_code}>
            {(wiring) => (
              <Select {...wiring} value={bank} onChange={({ target }) => setBank(target.value)}>
                <option value="" disabled>
                  Choose a bank
                </option>
                {banks.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field
            label="Account number"
            name="account_number"
            error={errors.account_number ?? named?.errors?.account_number ?? (isTooShort && "Type the ten digits of the account number.")}
            hint="Ten digits."
          >
            {(wiring) => (
              <Input
                {...wiring}
                inputMode="numeric"
                autoComplete="off"
                maxLength={14}
                className="tabular-nums"
                value={text}
                onChange={({ target }) => {
                  setText(target.value);
                  setTooShort(false);
                }}
              />
            )}
          </Field>
          <OwnerShown isAsking={isAsking} owner={named} isLive={owner.mode === "live"} />
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}

/** The owner of the account, as its bank has it. */
function OwnerShown({ isAsking, owner, isLive }: { isAsking: boolean; owner: Asked | undefined; isLive: boolean }) {
  return (
    <div role="status" className="empty:hidden">
      {isAsking && <p className="text-muted">Asking the bank for the owner…</p>}
      {owner?.name !== undefined && (
        <div className="rounded-control border border-line px-4 py-3">
          <p className="text-fact text-muted">The bank says that it belongs to</p>
          <p className="font-semibold wrap-anywhere">{owner.name}</p>
          <p className="mt-1 text-fact text-muted">
            {isLive ? liveSays(owner.isBusiness ?? false) : "In test mode it can be used at once."}
          </p>
        </div>
      )}
    </div>
  );
}

const liveSays = (isBusiness: boolean): string =>
  isBusiness
    ? "That is your business. It can be used in 24 hours, and every owner gets an email."
    : "That is not your business's name, so our people look at it first. It can be used in 24 hours at the earliest, and every owner gets an email.";
