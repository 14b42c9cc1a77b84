"use client";

import { Button, buttonClasses } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { useToast } from "#components/ui/toast.tsx";

/** The primitives that open over the page. */
export function Floating() {
  const toast = useToast();
  return (
    <div className="flex flex-wrap gap-2">
      <Dialog
        trigger="Terminate card"
        triggerVariant="danger"
        title="Terminate Ads ••4417?"
        description="$37.20 returns to your wallet. A terminated card stays terminated."
      >
        <OverlayActions>
          <OverlayClose>Keep card</OverlayClose>
          <OverlayClose variant="danger">Terminate card</OverlayClose>
        </OverlayActions>
      </Dialog>
      <Dialog trigger="Show key" title="Your new key" description="It is shown once." keepsOpen>
        <OverlayActions>
          <OverlayClose variant="primary">I have kept it</OverlayClose>
        </OverlayActions>
      </Dialog>
      <Sheet trigger="Fund card" triggerVariant="primary" title="Fund Ads ••4417">
        <Field label="Amount in dollars" name="sheet-amount">
          {(wiring) => <Input inputMode="decimal" {...wiring} />}
        </Field>
        <OverlayActions>
          <OverlayClose>Cancel</OverlayClose>
          <OverlayClose variant="primary" onClick={() => toast({ title: "Ads ••4417 has $50.00 more" })}>
            Fund card with $50.00
          </OverlayClose>
        </OverlayActions>
      </Sheet>
      <Menu
        trigger="More ⋯"
        triggerClass={buttonClasses()}
        groups={[
          [
            { key: "open", label: "Open the payer's page", href: "/ui" },
            { key: "again", label: "Send again", onSelect: () => toast({ title: "Sent again" }) },
          ],
          [
            {
              key: "off",
              label: "Deactivate link",
              danger: true,
              onSelect: () => toast({ title: "Link deactivated", undo: () => toast({ title: "Link is active" }) }),
            },
          ],
        ]}
      />
      <Button
        onClick={() =>
          toast({ title: "Link deactivated", description: "8fK2…x9Q takes no more money.", undo: () => toast({ title: "Link is active" }) })
        }
      >
        Show toast
      </Button>
    </div>
  );
}
