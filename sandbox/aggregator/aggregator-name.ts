/** The two aggregators of test mode. `sandbox` has a plain API, and `sandbox-vtpass` an API like that of VTpass. */
export type SandboxAggregatorName = "sandbox" | "sandbox-vtpass";
