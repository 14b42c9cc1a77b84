"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { call } from "./call.ts";
import { useCaller } from "./provider.tsx";

type List = typeof import("#app/api/dashboard/requests/route.ts").GET | typeof import("#app/api/dashboard/events/route.ts").GET;

const EVERY_MS = 5_000;
/** At most this many new rows are counted. */
const MAX_COUNTED = 25;

interface NewerProps {
  list: "requests" | "events";
  /** The filters of the list, with the names of the API. */
  query: Readonly<Record<string, string>>;
  /** The first row of the page. Undefined for an empty list. */
  newestId: string | undefined;
}

/**
 * Asks every five seconds, while the page is in view, for rows that are newer than the first one, and offers to show them: rows that jump are
 * clicked by mistake.
 */
export function Newer({ list, query, newestId }: NewerProps) {
  const router = useRouter();
  const caller = useCaller();
  const { data } = useQuery({
    queryKey: ["newer", caller.merchantId, list, query, newestId],
    queryFn: async () => {
      const { data: rows } = await call<List>(caller, "GET", `/api/dashboard/${list}`, { query: { ...query, limit: String(MAX_COUNTED) } });
      return rows.filter(({ id }) => newestId === undefined || id > newestId).length;
    },
    enabled: ({ state }) => state.error === null,
    retry: false,
    refetchInterval: EVERY_MS,
  });
  const count = data ?? 0;
  return (
    <div role="status" className="fixed bottom-20 left-1/2 z-10 -translate-x-1/2 empty:hidden wide:bottom-6">
      {count > 0 && (
        <Button onClick={() => router.refresh()} className="rounded-full! shadow-float">
          {count >= MAX_COUNTED ? `${MAX_COUNTED} or more` : count} new. Show
        </Button>
      )}
    </div>
  );
}
