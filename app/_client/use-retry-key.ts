"use client";

import { useRef } from "react";
import { Refused } from "./call.ts";

const KEY_BYTES = 16;

/**
 * Returns a function that sends a body with an Idempotency-Key of its own. The key stays the same while the same body is sent again after a lost
 * answer, so that it is not executed twice. After an answer, or for another body, a new key is used.
 */
export function useRetryKey() {
  const last = useRef<{ body: string; key: string }>(undefined);
  return async function once<T>(body: unknown, send: (idempotencyKey: string) => Promise<T>): Promise<T> {
    const text = JSON.stringify(body);
    if (last.current?.body !== text) last.current = { body: text, key: newKey() };
    try {
      const answer = await send(last.current.key);
      last.current = undefined;
      return answer;
    } catch (error) {
      if (error instanceof Refused && error.outcome === "not_executed") last.current = undefined;
      throw error;
    }
  };
}

/** `crypto.randomUUID` would need https. */
const newKey = () => [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
