import type { Author, MemberContext } from "#services/context.ts";
import { listTeam } from "#services/members/index.ts";

/** Returns a function that names an actor for the reader. */
export async function namer(ctx: MemberContext): Promise<(actor: Author) => string> {
  const names = new Map((await listTeam(ctx)).map(({ userId, name }) => [userId, name]));
  return ({ type, id }) => {
    switch (type) {
      case "member":
        return id === ctx.actor.id ? "You" : (names.get(id) ?? "Somebody who has left the team");
      case "api_key":
        return "Your server, through the API";
      case "invited":
        return "The invited person";
      case "operator":
      case "cli":
      case "system":
        return "The people who run this service";
    }
  };
}
