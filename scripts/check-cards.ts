import { settings } from "#lib/env.ts";
import { compareCards } from "#services/cards/index.ts";
import { systemContext } from "#services/context.ts";
import { onDatabase } from "./on-database.ts";

// Compares the card ledger of DATABASE_URL (or of the built-in database) with the issuers' balances. The issuers must be reachable; those
// of test mode are while Oja runs. Exits with 1 if a card differs, and with 2 if cards could not be compared.
await onDatabase("The cards could not be compared:", async () => {
  const { compared, processing, unread, differences } = await compareCards(systemContext("check-cards"), process.argv[2]);
  if (differences.length > 0) console.table(differences);
  if (compared > 0 || unread === 0) console.log(`${compared} cards compared, ${differences.length} differences.`);
  if (processing > 0) console.log(`${processing} cards have an operation that is not decided yet: check again later.`);
  if (unread > 0)
    console.log(
      `${unread} cards could not be read at their issuer. Those of test mode answer at ${settings().SANDBOX_URL}: start Oja, or name its PORT (or SANDBOX_URL) here too.`,
    );
  process.exitCode = differences.length > 0 ? 1 : unread > 0 ? 2 : 0;
});
