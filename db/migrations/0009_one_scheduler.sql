CREATE TABLE "schedules" (
	"name" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "schedules_pkey" PRIMARY KEY("name"),
	CONSTRAINT "schedules_attempts" CHECK ("schedules"."attempts" >= 0)
);
--> statement-breakpoint
-- The schema in which pg-boss kept the times of jobs.
DROP SCHEMA IF EXISTS "jobs" CASCADE;
