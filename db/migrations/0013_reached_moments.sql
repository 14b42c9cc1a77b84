ALTER TABLE "bulk_orders" ALTER COLUMN "locked_until" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "provider_notices" ALTER COLUMN "next_attempt_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "next_attempt_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "exchange_rates" ALTER COLUMN "valid_from" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "sandbox"."notices" ALTER COLUMN "next_attempt_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "sign_in_failures" ALTER COLUMN "blocked_until" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "catalogues" ALTER COLUMN "next_sync_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "product_prices" ALTER COLUMN "valid_from" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ALTER COLUMN "next_attempt_at" SET DEFAULT date_trunc('milliseconds', now());