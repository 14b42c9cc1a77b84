ALTER TABLE "cardholders" ALTER COLUMN "id" DROP DEFAULT;--> statement-breakpoint
CREATE INDEX "cardholders_newest" ON "cardholders" USING btree ("merchant_id","created_at","id") WHERE "cardholders"."id" > 0;--> statement-breakpoint
DROP SEQUENCE "public"."cardholder_numbers";