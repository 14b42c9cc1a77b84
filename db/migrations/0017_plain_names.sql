-- A hold is the ledger's alone: an endpoint is paused. An operation is re-checked.
ALTER TABLE "webhook_endpoints" RENAME COLUMN "held_until" TO "paused_until";--> statement-breakpoint
ALTER TABLE "card_operations" RENAME COLUMN "look_again_at" TO "recheck_at";--> statement-breakpoint
ALTER TABLE "card_operations" RENAME CONSTRAINT "card_operations_looked_at_again_when_failed" TO "card_operations_rechecked_when_failed";--> statement-breakpoint
ALTER INDEX "card_operations_to_look_at_again" RENAME TO "card_operations_to_recheck";
