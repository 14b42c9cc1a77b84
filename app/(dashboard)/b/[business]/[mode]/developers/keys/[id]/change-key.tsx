"use client";

import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { AddressesField, addressesIn, KeyNameField, PermissionsField } from "#components/developers/key-fields.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import type { Permission } from "#services/permissions.ts";
import { type KeyOwner, useKeyProof } from "../../key-proof.tsx";
import type { KeyToChange } from "./key-to-change.ts";

type Change = typeof import("#app/api/dashboard/api-keys/[id]/route.ts").PATCH;

interface ChangeKeyProps {
  owner: KeyOwner;
  apiKey: KeyToChange;
  offered: readonly Permission[];
  ownAddress: string;
}

/** Changes the name, permissions or addresses of a key. A change that another member made in between is not overwritten. */
export function ChangeKey({ open, onOpenChange, ...rest }: ChangeKeyProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Flow
      frame={Sheet}
      title={`Change ${rest.apiKey.name}`}
      description="It holds within a second."
      open={open}
      onOpenChange={onOpenChange}
    >
      {(flow) => <ChangeForm {...rest} flow={flow} />}
    </Flow>
  );
}

function ChangeForm({ owner, apiKey, offered, ownAddress, flow }: ChangeKeyProps & { flow: FlowControls }) {
  // The version that was read when the form was opened: the page may have been read again since.
  const [read] = useState(apiKey);
  const [permissions, setPermissions] = useState(read.permissions);
  const { work, send } = useSending(flow);
  const { prove, fields } = useKeyProof(owner);
  const change = (typed: (field: string) => string) => {
    const body = {
      ...{ version: read.version, name: typed("name"), permissions: [...permissions] },
      allowed_ips: addressesIn(typed("allowed_ips")),
    };
    send(body, async () => {
      const proof = await prove(typed);
      await call<Change>({ merchantId: owner.merchantId }, "PATCH", "/api/dashboard/api-keys/{id}", {
        ...{ params: { id: read.id }, body: { ...body, ...proof } },
      });
      flow.close();
    });
  };
  return (
    <SecurityForm
      {...work}
      label="Save key"
      pendingLabel="Saving…"
      fields={["name", "permissions", "allowed_ips", "password", "code"]}
      onSend={change}
    >
      {(errors) => (
        <>
          <KeyNameField name={read.name} error={errors.name} />
          <PermissionsField offered={offered} value={permissions} onChange={setPermissions} error={errors.permissions} />
          <AddressesField addresses={read.allowedIps} own={ownAddress} lastUsedFrom={read.lastUsedFrom} error={errors.allowed_ips} />
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}
