import { sql } from "#db/client.ts";
import type { OperatorContext } from "../context.ts";
import { verb } from "../verb.ts";
import { type Operator, readOperators } from "./operator.ts";

interface ListedOperator extends Operator {
  /** Without one, the person cannot show at the command line who they are. */
  hasApp: boolean;
}

/** Returns all operators, in the order in which they came. */
export const listOperators = verb(
  { actor: ["operator"], operatorRole: "viewer" },
  async (_ctx: OperatorContext): Promise<ListedOperator[]> => {
    const operators = await readOperators();
    const apps = await sql()<{ user_id: string }[]>`
    select user_id from totp_secrets where confirmed_at is not null and user_id = any(${operators.map(({ userId }) => userId)})`;
    return operators.map((operator) => ({ ...operator, hasApp: apps.some(({ user_id }) => user_id === operator.userId) }));
  },
);
