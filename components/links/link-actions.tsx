"use client";

import { ChevronDown, Copy, ExternalLink, MessageCircle, QrCode, RotateCcw } from "lucide-react";
import { Button, ButtonLink, buttonClasses } from "#components/ui/button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useCopyLink } from "./copy-link.tsx";

/** The link to show instead of an expired one: the link that was paid for the same order, or the link that replaces it. */
export interface InsteadLink {
  href: string;
  isPaid: boolean;
}

interface LinkActionsProps {
  status: "pending" | "success" | "expired";
  /** The payer's page. */
  url: string;
  /** The text that a messenger sends. */
  message: string;
  qrHref: string;
  /** The form with the details of this link. Absent where the reader cannot create one. */
  againHref: string | undefined;
  instead: InsteadLink | undefined;
}

const ICON = { "aria-hidden": true, className: "size-4 shrink-0" } as const;

/** The actions on a link: the next step as a button, and the rest in menus. */
export function LinkActions({ status, url, message, qrHref, againHref, instead }: LinkActionsProps) {
  const isWaiting = status === "pending";
  const copy = useCopyLink(url);
  const again = againHref && { key: "again", label: "Again with the same details", icon: <RotateCcw {...ICON} />, href: againHref };
  const share = [
    { key: "copy", label: "Copy link", icon: <Copy {...ICON} />, onSelect: copy },
    { key: "whatsapp", label: "Send by WhatsApp", icon: <MessageCircle {...ICON} />, href: whatsApp(message) },
    { key: "qr", label: "QR code to print", icon: <QrCode {...ICON} />, href: qrHref },
    { key: "open", label: "Open the payment page", icon: <ExternalLink {...ICON} />, href: url },
  ];
  return (
    <>
      <Menu
        align="end"
        triggerClass={buttonClasses()}
        trigger={
          <span className="inline-flex items-center gap-2">
            Share
            <ChevronDown {...ICON} />
          </span>
        }
        groups={isWaiting && again ? [share, [again]] : [share]}
      />
      {!isWaiting && againHref && (
        <ButtonLink variant={status === "expired" ? "primary" : "quiet"} href={againHref}>
          Again with the same details
        </ButtonLink>
      )}
      {instead && (
        <ButtonLink variant="primary" href={instead.href}>
          {instead.isPaid ? "Open the paid link" : "Open the new link"}
        </ButtonLink>
      )}
      {isWaiting && (
        <Button variant="primary" onClick={copy}>
          <Copy {...ICON} />
          Copy link
        </Button>
      )}
    </>
  );
}

const whatsApp = (message: string): string => `https://wa.me/?${new URLSearchParams({ text: message })}`;
