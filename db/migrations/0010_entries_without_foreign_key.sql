ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_transfer_fkey";
--> statement-breakpoint
DROP INDEX IF EXISTS "ledger_entries_by_transfer";