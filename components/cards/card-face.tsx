import { classes } from "#components/ui/class-names.ts";
import { BRANDS } from "./words.ts";

interface CardFaceProps {
  brand: keyof typeof BRANDS;
  holder: string;
  /** Null until the card is issued. */
  last4: string | null;
  expiryMonth: number | null;
  expiryYear: number | null;
  /** A card that cannot be used is drawn pale. */
  isUsable: boolean;
}

/** A picture of a card with its data that is not secret. */
export function CardFace({ brand, holder, last4, expiryMonth, expiryYear, isUsable }: CardFaceProps) {
  const expiry = expiryMonth && expiryYear ? `${String(expiryMonth).padStart(2, "0")}/${String(expiryYear % 100).padStart(2, "0")}` : null;
  return (
    <div
      className={classes(
        "flex min-h-32 w-full shrink-0 flex-col justify-between rounded-panel border p-4 sm:aspect-[1.586] sm:w-72",
        isUsable ? "border-transparent bg-brand text-brand-ink" : "border-line bg-surface text-muted",
      )}
    >
      <p className="text-right font-semibold tracking-wide">{BRANDS[brand]}</p>
      <div className="flex flex-col gap-1">
        <p className="font-mono text-title tracking-wider">
          <span aria-hidden="true">•••• </span>
          <span className="sr-only">Card ending in </span>
          {last4 ?? "••••"}
        </p>
        <div className="flex items-baseline justify-between gap-3 text-fact">
          <p className="min-w-0 truncate">{holder}</p>
          {expiry && (
            <p className="font-mono">
              <span className="sr-only">expires </span>
              {expiry}
            </p>
          )}
        </div>
      </div>
    </div>
  );
}
