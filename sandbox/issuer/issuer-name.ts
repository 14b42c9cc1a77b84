/** The two issuers of test mode. `sandbox` does what it is asked at once; `sandbox-async` queues it, and has other habits in everything. */
export type SandboxIssuerName = "sandbox" | "sandbox-async";
