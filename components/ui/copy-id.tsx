import { CopyButton } from "./copy-button.tsx";
import { truncateMiddle } from "./truncate-middle.ts";

/** An id or a reference: its ends, the whole as title, and a button that copies the whole. */
export function CopyId({ id, what = "id" }: { id: string; what?: string | undefined }) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <span title={id} className="font-mono text-fact">
        {truncateMiddle(id)}
      </span>
      <CopyButton text={id} label={`Copy ${what}`} />
    </span>
  );
}
