"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useState } from "react";
import type { Caller } from "./call.ts";

const Merchant = createContext<Caller | undefined>(undefined);

/** Wraps the pages of a merchant, and gives them the client for requests and the id of the merchant. */
export function ClientProvider({ merchantId, children }: { merchantId: string; children: ReactNode }) {
  // A failed request is not retried automatically: only the person repeats it.
  const [client] = useState(() => new QueryClient({ defaultOptions: { mutations: { retry: false, networkMode: "always" } } }));
  return (
    <QueryClientProvider client={client}>
      <Merchant value={{ merchantId }}>{children}</Merchant>
    </QueryClientProvider>
  );
}

/** Returns the merchant that the page is about, for `call`. */
export function useCaller(): Caller {
  const caller = use(Merchant);
  if (!caller) throw new Error("useCaller is used outside a ClientProvider");
  return caller;
}
