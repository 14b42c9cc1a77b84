import type { PayView } from "./view.ts";
import type { Words } from "./words/index.ts";

const groupsOf = (digits: string) => [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
/** Returns ten digits as people read them out: `012 345 6789`. */
export const grouped = (digits: string): string => groupsOf(digits).join(" ");

const copyButton =
  "js-slot min-h-11 max-w-full shrink-0 wrap-anywhere rounded-lg border border-control px-2 text-sm font-semibold text-ink";

interface CopyButtonProps {
  words: Words;
  text: string;
  /** The name of the copied field. */
  what: string;
  /** Shows a Naira sign, because the button stands beside the time. */
  isOfAmount?: boolean;
}

export function CopyButton({ words, text, what, isOfAmount = false }: CopyButtonProps) {
  return (
    <button type="button" data-copy={text} className={isOfAmount ? `${copyButton} after:content-['₦']` : copyButton}>
      {words.copy} <span className="sr-only">{what}</span>
    </button>
  );
}

/**
 * Ten digits in groups of 3, 3 and 4, as people read them out. Each group is an element of its own, so that a selection copies digits
 * alone.
 */
export function AccountNumber({ digits, id }: { digits: string; id?: string }) {
  return (
    <span id={id} className="flex flex-wrap gap-x-2 text-[1.375rem] font-bold tabular-nums">
      {groupsOf(digits).map((group, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: static markup, and two groups may be alike
        <span key={`${i}-${group}`}>{group}</span>
      ))}
    </span>
  );
}

/** In characters. Longer names get a whole line each. */
const HALF_A_LINE = 24;

export function BankDetails({ view: { words, accountNumber, bankName, accountName } }: { view: PayView }) {
  const isWide = Math.max(bankName.length, accountName.length) > HALF_A_LINE;
  return (
    <dl className="grid grid-cols-2 gap-3">
      <div className="col-span-2">
        <dt className="text-sm text-muted">{words.accountNumber}</dt>
        <dd className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <AccountNumber digits={accountNumber} />
          <CopyButton words={words} text={accountNumber} what={words.accountNumber} />
        </dd>
      </div>
      <Row name={words.bank} value={bankName} wide={isWide} />
      <Row name={words.accountName} value={accountName} wide={isWide} />
    </dl>
  );
}

function Row({ name, value, wide = false }: { name: string; value: string; wide?: boolean }) {
  return (
    <div className={wide ? "col-span-2" : undefined}>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="wrap-anywhere font-semibold">
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

export function Details({ rows }: { rows: [string, string | null][] }) {
  return (
    <dl className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      {rows.map(([name, value]) => value !== null && <Row key={name} name={name} value={value} />)}
    </dl>
  );
}
