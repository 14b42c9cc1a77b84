"use client";

import { createContext, type ReactNode, use, useCallback, useState } from "react";
import type { ToastMessage } from "./toast-list.tsx";
import { useOnDemand } from "./use-on-demand.ts";

const Show = createContext<(message: ToastMessage) => void>(() => {
  throw new Error("useToast is used outside a ToastProvider");
});

const loadList = async () => (await import("./toast-list.tsx")).ToastList;

/** Wraps the pages that show toasts. The list is loaded with the first toast. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly ToastMessage[]>([]);
  const { part: List, want } = useOnDemand(loadList);
  const show = useCallback(
    (message: ToastMessage) => {
      want();
      setMessages((earlier) => [...earlier, message]);
    },
    [want],
  );
  return (
    <Show value={show}>
      {children}
      {List && <List messages={messages} />}
    </Show>
  );
}

/** Returns a function that shows a toast. */
export const useToast = (): ((message: ToastMessage) => void) => use(Show);
