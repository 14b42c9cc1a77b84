"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { CopyButton } from "#components/ui/copy-button.tsx";

interface SecretDetailsProps {
  number: string;
  cvv: string;
  month: number;
  year: number;
  shownForMs: number;
}

const SECOND_MS = 1_000;

/** A card's number, expiry date and CVV, each with a button that copies it. Text and no fields, so that no browser offers to keep them. */
export function SecretDetails({ number, cvv, month, year, shownForMs }: SecretDetailsProps) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.focus(), []);
  const groups = number.match(/.{1,4}/g) ?? [number];
  const expiry = `${String(month).padStart(2, "0")}/${String(year % 100).padStart(2, "0")}`;
  return (
    <div ref={top} tabIndex={-1} translate="no" className="flex flex-col gap-4 outline-none">
      <dl className="flex flex-col gap-3">
        <Line label="Number" copy={<CopyButton text={number} label="Copy number" />}>
          <span className="flex flex-wrap gap-x-2 text-title">
            {groups.map((group, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups of digits may be alike, and their order never changes
              <span key={at}>{group}</span>
            ))}
          </span>
        </Line>
        <Line label="Expiry date" copy={<CopyButton text={expiry} label="Copy expiry date" />}>
          {expiry}
        </Line>
        <Line label="CVV" copy={<CopyButton text={cvv} label="Copy CVV" />}>
          {cvv}
        </Line>
      </dl>
      <HiddenIn ms={shownForMs} />
    </div>
  );
}

const Line = ({ label, copy, children }: { label: string; copy: ReactNode; children: ReactNode }) => (
  <div>
    <dt className="text-fact text-muted">{label}</dt>
    <dd className="flex items-center justify-between gap-3 font-mono tabular-nums">
      {children}
      {copy}
    </dd>
  </div>
);

function HiddenIn({ ms }: { ms: number }) {
  const [left, setLeft] = useState(ms / SECOND_MS);
  useEffect(() => {
    const until = Date.now() + ms;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / SECOND_MS))), SECOND_MS);
    return () => clearInterval(timer);
  }, [ms]);
  return (
    <p className="text-fact text-muted">
      {/* Announced once, because a screen reader that counts the seconds would interrupt the digits. */}
      <span role="status" className="sr-only">
        Shown for {ms / SECOND_MS} seconds, then hidden.
      </span>
      <span aria-hidden="true">
        Hidden in <span className="tabular-nums">{left}</span> s, and when you leave this page. What you copy stays on your clipboard.
      </span>
    </p>
  );
}
