"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useWork } from "#app/_client/use-work.ts";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Time } from "#components/ui/time.tsx";
import type { SessionView } from "./to-view.ts";

type EndSession = typeof import("#app/api/dashboard/sessions/[id]/route.ts").DELETE;
type EndOthers = typeof import("#app/api/dashboard/sessions/end-others/route.ts").POST;

/** The browsers in which the person is signed in, with a way to sign each out. */
export function SessionsPanel({ merchantId, sessions }: { merchantId: string; sessions: SessionView[] }) {
  const router = useRouter();
  const { problem, isWorking, run } = useWork();
  const [ending, setEnding] = useState("");
  const others = sessions.filter(({ isThis }) => !isThis);
  const end = (id: string) => {
    setEnding(id);
    return run(async () => {
      if (id === "") await call<EndOthers>({ merchantId }, "POST", "/api/dashboard/sessions/end-others");
      else await call<EndSession>({ merchantId }, "DELETE", "/api/dashboard/sessions/{id}", { params: { id } });
      router.refresh();
    });
  };
  return (
    <section aria-labelledby="sessions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sessions" className="font-semibold">
          Where you are signed in
        </h2>
        {others.length > 0 && (
          <Button pending={isWorking && ending === ""} pendingLabel="Signing out…" onClick={() => void end("")}>
            Sign out everywhere else
          </Button>
        )}
      </div>
      {problem && (
        <div className="mt-3">
          <Notice tone="danger" requestId={problem.requestId}>
            {problem.message}
          </Notice>
        </div>
      )}
      <ul className="mt-3 divide-y divide-line rounded-panel border border-line bg-surface">
        {sessions.map(({ id, isThis, browser, address, lastSeenAt, now }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
            <div className="min-w-0 grow basis-48">
              <p className="font-medium">{browser}</p>
              <p className="text-fact text-muted wrap-anywhere">
                {address} ·{" "}
                {isThis ? (
                  "this browser"
                ) : (
                  <>
                    last seen <Time at={lastSeenAt} now={now} />
                  </>
                )}
              </p>
            </div>
            {!isThis && (
              <Button
                aria-label={`Sign out ${browser}, ${address}`}
                pending={isWorking && ending === id}
                pendingLabel="Signing out…"
                onClick={() => void end(id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
