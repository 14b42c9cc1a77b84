import type { MemberContext } from "../context.ts";
import { getUserRow } from "./rows.ts";
import { type User, userFromRow } from "./user.ts";

/** Returns the person who acts. */
export const getOwnUser = async ({ actor }: Pick<MemberContext, "actor">): Promise<User> => userFromRow(await getUserRow(actor.id));
