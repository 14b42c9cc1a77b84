import { SIGN } from "./sign.ts";

/** The sign: a stall's awning over a counter, which is a market and an O. One colour, that of the text around it. */
export function Sign({ size = 24 }: { size?: number | undefined }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" width={size} height={size} fill="currentColor" className="shrink-0">
      <path d={SIGN} />
    </svg>
  );
}

/** The sign and the name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 text-title font-semibold tracking-tight">
      <span className="text-brand">
        <Sign />
      </span>
      Oja
    </span>
  );
}
