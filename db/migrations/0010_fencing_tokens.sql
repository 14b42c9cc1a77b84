ALTER TABLE "purchases" RENAME COLUMN "turn" TO "fencing_token";--> statement-breakpoint
ALTER TABLE "purchases" RENAME COLUMN "last_turn_at" TO "leased_at";--> statement-breakpoint
ALTER TABLE "bulk_orders" RENAME COLUMN "turn" TO "fencing_token";
