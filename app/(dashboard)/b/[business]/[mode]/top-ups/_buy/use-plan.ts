"use client";

import { useEffect, useState } from "react";
import { type ChosenPlan, planInPage } from "#components/top-ups/plan-picker.tsx";

/** The plan and the brand that are chosen. Another brand drops the plan of the first. `first` is the id of the plan to begin with. */
export function usePlan(first: number | undefined) {
  const [plan, setPlan] = useState<ChosenPlan>();
  const [choice, setChoice] = useState<string>();
  // What a plan costs is in the rows of the page.
  useEffect(() => {
    const checked = document.querySelector<HTMLInputElement>('input[name="plan"]:checked');
    const id = first ?? (checked ? Number(checked.value) : undefined);
    if (id !== undefined) setPlan(planInPage(id));
  }, [first]);
  return {
    plan,
    /** The brand that the person has chosen, otherwise the brand of the plan. */
    brand: choice ?? plan?.brand,
    choosePlan: setPlan,
    chooseBrand: (brand: string) => {
      setChoice(brand);
      if (plan && plan.brand !== brand) setPlan(undefined);
    },
    choosePlanOf: (id: number) => {
      const found = planInPage(id);
      setChoice(found?.brand);
      setPlan(found);
    },
  };
}
