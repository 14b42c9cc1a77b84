export { getOwnUser } from "./get-own-user.ts";
