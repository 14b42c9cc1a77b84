import type { ReactNode } from "react";
import { Awaiting } from "./awaiting.tsx";
import { Expired, Suspended } from "./closed.tsx";
import { Paid } from "./paid.tsx";
import { card, Footer, Header, Heading, Languages } from "./parts.tsx";
import { TestPanel } from "./test-panel.tsx";
import type { PayView } from "./view.ts";
import { LANGUAGES, type Language } from "./words/index.ts";

/** The body of the payer's page for a link that exists. It is readable and usable without script. */
export function PayPage({ view }: { view: PayView }) {
  return (
    <>
      {view.testMode && <TestPanel view={view} />}
      <Shell wide={view.state === "awaiting"}>
        <Languages words={view.words} current={view.language} />
        <Header business={view.business} />
        <State view={view} />
        <Footer view={view} />
      </Shell>
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
    <Shell>
      <Languages words={LANGUAGES[language].words} current={language} />
      <section className={card} aria-labelledby="state">
        <Heading>{title}</Heading>
        <p className="mt-2 text-muted">{children}</p>
      </section>
    </Shell>
  );
}

function Shell({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <div className={`mx-auto flex w-full max-w-md flex-col gap-4 px-4 pt-4 pb-8 sm:pt-10 ${wide ? "lg:max-w-3xl" : ""}`}>{children}</div>
  );
}
