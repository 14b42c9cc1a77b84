import { randomBytes } from "node:crypto";
import fc from "fast-check";

// Every run has the same seed, so that a failing property points to the latest change. FC_SEED=… sets another seed.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_121) });

process.env.OJA_SECRET_KEY ??= randomBytes(32).toString("hex");
process.env.LOG_LEVEL ??= "silent";
// Tests never reach a real mail server. Tests of mails set one of their own.
delete process.env.SMTP_URL;
process.env.DATABASE_POOL_SIZE ??= "12";
// Vite sets BASE_URL to "/", which is not our setting of that name.
if (process.env.BASE_URL === "/") delete process.env.BASE_URL;
