/** Next calls this once when a web process starts. In test mode it starts the clock of the sandbox, which runs inside this process. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { settings } = await import("#lib/env.ts");
  if (!settings().OJA_TEST_MODE) return;
  const { startSandboxClock } = await import("#sandbox/clock.ts");
  startSandboxClock();
}
