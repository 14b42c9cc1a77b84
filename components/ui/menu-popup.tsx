"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { type ReactNode, useId } from "react";
import { classes } from "./class-names.ts";

interface Item {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  /** A page to open, a path that gets a POST, or a function to call. */
  href?: string | undefined;
  postTo?: string | undefined;
  onSelect?: (() => void) | undefined;
  current?: boolean | undefined;
  danger?: boolean | undefined;
}

export interface MenuProps {
  /** The name of the button for screen readers, where its content does not say it. */
  label?: string | undefined;
  trigger: ReactNode;
  triggerClass: string;
  /** Facts over the items: who is signed in. */
  header?: ReactNode;
  /** Groups of items, with a line between them. */
  groups: readonly (readonly Item[])[];
  align?: "start" | "end" | undefined;
}

const LINE =
  "flex min-h-11 w-full items-center gap-2.5 rounded-[4px] px-2.5 py-1.5 text-left outline-none select-none data-highlighted:bg-hover sm:min-h-9";

/** The button of a menu with its list, which is open at first. */
export function MenuPopup({ label, trigger, triggerClass, header, groups, align = "start" }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={triggerClass}>
        {trigger}
        {label && <span className="sr-only">{label}</span>}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} collisionPadding={8} className="z-40 outline-none">
          <Base.Popup className="max-h-(--available-height) max-w-[min(20rem,calc(100vw-1rem))] min-w-52 overflow-y-auto rounded-panel border border-line bg-surface p-1 text-body text-ink shadow-float outline-none transition-[opacity,translate] duration-150 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0">
            {header && <div className="border-b border-line px-2.5 py-2">{header}</div>}
            {groups.map((items, at) => (
              <Base.Group key={items[0]?.key ?? at} className={classes("py-1", at > 0 && "border-t border-line")}>
                {items.map((item) => (
                  <MenuItem key={item.key} item={item} />
                ))}
              </Base.Group>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function MenuItem({ item: { label, icon, href, postTo, onSelect, current, danger } }: { item: Item }) {
  const formId = useId();
  const look = classes(LINE, danger && "text-danger");
  const content = (
    <>
      {icon}
      <span className="min-w-0 grow wrap-anywhere">{label}</span>
      {current && <span className="text-brand">✓</span>}
    </>
  );
  if (href !== undefined) {
    return (
      <Base.LinkItem href={href} closeOnClick aria-current={current ? "true" : undefined} className={look}>
        {content}
      </Base.LinkItem>
    );
  }
  if (postTo === undefined) {
    return (
      <Base.Item onClick={onSelect} className={look}>
        {content}
      </Base.Item>
    );
  }
  return (
    <>
      <form id={formId} method="post" action={postTo} hidden />
      {/* The menu stays open until the next page loads, because a form that is removed from the document is not sent. */}
      <Base.Item closeOnClick={false} onClick={() => submit(formId)} className={look}>
        {content}
      </Base.Item>
    </>
  );
}

function submit(formId: string): void {
  const form = document.getElementById(formId);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}
