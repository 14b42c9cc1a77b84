"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { FormProblem } from "#components/ui/action-form.tsx";
import { type Caller, Refused } from "./call.ts";
import { forgetIntent, sendIntent, unansweredIntent } from "./intent.ts";
import { useCaller } from "./provider.tsx";
import { wordsOf, wordsOfField } from "./words-of-refusals.ts";

interface Action<Body, Answer> {
  /** The name of the intent, unique within the merchant: the action and the id of its subject, such as `cards/card_…/freeze`. */
  name: string;
  /** Sends one request. It may be called again with the same key. */
  send: (caller: Caller, body: Body, idempotencyKey: string) => Promise<Answer>;
  onDone?: ((answer: Answer) => void) | undefined;
}

const UNKNOWN =
  "There was no answer, so we do not know yet whether this was done. Press the button again to find out: it is never done twice.";

/**
 * Runs one action of a click at a time. The Idempotency-Key of a body is kept until there is an answer, also across a reload, so that it
 * is executed at most once. `unanswered` is a body that was sent before the page was loaded and got no answer. `lost` also includes a body that
 * this page sent itself.
 */
export function useAction<Body, Answer>({ name, send, onDone }: Action<Body, Answer>) {
  const caller = useCaller();
  const intent = `${caller.merchantId}/${name}`;
  const [unanswered, setUnanswered] = useState<Body>();
  const [lost, setLost] = useState<Body>();
  // The server cannot read the tab's storage. So the browser's first render does not read it either, because both must be equal.
  useEffect(() => {
    const kept = keptBody(intent);
    setUnanswered(kept);
    setLost(kept);
  }, [intent]);
  const { mutate, isPending, error, data, reset } = useMutation({
    mutationFn: (body: Body) => sendIntent(intent, body, (idempotencyKey) => send(caller, body, idempotencyKey)),
    onError: () => setLost(keptBody(intent)),
    onSuccess: (answer: Answer) => {
      setUnanswered(undefined);
      setLost(undefined);
      onDone?.(answer);
    },
  });
  const act = (body: Body): void => {
    if (!isPending) mutate(body);
  };
  const forget = (): void => {
    forgetIntent(intent);
    setUnanswered(undefined);
    setLost(undefined);
  };
  return { act, reset, forget, isWorking: isPending, answer: data, unanswered, lost, problem: error ? problemOf(error) : undefined, error };
}

function keptBody(intent: string) {
  const kept = unansweredIntent(intent);
  return kept && JSON.parse(kept.body);
}

/** Returns the message of a form for an error. */
export function problemOf(error: Error): FormProblem {
  if (!(error instanceof Refused)) return { message: UNKNOWN, errors: {} };
  const { code, message, outcome, requestId } = error;
  if (code === "MISSING_CREDENTIALS") return { message: wordsOf(code, message), errors: {}, isSignedOut: true };
  const errors = Object.fromEntries(error.errors.map((problem) => [problem.param, wordsOfField(problem)]));
  return { message: outcome === "not_executed" ? wordsOf(code, message) : UNKNOWN, errors, requestId };
}
