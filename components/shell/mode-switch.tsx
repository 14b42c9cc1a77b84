import { classes } from "#components/ui/class-names.ts";

export type Mode = "test" | "live";

/** Both modes as links, because the address says which money a page is about. `base` ends with the present mode: `/b/biz_1/test`. */
export function ModeSwitch({ base, mode }: { base: string; mode: Mode }) {
  const stem = base.slice(0, -mode.length);
  return (
    <nav aria-label="Mode" className="inline-flex shrink-0 rounded-full border border-line bg-surface p-px text-fact font-medium">
      <ModeLink href={`${stem}test`} current={mode === "test"} tint="aria-[current]:bg-test aria-[current]:text-test-ink">
        Test
      </ModeLink>
      <ModeLink href={`${stem}live`} current={mode === "live"} tint="aria-[current]:bg-selected aria-[current]:text-ink">
        Live
      </ModeLink>
    </nav>
  );
}

function ModeLink({ href, current, tint, children }: { href: string; current: boolean; tint: string; children: string }) {
  return (
    <a
      href={href}
      aria-current={current ? "true" : undefined}
      className={classes(
        "relative inline-flex min-h-7 items-center rounded-full px-2.5 text-muted hover:text-ink max-wide:after:absolute max-wide:after:-inset-y-2 max-wide:after:inset-x-0",
        tint,
      )}
    >
      {children}
    </a>
  );
}

export function TestBanner() {
  return (
    <aside
      aria-label="Mode of this page"
      className="sticky top-0 z-20 max-[18rem]:static flex print:hidden min-h-7 items-center justify-center bg-test px-4 text-center text-fact font-medium text-test-ink"
    >
      <p>
        Test mode: play money.<span className="max-[24rem]:sr-only"> Nothing here is real.</span>
      </p>
    </aside>
  );
}
