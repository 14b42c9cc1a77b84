"use client";

import { useState } from "react";
import { Refused } from "./call.ts";
import { wordsOfField } from "./words-of-refusals.ts";

/** Why work failed, for a notice. */
export interface WorkProblem {
  message: string;
  /** By field. */
  errors: Record<string, string>;
  requestId?: string | undefined;
}

const NO_ANSWER = "There was no answer. Check your connection, then try again.";

/** Thrown when an action stops before anything was sent. The message is the reason, in words for the person. */
export class NotDone extends Error {
  override name = "NotDone";
}

/** Runs one action of a click at a time, and keeps the reason of a failure. `unknown` is the message for an unknown outcome. */
export function useWork(unknown = NO_ANSWER) {
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useState<WorkProblem>();
  async function run(work: () => Promise<void>): Promise<void> {
    if (isWorking) return;
    setWorking(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(problemOf(error, unknown));
    } finally {
      setWorking(false);
    }
  }
  return { isWorking, problem, run };
}

function problemOf(error: unknown, unknown: string): WorkProblem {
  if (error instanceof NotDone) return { message: error.message, errors: {} };
  if (!(error instanceof Refused)) return { message: unknown, errors: {} };
  // The session has ended, so the page asks the person to sign in again.
  if (error.code === "MISSING_CREDENTIALS") location.reload();
  const errors = Object.fromEntries(error.errors.map((problem) => [problem.param, wordsOfField(problem)]));
  const message = error.outcome === "not_executed" ? error.message : unknown;
  return { message, errors, requestId: error.requestId };
}
