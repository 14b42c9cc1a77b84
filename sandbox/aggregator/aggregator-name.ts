/** The two aggregators of test mode. `sandbox` speaks plainly; `sandbox-vtpass` has the habits of VTpass. */
export type SandboxAggregatorName = "sandbox" | "sandbox-vtpass";
