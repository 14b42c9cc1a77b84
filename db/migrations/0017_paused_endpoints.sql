-- A hold is the ledger's alone: an endpoint is paused.
ALTER TABLE "webhook_endpoints" RENAME COLUMN "held_until" TO "paused_until";
