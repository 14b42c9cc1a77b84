import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ChangePassword, changePassword, PasswordChanged } from "#services/users/index.ts";

const CHANGED = { data: { changed: true } };

export const POST = dashboardRoute(
  {
    name: "changePassword",
    summary: "Change one's own password, and sign out every other browser",
    permission: changePassword.needs.permission,
    allowedWhileSuspended: true,
    body: ChangePassword,
    returns: { 200: dataOf(PasswordChanged) },
    replay: {
      newResourceId: () => "changePassword",
      secretFields: ["password", "code", "new_password"],
      present: async () => CHANGED,
    },
  },
  async (ctx, { body: { new_password: newPassword, ...proof } }) => {
    await changePassword(ctx, { ...proof, newPassword });
    return ok(CHANGED);
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
