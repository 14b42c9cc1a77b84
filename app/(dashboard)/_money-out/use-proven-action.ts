"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { Caller } from "#app/_client/call.ts";
import type { FactorProof } from "#app/_client/factor-proof.tsx";
import { problemOf, useAction } from "#app/_client/use-action.ts";
import { NotDone } from "#app/_client/use-work.ts";
import type { FormProblem } from "#components/ui/action-form.tsx";
import { type PayoutOwner, usePayoutProof } from "./use-payout-proof.tsx";

type Typed = (field: string) => string;

interface Proven<Body, Answer> {
  owner: PayoutOwner;
  /** The name of the intent (`useAction`). */
  name: string;
  /** Sends one request with its proof. It may be called again with the same key. */
  post: (caller: Caller, body: Body, proof: Partial<FactorProof>, idempotencyKey: string) => Promise<Answer>;
}

/**
 * Takes money out, once. `unanswered` is a body that was sent and has no answer, from this page or from before a reload: nothing else may be sent until it
 * has one. A body is kept in the tab until then, so it has neither a password nor a code. The proof is made anew for each try, and is kept nowhere.
 */
export function useProvenAction<Body, Answer>({ owner, name, post }: Proven<Body, Answer>) {
  const router = useRouter();
  const made = useRef<Partial<FactorProof>>({});
  const { prove, fields } = usePayoutProof(owner, "pay_out");
  const [isProving, setProving] = useState(false);
  const [noProof, setNoProof] = useState<FormProblem>();
  const action = useAction({
    name,
    send: (caller, body: Body, idempotencyKey) => post(caller, body, made.current, idempotencyKey),
  });
  const { error, answer } = action;
  useEffect(() => {
    // The page behind shows the wallet as it is now.
    if (error || answer) router.refresh();
  }, [router, error, answer]);
  const send = async (body: Body, typed: Typed): Promise<void> => {
    if (isProving || action.isWorking) return;
    setProving(true);
    setNoProof(undefined);
    try {
      made.current = await prove(typed);
    } catch (refusal) {
      setNoProof(problemOfProof(refusal));
      return;
    } finally {
      setProving(false);
    }
    action.act(body);
  };
  const unanswered = answer ? undefined : (action.unanswered ?? action.lost);
  return {
    ...{ answer, error, unanswered, fields, send, reset: action.reset },
    isWorking: isProving || action.isWorking,
    problem: noProof ?? action.problem,
  };
}

export type ProvenAction<Body, Answer> = ReturnType<typeof useProvenAction<Body, Answer>>;

const problemOfProof = (refusal: unknown): FormProblem =>
  refusal instanceof NotDone
    ? { message: refusal.message, errors: {} }
    : problemOf(refusal instanceof Error ? refusal : new Error("unknown"));
