-- What operators resolved before suspense items remembered it: the last posting of each says how much, and to whom.
UPDATE "suspense_items" i SET "credited" = l."amount"
FROM "ledger_transfers" l
WHERE i."open" = 0 AND i."resolution" LIKE 'credit: %' AND l."merchant_id" = i."merchant_id"
  AND l."key" = i."id" || ':' || i."moves" || ':credit' AND l."result" = 'posted';
--> statement-breakpoint
UPDATE "suspense_items" i SET "dismissed" = sign(i."amount") * l."amount"
FROM "ledger_transfers" l
WHERE i."open" = 0 AND i."resolution" LIKE 'dismiss: %' AND l."merchant_id" = i."merchant_id"
  AND l."key" = i."id" || ':' || i."moves" || ':issuer' AND l."result" = 'posted';
--> statement-breakpoint
ALTER TYPE purchase_request ADD ATTRIBUTE sku text;
