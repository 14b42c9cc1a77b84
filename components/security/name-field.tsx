import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

/** The name of a passkey. */
export function NameField({ name, error }: { name: string; error: string | undefined }) {
  return (
    <Field label="Name" name="name" error={error} hint="So that you know it again, like “My phone”.">
      {(wiring) => <Input {...wiring} defaultValue={name} maxLength={60} autoComplete="off" autoFocus />}
    </Field>
  );
}
