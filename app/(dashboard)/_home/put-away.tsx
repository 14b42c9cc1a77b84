"use client";

import { useRouter } from "next/navigation";
import { useCaller } from "#app/_client/provider.tsx";
import { Button } from "#components/ui/button.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { stepsCookieOf } from "./steps-cookie.ts";

const YEAR_S = 365 * 24 * 60 * 60;

/** Takes the first steps off the page of one member. */
export function PutAway({ userId }: { userId: string }) {
  const router = useRouter();
  const show = useToast();
  const { merchantId } = useCaller();
  const keep = (seconds: number) => {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${stepsCookieOf(merchantId)}=${userId}; Path=/; Max-Age=${seconds}; SameSite=Lax`;
    router.refresh();
  };
  const putAway = () => {
    keep(YEAR_S);
    show({ title: "First steps put away", undo: () => keep(0) });
  };
  return <Button onClick={putAway}>Put away</Button>;
}
