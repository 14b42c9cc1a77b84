"use client";

import type { ReactNode } from "react";
import { ActionForm, type FormWork } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";

interface SecurityFormProps extends FormWork {
  label: string;
  pendingLabel?: string | undefined;
  isDangerous?: boolean | undefined;
  /** The names of the fields. A problem that belongs to none of them is shown above the fields. */
  fields: readonly string[];
  /** `typed` returns what was typed into a field. */
  onSend: (typed: (field: string) => string) => void;
  children: (errors: Record<string, string>) => ReactNode;
}

/** A form of a sheet or a dialog, with the buttons at its end. */
export function SecurityForm({ label, pendingLabel, isDangerous, children, ...form }: SecurityFormProps) {
  return (
    <ActionForm {...form} className="grow">
      {(errors) => (
        <>
          {children(errors)}
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            <Button type="submit" variant={isDangerous ? "danger" : "primary"} pending={form.isWorking} pendingLabel={pendingLabel}>
              {label}
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
