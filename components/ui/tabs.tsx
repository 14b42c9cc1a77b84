interface Tab {
  href: string;
  label: string;
  current?: boolean | undefined;
  count?: number | undefined;
}

/** Parts of a page, each with an address of its own. On a narrow screen they wrap: a tab out of view would not be found. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className="border-b border-line">
      <ul className="flex flex-wrap gap-x-1">
        {tabs.map(({ href, label: text, current, count }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={current ? "page" : undefined}
              className="inline-flex min-h-11 items-center gap-1.5 border-b-2 border-transparent px-3 whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current]:border-brand aria-[current]:font-medium aria-[current]:text-ink sm:min-h-9"
            >
              {text}
              {count !== undefined && <span className="text-fact text-muted tabular-nums">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
