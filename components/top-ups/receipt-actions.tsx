"use client";

import { MessageCircle, MessageSquare, Printer } from "lucide-react";
import { Button, ButtonLink, buttonClasses } from "#components/ui/button.tsx";

interface ReceiptActionsProps {
  /** The page that buys the same again. Absent for readers who may not buy, and while the purchase is processing. */
  againHref: string | undefined;
  whatsAppHref: string;
  smsHref: string;
}

const ICON = { "aria-hidden": true, className: "size-4" } as const;

/** The actions on a receipt: send it, print it, buy the same again. */
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
