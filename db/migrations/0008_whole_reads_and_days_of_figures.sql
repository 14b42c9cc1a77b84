ALTER TABLE "cards" ADD COLUMN "spend_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "figure_cursors" ADD COLUMN "wallet_day" date;--> statement-breakpoint
ALTER TABLE "figure_cursors" ADD COLUMN "event_day" date;