import { headers } from "next/headers";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { LinksTable } from "../../../links-table.tsx";

export const metadata = { title: "Payment links" };

export default async function LinksExample() {
  await headers();
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="sr-only">Payment links</h1>
        <p>
          <span className="text-figure font-semibold tabular-nums">₦1,284,500</span> <span className="text-muted">paid in 30 days</span>
        </p>
        <PrimaryAction>
          <ButtonLink href="/ui" variant="primary">
            Create link
          </ButtonLink>
        </PrimaryAction>
      </div>
      <LinksTable now={new Date()} count={40} />
    </>
  );
}
