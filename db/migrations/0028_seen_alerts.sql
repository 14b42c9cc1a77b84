CREATE TABLE "seen_alerts" (
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"up_to" text NOT NULL,
	CONSTRAINT "seen_alerts_pkey" PRIMARY KEY("merchant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "seen_alerts" ADD CONSTRAINT "seen_alerts_user_fkey" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;