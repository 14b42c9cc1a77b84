"use client";

import { useState } from "react";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { ROLE_WORDS, type RoleName } from "./role-words.ts";

interface RoleFieldProps {
  /** The roles that the reader may give. */
  offered: readonly RoleName[];
  chosen: RoleName;
  error: string | undefined;
}

/** A role, with what it may do. */
export function RoleField({ offered, chosen, error }: RoleFieldProps) {
  const [role, setRole] = useState(chosen);
  return (
    <Field label="Role" name="role" error={error} hint={ROLE_WORDS[role].says}>
      {(wiring) => (
        <Select {...wiring} value={role} onChange={({ target }) => setRole(offered.find((known) => known === target.value) ?? role)}>
          {offered.map((known) => (
            <option key={known} value={known}>
              {ROLE_WORDS[known].label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
