"use client";

import { MessageCircle, MessageSquare, Printer } from "lucide-react";
import { Button, ButtonLink, buttonClasses } from "#components/ui/button.tsx";

interface ReceiptActionsProps {
  /** Where it can be bought again; absent for readers who may not, and while it is under way. */
  againHref: string | undefined;
  whatsAppHref: string;
  smsHref: string;
}

const ICON = { "aria-hidden": true, className: "size-4" } as const;

/** What can be done with a receipt: hand it on, print it, buy the same again. */
export const ReceiptActions = ({ againHref, whatsAppHref, smsHref }: ReceiptActionsProps) => (
  <>
    <a href={whatsAppHref} target="_blank" rel="noopener noreferrer" className={buttonClasses()}>
      <span className="inline-flex items-center gap-2">
        <MessageCircle {...ICON} />
        WhatsApp
      </span>
    </a>
    <a href={smsHref} className={buttonClasses()}>
      <span className="inline-flex items-center gap-2">
        <MessageSquare {...ICON} />
        SMS
      </span>
    </a>
    <Button onClick={() => window.print()} className="needs-js">
      <Printer {...ICON} />
      Print
    </Button>
    {againHref && (
      <ButtonLink variant="primary" href={againHref}>
        Buy again
      </ButtonLink>
    )}
  </>
);
