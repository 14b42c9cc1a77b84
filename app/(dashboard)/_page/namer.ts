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

/** Returns the name that `namer` gives as it stands within a sentence: "you", and a person's own name as it is. */
export const inSentence = (name: string): string =>
  /^(?:You$|Your server,|The people who|The invited|Somebody who)/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
