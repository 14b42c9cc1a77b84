"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { AddressesField, addressesIn, KeyNameField, PermissionsField } from "#components/developers/key-fields.tsx";
import { LostSecret, ShownOnce } from "#components/developers/shown-once.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { type Permission, TAKES_MONEY_OUT } from "#services/permissions.ts";
import { type KeyOwner, useKeyProof } from "./key-proof.tsx";

type Create = typeof import("#app/api/dashboard/api-keys/route.ts").POST;

interface CreateKeyProps {
  owner: KeyOwner;
  /** The path of the developers' pages. */
  path: string;
  /** The permissions that the reader may give. */
  offered: readonly Permission[];
  ownAddress: string;
}

/** Makes a key in two steps: what it may do, then its secret, once. */
export function CreateKey(props: CreateKeyProps) {
  return (
    <Flow
      frame={Sheet}
      title={props.owner.mode === "live" ? "Create a live key" : "Create a test key"}
      description={props.owner.mode === "live" ? "It moves real money." : "It moves play money only."}
      trigger="Create key"
      triggerVariant="primary"
    >
      {(flow) => <Steps {...props} flow={flow} />}
    </Flow>
  );
}

interface Made {
  id: string;
  public_key: string;
  secret_key?: string | null | undefined;
}

const LIVES = [
  { days: "30", label: "30 days" },
  { days: "90", label: "90 days" },
  { days: "365", label: "A year" },
] as const;

/** Permissions to read card numbers and to take money out are not ticked by default, because their user must choose them on purpose. */
const isGivenByDefault = (permission: Permission): boolean => permission !== "cards:reveal" && !TAKES_MONEY_OUT.includes(permission);

function Steps({ owner, path, offered, ownAddress, flow }: CreateKeyProps & { flow: FlowControls }) {
  const router = useRouter();
  const [made, setMade] = useState<Made>();
  const [permissions, setPermissions] = useState<readonly Permission[]>(offered.filter(isGivenByDefault));
  const { work, send } = useSending(flow);
  const { prove, fields } = useKeyProof(owner);
  const { merchantId, mode } = owner;
  const create = (typed: (field: string) => string) => {
    const days = Number(typed("days"));
    const body = {
      ...{ name: typed("name"), permissions: [...permissions], allowed_ips: addressesIn(typed("allowed_ips")) },
      // Counted from the start of the hour, so that a retry sends the same body.
      expires_at: days === 0 ? null : new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + days * DAY_MS).toISOString(),
    };
    send(body, async ({ idempotencyKey }) => {
      const proof = await prove(typed);
      const { data } = await call<Create>({ merchantId }, "POST", "/api/dashboard/api-keys", {
        body: { ...body, ...proof },
        idempotencyKey,
      });
      if (data.secret_key) flow.showsSecret();
      setMade(data);
    });
  };
  const open = () => {
    flow.close();
    router.push(`${path}/keys/${made?.id}`);
  };
  if (made?.secret_key) return <NewKey made={{ ...made, secret_key: made.secret_key }} mode={mode} onKept={open} />;
  if (made) return <LostKey onClose={open} />;
  return (
    <SecurityForm
      {...work}
      label="Create key"
      pendingLabel="Creating…"
      fields={["name", "permissions", "allowed_ips", "expires_at", "password", "code"]}
      onSend={create}
    >
      {(errors) => (
        <>
          <KeyNameField error={errors.name} />
          <PermissionsField offered={offered} value={permissions} onChange={setPermissions} error={errors.permissions} />
          <AddressesField own={ownAddress} error={errors.allowed_ips} />
          <Field label="It works for" name="days" error={errors.expires_at}>
            {(wiring) => (
              <Select {...wiring} defaultValue="0">
                <option value="0">Until you revoke it</option>
                {LIVES.map(({ days, label }) => (
                  <option key={days} value={days}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}

/** A key whose secret is shown, once. */
export function NewKey({ made, mode, onKept }: { made: Made & { secret_key: string }; mode: "test" | "live"; onKept: () => void }) {
  return (
    <ShownOnce
      title="Keep the secret key"
      secrets={[
        { label: "Public key", value: made.public_key },
        { label: "Secret key", value: made.secret_key },
      ]}
      fileName={`oja-${mode}-key-${made.id}.txt`}
      onKept={onKept}
    >
      Your server sends both with every request. The secret key is not shown again, and Oja does not keep it readable.
    </ShownOnce>
  );
}

/** Replaces the secret of a new key if the answer with the secret was lost. */
export function LostKey({ onClose }: { onClose: () => void }) {
  return (
    <LostSecret title="The key is made, but its secret was not shown" onClose={onClose}>
      The answer with the secret was lost, and a secret is shown only once. Roll the key to get another secret.
    </LostSecret>
  );
}
