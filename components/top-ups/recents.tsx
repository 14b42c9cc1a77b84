export interface Recent {
  /** As purchases store it. */
  number: string;
  text: string;
  /** The network, the broadcaster or the disco that it was bought from. */
  note: string;
  /** The product that was bought. */
  productId: number;
  brand: string;
  variant: string | null;
}

/** The numbers of recent purchases, newest first. */
export function Recents({ recents, onChoose }: { recents: readonly Recent[]; onChoose: (recent: Recent) => void }) {
  if (recents.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 grid-cols-[repeat(auto-fill,minmax(min(9.75rem,100%),1fr))] gap-2 sm:flex sm:flex-wrap">
      <legend className="mb-1 text-fact text-muted">Recent</legend>
      {recents.map((recent) => (
        <button
          key={recent.number}
          type="button"
          onClick={() => onChoose(recent)}
          className="inline-flex min-h-11 min-w-0 items-baseline justify-center gap-1.5 rounded-full border border-line bg-surface px-2 py-2.5 sm:px-3 text-fact hover:border-control sm:min-h-8 sm:py-1"
        >
          <span className="font-medium whitespace-nowrap tabular-nums">{recent.text}</span>
          <span className="truncate text-muted">{recent.note}</span>
        </button>
      ))}
    </fieldset>
  );
}
