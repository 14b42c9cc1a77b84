import { Section } from "#components/page/detail.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { inFours } from "./numbers.ts";

interface Pin {
  serial: string;
  pin: string;
}

/** The tokens and pins of a purchase, or why they are not shown. */
export type SecretsView =
  | { state: "none" }
  | { state: "shown"; tokens: readonly string[]; pins: readonly Pin[] }
  /** The reader's role may not see them. */
  | { state: "withheld"; whoMay: string }
  | { state: "unavailable"; reference: string };

/** The delivered codes: tokens to type into a meter, or pins to use on an exam's site. */
export function Secrets({ view, units }: { view: SecretsView; units: string | null }) {
  switch (view.state) {
    case "none":
      return null;
    case "withheld":
      return <Notice title="Delivered with a token or pins">{view.whoMay}</Notice>;
    case "unavailable":
      return (
        <Notice tone="danger" title="The token cannot be opened">
          It was delivered, and cannot be read now. Do not buy it again. Write to support with the reference {view.reference}.
        </Notice>
      );
    case "shown":
      return (
        <>
          {view.tokens.length > 0 && <Tokens tokens={view.tokens} units={units} />}
          {view.pins.length > 0 && <Pins pins={view.pins} />}
        </>
      );
  }
}

function Tokens({ tokens, units }: { tokens: readonly string[]; units: string | null }) {
  const isOne = tokens.length === 1;
  return (
    <Section id="token" title={isOne ? "Token" : `${tokens.length} tokens: key them in, in this order`}>
      <ol className="flex max-w-[45rem] flex-col gap-2">
        {tokens.map((token) => (
          <li
            key={token}
            className="flex flex-wrap items-center justify-between gap-3 rounded-panel border border-line bg-surface px-4 py-3"
          >
            <span className="min-w-0 font-mono text-input font-semibold sm:text-title wrap-anywhere tabular-nums">{tokenText(token)}</span>
            <span className="print:hidden">
              <CopyButton text={token.replaceAll(/[\s-]/g, "")} label="Copy token" />
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-fact text-muted">
        {units && <span className="font-medium text-ink">{units}. </span>}
        Key the token into the meter, without spaces.
      </p>
    </Section>
  );
}

/** Returns a token of digits in groups of four. A token with other characters stays as the provider wrote it. */
export function tokenText(token: string): string {
  const digits = token.replaceAll(/[\s-]/g, "");
  return /^\d+$/.test(digits) ? inFours(digits) : token;
}

function Pins({ pins }: { pins: readonly Pin[] }) {
  return (
    <div className="max-w-[45rem]">
      <Section
        id="pins"
        title={pins.length === 1 ? "Pin" : `${pins.length} pins`}
        aside={
          <span className="inline-flex items-center gap-2 text-fact text-muted print:hidden">
            Copy all <CopyButton text={pinsText(pins)} label="Copy all pins" />
          </span>
        }
      >
        <div className="overflow-x-auto rounded-panel border border-line bg-surface">
          <table className="w-full text-fact">
            <caption className="sr-only">Pins</caption>
            <thead>
              <tr className="border-b border-line text-left text-muted">
                <th scope="col" className="px-4 py-2 font-medium">
                  Serial
                </th>
                <th scope="col" className="px-4 py-2 font-medium">
                  Pin
                </th>
                <td className="print:hidden" />
              </tr>
            </thead>
            <tbody>
              {pins.map(({ serial, pin }) => (
                <tr key={serial} className="border-b border-line last:border-b-0">
                  <td className="px-4 py-2 font-mono wrap-anywhere">{serial}</td>
                  <td className="px-4 py-2 font-mono font-semibold wrap-anywhere">{inFours(pin)}</td>
                  <td className="px-2 py-1 text-right print:hidden">
                    <CopyButton text={pin} label={`Copy the pin of ${serial}`} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
    </div>
  );
}

/** Returns pins as text, a line each. */
export const pinsText = (pins: readonly Pin[]): string => pins.map(({ serial, pin }) => `Serial ${serial}, pin ${pin}`).join("\n");
