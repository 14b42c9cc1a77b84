"use client";

import { Menu as MenuIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { Sheet } from "#components/ui/sheet.tsx";
import { PHONE_CELL } from "./nav-links.tsx";

/** The last cell of the bottom bar: it opens a sheet with the entries that the four other cells do not show. Closes when a page opens. */
export function MoreSheet({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is the cause
  useEffect(() => setOpen(false), [path]);
  return (
    <>
      <button type="button" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)} className={PHONE_CELL}>
        <MenuIcon aria-hidden="true" />
        <span className="max-[18rem]:sr-only">More</span>
      </button>
      <Sheet title="More" open={open} onOpenChange={setOpen}>
        {children}
      </Sheet>
    </>
  );
}
