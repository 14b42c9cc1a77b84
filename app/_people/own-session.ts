import { headers } from "next/headers";
import { cache } from "react";
import { sessionIn } from "./session-in.ts";

/** Returns the session of the person who opens a page. One page asks once. */
export const ownSession = cache(async () => sessionIn((await headers()).get("cookie") ?? ""));
