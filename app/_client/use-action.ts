"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { FormProblem } from "#components/ui/action-form.tsx";
import { type Caller, Refused } from "./call.ts";
import { forgetIntent, sendIntent, unansweredIntent } from "./intent.ts";
import { useCaller } from "./provider.tsx";
import { wordsOf, wordsOfField } from "./words-of-refusals.ts";

interface Action<Body, Answer> {
  /** Names the intent within the merchant: what is done to which thing. */
  name: string;
  /** Sends one request. It may be called again with the same key. */
  send: (caller: Caller, body: Body, idempotencyKey: string) => Promise<Answer>;
  onDone?: ((answer: Answer) => void) | undefined;
}

const UNKNOWN =
  "There was no answer, so we do not know yet whether this was done. Press the button again to find out: it is never done twice.";

/**
 * Does one thing at a time that a click asks for. The Idempotency-Key of a body stays until there is an answer, also over a reload, so that it
 * is done at most once. `unanswered` is the body that was sent before the page was loaded and has no answer. `lost` is one that has none, also of
 * this page.
 */
export function useAction<Body, Answer>({ name, send, onDone }: Action<Body, Answer>) {
  const caller = useCaller();
  const intent = `${caller.merchantId}/${name}`;
  const [unanswered, setUnanswered] = useState<Body>();
  const [lost, setLost] = useState<Body>();
  // Only a browser has the tab's storage, so the first render is without it, as the server's was.
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

/** Returns what a form says of an error. */
export function problemOf(error: Error): FormProblem {
  if (!(error instanceof Refused)) return { message: UNKNOWN, errors: {} };
  const { code, message, outcome, requestId } = error;
  if (code === "MISSING_CREDENTIALS") return { message: wordsOf(code, message), errors: {}, isSignedOut: true };
  const errors = Object.fromEntries(error.errors.map((problem) => [problem.param, wordsOfField(problem)]));
  return { message: outcome === "not_executed" ? wordsOf(code, message) : UNKNOWN, errors, requestId };
}
