import { type Command, Option } from "commander";
import { listOperators, makeFirstOperator, OPERATOR_ROLES, type OperatorRole, removeOperator } from "#services/operators/index.ts";
import { Misuse, operator } from "./context.ts";
import { asNamed, type Named, proposeAs, withName } from "./named.ts";
import { REASON } from "./options.ts";

export function addOperatorCommands(program: Command): void {
  program
    .command("make-operator <email>")
    .description("Makes a person with an account the first operator of this service. Operators propose the others.")
    .action(makeFirst);
  program.command("operators").description("Lists operators, their roles, and from when on they decide.").action(showOperators);
  withName(program.command("add-operator <email>"))
    .description("Proposes a person with an account as an operator, or another role for one. Somebody new decides nothing for 72 hours.")
    .addOption(
      new Option("--role <role>", "owners and admins decide, support decides identities")
        .choices([...OPERATOR_ROLES])
        .makeOptionMandatory(),
    )
    .requiredOption(...REASON)
    .action(add);
  withName(program.command("remove-operator <email>"))
    .description("Takes an operator's rights, at once.")
    .requiredOption(...REASON)
    .action(remove);
}

async function makeFirst(email: string): Promise<void> {
  await makeFirstOperator(operator, email);
  console.log(
    `${email} is an operator, and an owner. Set an authenticator app up on the page Your security: its codes prove at the command line who you are.`,
  );
}

async function showOperators(): Promise<void> {
  const operators = await listOperators(operator);
  if (operators.length === 0) return console.log("There is no operator yet. Make one: npm run oja -- make-operator EMAIL");
  console.table(
    operators.map(({ email, name, role, decidesFrom, hasApp }) => ({
      ...{ email, name, role },
      "decides from": role === "owner" || role === "admin" ? decidesFrom.toISOString() : "never",
      "authenticator app": hasApp ? "yes" : "no",
    })),
  );
}

const add = (email: string, { role, reason, ...named }: Named & { role: OperatorRole; reason: string }): Promise<void> =>
  proposeAs(named, { kind: "operator.add", payload: { email, role }, reason });

async function remove(email: string, { reason, ...named }: Named & { reason: string }): Promise<void> {
  if (!(await removeOperator(await asNamed(named), { email, reason })))
    throw new Misuse(`${email} is no operator. See: npm run oja -- operators`);
  console.log(`${email} is no operator any more.`);
}
