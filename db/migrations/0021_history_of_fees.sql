-- The history of fees begins here: it is not known since when a rule that stands has applied.
ALTER TABLE "card_fees" ADD COLUMN "valid_from" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "card_fees" DROP CONSTRAINT "card_fees_pkey";
--> statement-breakpoint
ALTER TABLE "card_fees" ADD CONSTRAINT "card_fees_pkey" PRIMARY KEY("merchant_id","kind","valid_from");