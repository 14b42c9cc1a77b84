import { transaction } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { type ApprovedContext, NotCarriedOut, withApproval } from "./approval.ts";
import { anOperator } from "./merchants/merchant.fixture.ts";

/** Carries an act out as a proposal does that two operators decided. Returns false where it turns out to change nothing. */
export const decidedByTwo = <T>(act: (ctx: ApprovedContext) => Promise<T>): Promise<T | false> =>
  transaction((tx) => act(withApproval(anOperator, tx, { id: newId("proposal"), proposedBy: newId("user"), reason: "A test." }))).catch(
    (error: unknown) => {
      if (error instanceof NotCarriedOut) return false;
      throw error;
    },
  );
