ALTER TABLE "ledger_accounts" DROP CONSTRAINT "ledger_accounts_pkey";
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_pkey" PRIMARY KEY("account","merchant_id");