/** Next calls this once when a web process starts. The sandbox is another party that happens to live in the same house. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { settings } = await import("#lib/env.ts");
  if (!settings().OJA_TEST_MODE) return;
  const { startSandboxClock } = await import("#sandbox/clock.ts");
  startSandboxClock();
}
