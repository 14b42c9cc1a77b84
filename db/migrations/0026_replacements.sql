ALTER TABLE "payment_links" ADD COLUMN "replaces" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "replaced_by" text;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_links_one_replacement" ON "payment_links" USING btree ("merchant_id","replaces") WHERE "payment_links"."replaces" is not null;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_replaced_when_not_pending" CHECK ("replaced_by" is null or "status" <> 'pending');--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_replace_another" CHECK ("replaces" <> "reference" and "replaced_by" <> "reference");