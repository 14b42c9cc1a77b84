import type { ReactNode } from "react";
import { Awaiting } from "./awaiting.tsx";
import { Expired, Suspended } from "./closed.tsx";
import { Header } from "./header.tsx";
import { Paid } from "./paid.tsx";
import { card, Footer, Heading } from "./parts.tsx";
import { TestPanel } from "./test-panel.tsx";
import type { PayView } from "./view.ts";
import type { Language } from "./words/index.ts";

/** The body of the payer's page for a link that exists. It is readable and usable without script. */
export function PayPage({ view }: { view: PayView }) {
  return (
    <>
      {view.testMode && <TestPanel view={view} />}
      <Column>
        <Header business={view.business} language={view.language} />
        <State view={view} />
        <Footer view={view} />
      </Column>
    </>
  );
}

function State({ view }: { view: PayView }) {
  switch (view.state) {
    case "awaiting":
      return <Awaiting view={view} />;
    case "paid":
      return <Paid view={view} />;
    case "expired":
      return <Expired view={view} />;
    case "suspended":
      return <Suspended view={view} />;
  }
}

/** The page in place of a payment. It reveals nothing about existing links. */
export function Refusal({ language, title, children }: { language: Language; title: string; children: ReactNode }) {
  return (
    <Column>
      <Header language={language} />
      <section className={card} aria-labelledby="state">
        <Heading>{title}</Heading>
        <p className="mt-2 text-muted">{children}</p>
      </section>
    </Column>
  );
}

/** Everything stands in one column of one width, so that nothing moves sideways between states. */
const Column = ({ children }: { children: ReactNode }) => (
  <div className="relative mx-auto flex w-full max-w-md flex-col gap-3 px-4 pt-2 pb-8 sm:pt-10">{children}</div>
);
