CREATE TABLE "schedules" (
	"name" text NOT NULL,
	"cron" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"fencing_token" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "schedules_pkey" PRIMARY KEY("name"),
	CONSTRAINT "schedules_attempts" CHECK ("schedules"."attempts" >= 0)
);
--> statement-breakpoint
-- The schema in which pg-boss kept the times of jobs. Nothing reads it any more, so it may stay where another role owns it.
do $$ begin
  if to_regclass('jobs.version') is not null then drop schema jobs cascade; end if;
exception when insufficient_privilege then raise notice 'the schema jobs belongs to another role and stays';
end $$;
