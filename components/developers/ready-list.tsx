import { CopyButton } from "#components/ui/copy-button.tsx";

/** Texts that a reader copies into a form, each with the outcome that it causes. */
export function ReadyList({ label, items }: { label: string; items: readonly { text: string; outcome: string }[] }) {
  return (
    <dl aria-label={label} className="divide-y divide-line rounded-panel border border-line bg-surface">
      {items.map(({ text, outcome }) => (
        <div key={text} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
          <dt className="flex min-w-0 items-center gap-2 font-mono wrap-anywhere sm:w-72">
            {text}
            <CopyButton text={text} label={`Copy ${text}`} />
          </dt>
          <dd className="min-w-0 text-muted">{outcome}</dd>
        </div>
      ))}
    </dl>
  );
}
