"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button, buttonClasses } from "#components/ui/button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { ChangeEndpoint } from "./change-endpoint.tsx";
import { DeleteEndpoint } from "./delete-endpoint.tsx";
import type { EndpointToChange } from "./endpoint-to-change.ts";
import { RollSecret } from "./roll-secret.tsx";

type Change = typeof import("#app/api/v1/webhook-endpoints/[id]/route.ts").PATCH;
type Test = typeof import("#app/api/v1/webhook-endpoints/[id]/test/route.ts").POST;

interface EndpointActionsProps {
  merchantId: string;
  mode: "test" | "live";
  /** The path of the developers' pages. */
  path: string;
  endpoint: EndpointToChange;
}

/** What can be done with an endpoint. */
export function EndpointActions({ merchantId, mode, path, endpoint }: EndpointActionsProps) {
  const { id, status } = endpoint;
  const [opened, setOpened] = useState<"change" | "roll" | "delete">();
  const { change, problem, isWorking } = useStatusChange(id);
  const test = useTest(id, path);
  const controls = (name: typeof opened) => ({
    open: opened === name,
    onOpenChange: (open: boolean) => setOpened(open ? name : undefined),
  });
  const isEnabled = status === "enabled";
  const wrong = problem ?? test.problem;
  return (
    <>
      {wrong && <ProblemNotice problem={wrong} />}
      <Button variant={isEnabled ? "primary" : "quiet"} pending={test.isWorking} onClick={() => test.act({})}>
        Send a test event
      </Button>
      {!isEnabled && (
        <Button variant="primary" pending={isWorking} onClick={() => change("enabled")}>
          Enable
        </Button>
      )}
      <Menu
        align="end"
        triggerClass={buttonClasses()}
        trigger="More"
        label="actions of the endpoint"
        groups={[
          [
            { key: "change", label: "Change address or events", onSelect: () => setOpened("change") },
            { key: "roll", label: "Roll the secret", onSelect: () => setOpened("roll") },
            ...(isEnabled ? [{ key: "disable", label: "Disable", onSelect: () => change("disabled") }] : []),
          ],
          [{ key: "delete", label: "Delete", onSelect: () => setOpened("delete") }],
        ]}
      />
      <ChangeEndpoint endpoint={endpoint} {...controls("change")} />
      <RollSecret merchantId={merchantId} mode={mode} endpoint={endpoint} {...controls("roll")} />
      <DeleteEndpoint endpoint={endpoint} listHref={`${path}/webhooks`} {...controls("delete")} />
    </>
  );
}

/** Enables or disables an endpoint, and offers to take that back. */
function useStatusChange(id: string) {
  const router = useRouter();
  const toast = useToast();
  const { act, problem, isWorking } = useAction({
    name: `endpoints/${id}/status`,
    // The same state twice is the same state, so no key is needed.
    send: (caller, body: { status: EndpointToChange["status"] }) =>
      call<Change>(caller, "PATCH", "/api/v1/webhook-endpoints/{id}", { params: { id }, body }),
    onDone: ({ data: { status } }) => {
      router.refresh();
      const isEnabled = status === "enabled";
      toast({
        title: isEnabled ? "Endpoint enabled" : "Endpoint disabled",
        ...(!isEnabled && { description: "Nothing is sent until you enable it.", undo: () => act({ status: "enabled" }) }),
      });
    },
  });
  return { change: (status: EndpointToChange["status"]) => act({ status }), problem, isWorking };
}

/** Sends a test event, and opens the page of its delivery. */
function useTest(id: string, path: string) {
  const router = useRouter();
  return useAction({
    name: `endpoints/${id}/test`,
    send: (caller, _body: Record<string, never>, idempotencyKey) =>
      call<Test>(caller, "POST", "/api/v1/webhook-endpoints/{id}/test", { params: { id }, idempotencyKey }),
    onDone: ({ data }) => router.push(`${path}/deliveries/${data.id}`),
  });
}
