import { Amount } from "#components/ui/amount.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { formatMoney } from "#lib/money.ts";

export interface Shop {
  /** The address of the list. */
  href: string;
  /** Kobo that the wallet can spend. */
  available: bigint;
  /** The page that creates a payment link to the own business, to add money. Absent for readers who may not create one. */
  addMoneyHref: string | undefined;
}

interface PayBoxProps {
  shop: Shop;
  /** What is bought: "MTN airtime". Undefined until it is chosen. */
  what: string | undefined;
  /** The number that is topped up, and the name of its owner. */
  whom: string | undefined;
  /** Kobo, for all of it. */
  price: bigint | undefined;
  label: string;
  isWorking: boolean;
}

/** The price and the balance after it, over the buy button. Always in view: beside the form, and on a phone over the bottom bar. */
export function PayBox({ shop, what, whom, price, label, isWorking }: PayBoxProps) {
  const missing = price === undefined ? 0n : price - shop.available;
  return (
    <section
      aria-label="Summary"
      className="flex flex-col gap-3 border-line bg-surface max-wide:sticky max-wide:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-wide:z-5 max-wide:-mx-4 max-wide:border-t max-wide:px-4 max-wide:py-3 max-[18rem]:static wide:sticky wide:top-[calc(var(--below-bars)+1.5rem)] wide:rounded-panel wide:border wide:p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 wide:flex-col wide:gap-3">
        <div className="min-w-0 grow wrap-anywhere max-wide:basis-40">
          <p className="font-medium">{what ?? "Nothing chosen yet"}</p>
          {whom && <p className="text-fact text-muted">{whom}</p>}
        </div>
        <div className="max-wide:text-right">
          <p className="text-fact text-muted max-wide:sr-only">You pay</p>
          <p className="text-title leading-tight font-semibold tabular-nums">
            {price === undefined ? <span className="text-muted">–</span> : <Amount minor={price} currency="NGN" />}
          </p>
        </div>
      </div>
      {missing > 0n ? (
        <p className="text-fact text-warning">
          {naira(missing)} is missing in your wallet, which has {naira(shop.available)}. <AddMoney shop={shop} missing={missing} />
        </p>
      ) : (
        <p className={price === undefined ? "text-fact text-muted max-wide:hidden" : "text-fact text-muted"}>
          {price === undefined ? "In your wallet" : "Wallet after"} <Amount minor={shop.available - (price ?? 0n)} currency="NGN" />
        </p>
      )}
      <Button type="submit" variant="primary" wide pending={isWorking} pendingLabel="Buying…">
        {label}
      </Button>
    </section>
  );
}

export const naira = (minor: bigint): string => formatMoney({ minor, currency: "NGN" });

/** A payment link asks for at least this. */
const LEAST_LINK = 10_000n;

/** A link that adds money: it creates a payment link to the own business over the missing amount. */
export function AddMoney({ shop, missing }: { shop: Shop; missing: bigint }) {
  if (!shop.addMoneyHref) return null;
  const amount = missing < LEAST_LINK ? LEAST_LINK : missing;
  const query = new URLSearchParams({ description: "Add money to my wallet", amount: naira(amount).replaceAll(/[₦,]/g, "") });
  return <TextLink href={`${shop.addMoneyHref}?${query}`}>Add money</TextLink>;
}
