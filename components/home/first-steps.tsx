import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

export interface FirstStep {
  key: string;
  title: string;
  /** One sentence: the purpose of the step, or how to do it. */
  detail: ReactNode;
  isDone: boolean;
  action?: { href: string; label: string } | undefined;
}

interface FirstStepsProps {
  steps: readonly FirstStep[];
  /** The button that hides the list. */
  putAway: ReactNode;
  /** Whether the steps are the main content of the page. The next open step then has the primary action. */
  isPage: boolean;
}

/** What a new business does first. Steps tick themselves: open ones say how, done ones share a line. */
export function FirstSteps({ steps, putAway, isPage }: FirstStepsProps) {
  const done = steps.filter(({ isDone }) => isDone);
  const open = steps.filter(({ isDone }) => !isDone);
  const next = isPage ? open.find(({ action }) => action) : undefined;
  return (
    <Section id="first-steps" title={`First steps (${done.length} of ${steps.length})`} aside={putAway}>
      <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
        {open.map((step) => (
          <OpenStep key={step.key} step={step} isNext={step === next} />
        ))}
        {done.length > 0 && (
          <li className="px-4 py-3 text-fact">
            <ul aria-label="Done" className="flex flex-wrap gap-x-5 gap-y-1.5">
              {done.map(({ key, title }) => (
                <li key={key} className="inline-flex items-center gap-1.5">
                  <Check aria-hidden="true" className="size-3.5 text-success" strokeWidth={3} />
                  {title}
                </li>
              ))}
            </ul>
          </li>
        )}
      </ul>
    </Section>
  );
}

const OpenStep = ({ step: { title, detail, action }, isNext }: { step: FirstStep; isNext: boolean }) => (
  <li className="flex gap-3 px-4 py-3">
    <span aria-hidden="true" className="mt-px size-[1.125rem] shrink-0 rounded-full border border-control" />
    <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 max-w-[72ch]">
        <p className="font-medium">{title}</p>
        <div className="text-fact text-muted">{detail}</div>
      </div>
      {action && (
        <ButtonLink href={action.href} variant={isNext ? "primary" : "quiet"}>
          {action.label}
        </ButtonLink>
      )}
    </div>
  </li>
);
