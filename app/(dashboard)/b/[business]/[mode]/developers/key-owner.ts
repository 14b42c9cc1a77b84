import { proverOf } from "#app/(dashboard)/_page/prover-of.ts";
import type { MemberContext } from "#services/context.ts";
import type { KeyOwner } from "./key-proof.tsx";

/** Returns the reader as a person who manages keys. */
export const keyOwner = async (ctx: MemberContext): Promise<KeyOwner> => ({ ...(await proverOf(ctx)), mode: ctx.merchant.mode });
