import { beforeAll } from "vitest";
import { sql } from "#db/client.ts";
import { aPersonWithCodes, codeOf, nextStep, type TestPerson } from "#services/users/factors/two-factor.fixture.ts";

export interface TestOperators {
  /** Returns the options by which an operator says who they are. */
  asFirst: () => Promise<string[]>;
  asSecond: () => Promise<string[]>;
  /** Proposes by a command as the first operator, and approves as the second one. Returns what both commands printed. */
  decide: (run: (...words: string[]) => Promise<string>, ...words: string[]) => Promise<string>;
}

/** Makes two operators, an owner and an admin, who have been operators for long. */
export function withTwoOperators(): TestOperators {
  const people: TestPerson[] = [];
  beforeAll(async () => {
    for (const role of ["owner", "admin"]) {
      const person = await aPersonWithCodes();
      const { id } = person.ctx.actor;
      await sql()`insert into members (business_id, user_id, role, decides_from) values ('biz_platform', ${id}, ${role}, now())`;
      // The restriction after a first second factor lasts for a day.
      await sql()`update users set restricted_until = null where id = ${id}`;
      people.push(person);
    }
  });
  const as = async (which: 0 | 1): Promise<string[]> => {
    const person = people[which];
    if (!person) throw new Error("there are no operators yet");
    await nextStep(person.ctx.actor.id);
    return ["--as", person.email, "--code", codeOf(person.secret)];
  };
  const [asFirst, asSecond] = [() => as(0), () => as(1)];
  return {
    asFirst,
    asSecond,
    async decide(run, ...words) {
      const proposed = await run(...words, ...(await asFirst()));
      const [id] = /prp_\w+/.exec(proposed) ?? [];
      if (id === undefined) throw new Error(`nothing was proposed: ${proposed}`);
      return `${proposed}\n${await run("approve", id, ...(await asSecond()))}`;
    },
  };
}
