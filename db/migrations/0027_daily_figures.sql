CREATE TYPE "public"."figure_source" AS ENUM('wallet', 'event');--> statement-breakpoint
CREATE TABLE "daily_figures" (
	"merchant_id" text NOT NULL,
	"day" date NOT NULL,
	"source" "figure_source" NOT NULL,
	"type" text NOT NULL,
	"count" bigint NOT NULL,
	"kobo" bigint NOT NULL,
	CONSTRAINT "daily_figures_pkey" PRIMARY KEY("merchant_id","day","source","type"),
	CONSTRAINT "daily_figures_count_positive" CHECK ("count" > 0)
);
--> statement-breakpoint
CREATE TABLE "figure_cursors" (
	"merchant_id" text NOT NULL,
	"wallet_seq" bigint DEFAULT 0 NOT NULL,
	"event_sequence" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "figure_cursors_pkey" PRIMARY KEY("merchant_id"),
	CONSTRAINT "figure_cursors_not_negative" CHECK ("wallet_seq" >= 0 and "event_sequence" >= 0)
);
