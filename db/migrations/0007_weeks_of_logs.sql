-- Both logs are split by time. The rows that are there become their first partition, with all until the Monday after next (db/weeks.ts makes the others).
-- An attempt was stored twice where the database fell silent in that moment.
DELETE FROM "webhook_attempts" a USING "webhook_attempts" b
WHERE a."merchant_id" = b."merchant_id" AND a."delivery_id" = b."delivery_id" AND a."started_at" = b."started_at" AND a."number" > b."number";
--> statement-breakpoint
-- Bounds of ids hold in one order of letters only, whatever language the database sorts by.
ALTER TABLE "request_log" ALTER COLUMN "id" TYPE text COLLATE "C";
--> statement-breakpoint
DROP INDEX "request_log_by_age";
--> statement-breakpoint
DROP INDEX "webhook_attempts_by_age";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_pkey";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("merchant_id", "delivery_id", "started_at");
--> statement-breakpoint
DO $$
DECLARE
  monday timestamptz := (date_trunc('week', now() AT TIME ZONE 'UTC') + interval '14 days') AT TIME ZONE 'UTC';
  suffix text := '_until_' || to_char(monday AT TIME ZONE 'UTC', 'YYYYMMDD');
  -- The least id of that time, as lib/ids.ts writes it: its milliseconds as ten digits of base 32.
  least text := (
    SELECT 'req_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((extract(epoch FROM monday)::bigint * 1000 >> (5 * place)) & 31)::int, 1), '' ORDER BY place DESC)
    FROM generate_series(0, 9) place);
  own record;
BEGIN
  -- Of a process whose clock was ahead.
  DELETE FROM request_log WHERE id >= least;
  DELETE FROM webhook_attempts WHERE started_at >= monday;
  FOR own IN SELECT i.indexrelid::regclass::text AS name, c.relname AS log FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.oid IN ('request_log'::regclass, 'webhook_attempts'::regclass)
  LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', own.name, own.name || suffix);
  END LOOP;
  EXECUTE format('ALTER TABLE request_log RENAME TO %I', 'request_log' || suffix);
  EXECUTE format('ALTER TABLE webhook_attempts RENAME TO %I', 'webhook_attempts' || suffix);
  EXECUTE format('CREATE TABLE request_log (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (id)', 'request_log' || suffix);
  EXECUTE format('CREATE TABLE webhook_attempts (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (started_at)', 'webhook_attempts' || suffix);
  EXECUTE format('ALTER TABLE request_log ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', 'request_log' || suffix, least);
  EXECUTE format('ALTER TABLE webhook_attempts ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', 'webhook_attempts' || suffix, monday);
END $$;
--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_pkey" PRIMARY KEY ("merchant_id", "id");
--> statement-breakpoint
CREATE INDEX "request_log_failed" ON "request_log" USING btree ("merchant_id","id","error_code","method","endpoint","caller","created_at") WHERE "request_log"."status" >= 400;
--> statement-breakpoint
CREATE INDEX "request_log_broken" ON "request_log" USING btree ("merchant_id","id") WHERE "request_log"."status" >= 500;
--> statement-breakpoint
CREATE INDEX "request_log_by_code" ON "request_log" USING btree ("merchant_id","error_code","id") WHERE "request_log"."error_code" is not null;
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("merchant_id", "delivery_id", "started_at");
