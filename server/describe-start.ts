import type { Settings } from "#lib/env.ts";
import { hasMailbox } from "#lib/mailbox.ts";
import type { Demo } from "./seed-demo.ts";

/** Returns the text for the terminal once everything runs. Shows secrets at the first start only, because Oja keeps no readable copy. */
export function describeStart(settings: Settings, demo: Demo | undefined): string {
  const { BASE_URL, DASHBOARD_URL, SMTP_URL } = settings;
  const lines = [
    "",
    `Oja runs at ${BASE_URL}`,
    `  Dashboard      ${DASHBOARD_URL}/sign-in`,
    `  API reference  ${BASE_URL}/api/v1/openapi.json`,
    `  Health         ${BASE_URL}/health`,
  ];
  if (hasMailbox(settings))
    lines.push(
      `  Mailbox        ${DASHBOARD_URL}/mailbox/open?key=${settings.OJA_MAILBOX_KEY}   (mails are shown there instead of being sent)`,
    );
  else if (!SMTP_URL) lines.push("  Mails          not sent, because SMTP_URL is not set: they wait in the database");
  if (demo) {
    lines.push(
      "",
      "A demo business was made, in test mode. Its secrets are shown this once:",
      `  X-Api-Key      ${demo.key.publicKey}`,
      `  X-Api-Secret   ${demo.key.secretKey}`,
      `  Owner          ${demo.email} / ${demo.password}   (signs in to the dashboard)`,
      "",
      "Create a payment link:",
      "",
      `  curl -s ${BASE_URL}/api/v1/checkout/create \\`,
      `    -H 'X-Api-Key: ${demo.key.publicKey}' \\`,
      `    -H 'X-Api-Secret: ${demo.key.secretKey}' \\`,
      "    -H 'Content-Type: application/json' \\",
      `    -d '{"amount": 5000, "description": "Two bags of rice"}'`,
    );
  } else {
    lines.push("", "Keys are shown when they are made. For new ones: npm run oja -- help");
  }
  lines.push("", "Ctrl-C stops everything.", "");
  return lines.join("\n");
}
