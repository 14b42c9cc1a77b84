"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { CONTROL, Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { isAddressOrRange, isWithin } from "#lib/ip-range.ts";
import type { Permission } from "#services/api-keys/contract.ts";
import { PERMISSION_WORDS } from "./words.ts";

const MAX_NAME = 60;

/** The name of a key. */
export function KeyNameField({ name = "", error }: { name?: string | undefined; error: string | undefined }) {
  return (
    <Field label="Name" name="name" error={error} hint="Where it is used: “Shop on the web”, “Nightly accounts”.">
      {(wiring) => <Input {...wiring} defaultValue={name} maxLength={MAX_NAME} autoComplete="off" />}
    </Field>
  );
}

interface PermissionsFieldProps {
  /** Those that the reader may give. */
  offered: readonly Permission[];
  value: readonly Permission[];
  onChange: (value: readonly Permission[]) => void;
  error: string | undefined;
}

/** What a key may do. */
export function PermissionsField({ offered, value, onChange, error }: PermissionsFieldProps) {
  const toggle = (permission: Permission, isOn: boolean) =>
    onChange(isOn ? [...value, permission] : value.filter((kept) => kept !== permission));
  return (
    <fieldset>
      <legend className="mb-1 font-medium">What it may do</legend>
      <div className="mb-1 flex flex-wrap gap-2">
        <Button onClick={() => onChange(offered)}>All</Button>
        <Button onClick={() => onChange(offered.filter((permission) => permission.endsWith(":read")))}>Only see</Button>
      </div>
      {offered.map((permission) => (
        <Checkbox
          key={permission}
          name={`permission-${permission}`}
          label={PERMISSION_WORDS[permission]}
          hint={<span className="font-mono">{permission}</span>}
          checked={value.includes(permission)}
          onChange={({ target }) => toggle(permission, target.checked)}
        />
      ))}
      {error && (
        <p role="alert" className="text-fact text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface AddressesFieldProps {
  addresses?: readonly string[];
  /** The reader's own address. */
  own: string;
  /** From where the key was used last. */
  lastUsedFrom?: string | null;
  error: string | undefined;
}

/** From where a key may be used, an address or range a line. What is typed is checked at once. */
export function AddressesField({ addresses = [], own, lastUsedFrom = null, error }: AddressesFieldProps) {
  const [text, setText] = useState(addresses.join("\n"));
  const typed = addressesIn(text);
  const wrong = typed.find((address) => !isAddressOrRange(address));
  const shutsOut = lastUsedFrom !== null && typed.length > 0 && wrong === undefined && !isWithin(lastUsedFrom, typed);
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Addresses that may use it"
        name="allowed_ips"
        optional
        error={error ?? (wrong === undefined ? undefined : `${wrong} is not an address or a range, such as 203.0.113.7 or 203.0.113.0/24.`)}
        hint="One a line. Empty: it may be used from everywhere."
      >
        {(wiring) => (
          <textarea
            {...wiring}
            value={text}
            onChange={({ target }) => setText(target.value)}
            rows={3}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className={`${CONTROL} font-mono`}
          />
        )}
      </Field>
      {!typed.includes(own) && (
        <div>
          <Button onClick={() => setText(typed.concat(own).join("\n"))}>Add your address, {own}</Button>
        </div>
      )}
      {shutsOut && (
        <Notice tone="warning">The key was last used from {lastUsedFrom}, which is not in this list and would be refused.</Notice>
      )}
    </div>
  );
}

/** Returns the addresses and ranges in a typed text. */
export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);
