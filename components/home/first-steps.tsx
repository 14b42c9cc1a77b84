import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "#components/page/detail.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { classes } from "#components/ui/class-names.ts";

export interface FirstStep {
  key: string;
  title: string;
  /** One sentence: what it is good for, or how it is done. */
  detail: ReactNode;
  isDone: boolean;
  action?: { href: string; label: string } | undefined;
}

/** What a new business does first. Steps tick themselves; `putAway` takes the list off the page. */
export function FirstSteps({ steps, putAway }: { steps: readonly FirstStep[]; putAway: ReactNode }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone, action }) => !isDone && action);
  return (
    <Section id="first-steps" title={`First steps (${done} of ${steps.length})`} aside={putAway}>
      <ol className="divide-y divide-line rounded-panel border border-line bg-surface">
        {steps.map((step) => (
          <Step key={step.key} step={step} isNext={step === next} />
        ))}
      </ol>
    </Section>
  );
}

function Step({ step: { title, detail, isDone, action }, isNext }: { step: FirstStep; isNext: boolean }) {
  return (
    <li className="flex gap-3 px-4 py-3">
      <span
        aria-hidden="true"
        className={classes(
          "mt-px grid size-[1.125rem] shrink-0 place-items-center rounded-full border",
          isDone ? "border-success bg-success text-surface" : "border-control",
        )}
      >
        {isDone && <Check className="size-3" strokeWidth={3} />}
      </span>
      <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 max-w-[72ch]">
          <p className={classes("font-medium", isDone && "text-muted")}>
            {title}
            {isDone && <span className="sr-only">: done</span>}
          </p>
          {!isDone && <div className="text-fact text-muted">{detail}</div>}
        </div>
        {!isDone && action && (
          <ButtonLink href={action.href} variant={isNext ? "primary" : "quiet"}>
            {action.label}
          </ButtonLink>
        )}
      </div>
    </li>
  );
}
