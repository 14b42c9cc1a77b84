import { refuseUnknownPath } from "#app/_http/refusals.ts";

export {
  refuseUnknownPath as GET,
  refuseUnknownPath as POST,
  refuseUnknownPath as PUT,
  refuseUnknownPath as PATCH,
  refuseUnknownPath as DELETE,
};
