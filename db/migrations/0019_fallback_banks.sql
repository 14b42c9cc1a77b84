CREATE TABLE "fallback_banks" (
	"merchant_id" text NOT NULL,
	"position" integer NOT NULL,
	"mode" "mode" NOT NULL,
	"provider" text NOT NULL,
	CONSTRAINT "fallback_banks_pkey" PRIMARY KEY("merchant_id","position"),
	CONSTRAINT "fallback_banks_once" UNIQUE("merchant_id","provider"),
	CONSTRAINT "fallback_banks_no_sandbox_in_live" CHECK (not ("fallback_banks"."mode" = 'live' and "fallback_banks"."provider" like 'sandbox%'))
);
--> statement-breakpoint
ALTER TABLE "fallback_banks" ADD CONSTRAINT "fallback_banks_mode_fkey" FOREIGN KEY ("merchant_id","mode") REFERENCES "public"."merchants"("id","mode") ON DELETE no action ON UPDATE no action;