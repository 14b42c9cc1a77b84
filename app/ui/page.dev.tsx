import { headers } from "next/headers";
import type { ReactNode } from "react";
import { ToastProvider } from "#components/ui/toast.tsx";
import { Buttons, Facts, Forms, Lists, Notices } from "./examples.tsx";
import { Floating } from "./floating.tsx";

export const metadata = { title: "Primitives" };

/** Every primitive in all of its states, for development: a build leaves out pages whose name ends with `.dev.tsx`. */
export default async function Primitives() {
  // The request's time is the present for the relative times below.
  await headers();
  return (
    <ToastProvider>
      <main className="mx-auto flex max-w-5xl flex-col gap-8 px-4 py-6 wide:px-6">
        <h1>Primitives</h1>
        <Section title="Buttons and links">
          <Buttons />
        </Section>
        <Section title="Notices">
          <Notices />
        </Section>
        <Section title="Forms">
          <Forms />
        </Section>
        <Section title="Facts">
          <Facts now={new Date()} />
        </Section>
        <Section title="What floats">
          <Floating />
        </Section>
        <Section title="Lists">
          <Lists now={new Date()} />
        </Section>
      </main>
    </ToastProvider>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-3 font-semibold">{title}</h2>
      {children}
    </section>
  );
}
