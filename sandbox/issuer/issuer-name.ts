/** The two issuers of test mode. `sandbox` executes operations at once; `sandbox-async` queues them, and its API differs in everything. */
export type SandboxIssuerName = "sandbox" | "sandbox-async";
